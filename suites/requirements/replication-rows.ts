/** What holds for status, activation tokens and public keys in both kinds of replication alike. */
import {
  authentication,
  availability,
  endpoint,
  enterprise,
  errors,
  left,
  limit,
  must,
  type Rows,
  resource,
  should,
  versioning,
} from './replication-sources.ts'

const tokenField = (row: string, reading?: number) => resource('Secondary activation token', row, reading)
const secondaryToken = endpoint('POST {prefix}/primary/secondary-token')
const since = { ...enterprise, since: '1.3.0' }
const before = { ...enterprise, before: '1.3.0' }

const mustRows = must({
  'status.unauthenticated': ['GET status is served to who sends no token.', authentication('rule 1')],
  'status.mode': [
    'GET status tells the mode: primary, secondary, or neither of the two where replication is disabled.',
    endpoint('GET {prefix}/status', 9),
  ],
  'secondary-token.needs-sudo': [
    'secondary-token is refused to a token without the sudo capability.',
    authentication('rule 2'),
  ],
  'secondary-token.id-required': ['secondary-token without `id` is refused.', tokenField('id')],
  'secondary-token.ttl-default': [
    'An activation token asked for without `ttl` can be used for 30 minutes, and not later.',
    limit('Secondary activation token TTL default'),
  ],
  'secondary-token.ttl': [
    'An activation token can be used for as long as its `ttl` says, and not later.',
    tokenField('ttl'),
  ],
  'secondary-token.encrypted': [
    'With `secondary_public_key` the credentials are encrypted to it: the cluster whose key it is can use them, another cannot.',
    tokenField('secondary_public_key'),
    since,
  ],
  'secondary-token.not-wrapped': [
    'With `secondary_public_key` the credentials are not response-wrapped.',
    tokenField('secondary_public_key'),
    since,
  ],
  'public-key.returned': [
    'generate-public-key returns a public key.',
    endpoint('POST {prefix}/secondary/generate-public-key'),
    since,
  ],
  'public-key.served-since': [
    'generate-public-key is there in version 1.3 itself and later.',
    versioning('rule 1'),
    since,
  ],
  'public-key.absent-before': ['Before version 1.3 there is no generate-public-key.', versioning('rule 1'), before],
  'revoke-secondary.id-required': [
    'revoke-secondary without `id` is refused.',
    endpoint('POST {prefix}/primary/revoke-secondary'),
  ],
  'secondary-enable.token-required': [
    'secondary/enable without `token` is refused.',
    endpoint('POST {prefix}/secondary/enable'),
  ],
  'edition.enterprise-only': [
    'The replication endpoints exist in the enterprise editions only.',
    availability,
    { editions: ['community'] },
  ],
})

const shouldRows = should({
  'secondary-token.sudo-suffices': [
    'secondary-token is served to a token that has sudo and update on its path.',
    authentication('rule 2'),
  ],
  'status.progress': [
    'GET status tells sync progress: something in it moves as data is written on the primary and arrives at the secondary.',
    endpoint('GET {prefix}/status'),
  ],
  'status.cluster-id': [
    'GET status of a cluster that replicates tells a `cluster_id`.',
    resource('Replication cluster', 'cluster ID', 6),
  ],
  'secondary-token.id-unique': [
    'secondary-token is refused for an `id` that a connected secondary has.',
    tokenField('id', 5),
  ],
  'update-primary.token-required': [
    'update-primary is refused without the key `token`, which may be blank.',
    endpoint('POST {prefix}/secondary/update-primary', 2),
  ],
})

const openRows = left({
  'open.public-key-before': [
    'What secondary-token does with `secondary_public_key` before version 1.3.',
    versioning('rule 1'),
    'A server of that time does not know the field: it may pass over it or refuse it.',
  ],
  'open.status-codes': [
    'Which status a success or a refusal has, and what the body of a refusal looks like.',
    errors,
    'Success is any 2xx, refusal any 4xx or 5xx with nothing changed.',
  ],
  'open.envelope': [
    'Where in a reply its fields stand, and which fields it has besides.',
    endpoint('Response bodies: not shown except where stated in the notes'),
    'Top level or inside `data`.',
  ],
  'open.status-fields': [
    'What the status shows beyond mode, sync progress and `cluster_id`, and what it calls the progress.',
    resource('Replication cluster', 'Field names of the status response', 6),
    'Only that something moves. Whether the `cluster_id` of a secondary is its own or that of its set is open, too.',
  ],
  'open.disabled-mode': [
    'What the mode of a cluster is called that does not replicate.',
    endpoint('GET {prefix}/status', 9),
    'Anything but the other two.',
  ],
  'open.authentication': [
    'Who may call the other endpoints, and the name of the token header.',
    authentication('rule 5'),
    'Not shown. Whether sudo alone suffices for secondary-token, or its path has to be allowed besides, is not stated either.',
  ],
  'open.token-form': [
    'In which form secondary-token returns the activation token, and generate-public-key the key.',
    secondaryToken,
    'Taken from where servers of this family give it; without it nothing that needs it is judged.',
  ],
  'open.token-reuse': [
    'Whether an activation token can be used more than once, and whether an id can be used again once its token was used.',
    tokenField('id', 5),
    'Not stated: no check uses a token or an id twice.',
  ],
  'open.field-types': [
    'What happens to fields of a wrong type, blank required fields, and unknown fields.',
    secondaryToken,
    'Only types and requiredness are listed.',
  ],
  'open.any-node': [
    'revoke-secondary may run on any node of the primary cluster.',
    endpoint('POST {prefix}/primary/revoke-secondary'),
    'Nodes of a cluster cannot be told apart from outside.',
  ],
  'open.versions-of-clusters': [
    'What happens when a newer cluster replicates to an older one.',
    versioning('rule 3'),
    'Called unsafe; no behaviour is stated.',
  ],
  'open.rate-limits': ['How many requests are served in what time.', limit('Rate limits'), 'Not shown.'],
})

/** Everything but the roles of clusters, which the table of states is about. */
export const serviceRows: Rows = { ...mustRows, ...shouldRows, ...openRows }
