/** What document 1 says of token generation attempts and of DR operation tokens. */
import {
  attempt,
  authentication,
  drEndpoint,
  endpoint,
  left,
  limit,
  must,
  type Rows,
  resource,
  should,
} from './replication-sources.ts'

const attemptPath = '/sys/replication/dr/secondary/generate-operation-token/attempt'
const reading = drEndpoint(`GET ${attemptPath}`)
const starting = drEndpoint(`POST ${attemptPath}`)
const updating = drEndpoint('POST /sys/replication/dr/secondary/generate-operation-token/update')
const deleting = drEndpoint('POST /sys/replication/dr/secondary/operation-token/delete')
const attemptField = (row: string, number?: number) => resource('Token generation attempt', row, number)
const started = attempt('none, POST attempt')
const updated = attempt('in progress, POST update')
const completed = attempt('in progress, POST update, threshold reached')
const cancelled = attempt('in progress, DELETE attempt')
const operationToken = resource('DR operation token', 'authorizes, has no TTL')

const attempts = must({
  'attempt.nonce-issued': ['A start begins an attempt that has a nonce.', started],
  'attempt.one-at-a-time': [
    'A start while an attempt runs leaves that attempt as it is, and begins no other.',
    limit('Simultaneous token generation attempts'),
  ],
  'attempt.key-fixed': ['The `pgp_key` of an attempt stays the one it was started with.', started],
  'attempt.read': ['GET attempt returns progress, required, nonce and complete.', reading],
  'attempt.progress': ['`progress` is the number of key shares supplied so far.', attemptField('progress')],
  'attempt.required': ['`required` is the number of key shares that complete the attempt.', attemptField('required')],
  'attempt.nonce-of-its-own': [
    'The nonce identifies the current attempt: another attempt has another.',
    attemptField('nonce'),
  ],
  'attempt.nonce-matches': ['update with a nonce that is not the attempt’s counts nothing.', updated],
  'attempt.nonce-required': ['update without `nonce` is refused and counts nothing.', updating],
  'attempt.key-required': ['update without `key` is refused and counts nothing.', updating],
  'attempt.share-valid': ['update with a text that is no key share counts nothing.', updated],
  'attempt.update-returns': ['update returns the nonce and whether the attempt is complete.', updating],
  'attempt.completes': ['With the last of the required shares the attempt is complete.', completed],
  'attempt.token-issued': ['The reply that completes an attempt gives the encoded token.', completed],
  'attempt.token-on-completion-only': [
    'The encoded token is returned when the attempt completes, and not before.',
    attemptField('encoded token'),
  ],
  'attempt.shares-of-the-root-key': [
    'No token is issued for shares that do not make up the root key.',
    authentication('rule 4'),
  ],
  'attempt.cancel-ends': ['After DELETE no attempt runs, and another can be started.', cancelled],
  'attempt.cancel-clears': ['DELETE clears the progress and the PGP key.', cancelled],
  'attempt.otp-hidden': [
    'The one-time password of an attempt is in no reply to GET attempt or to update.',
    attemptField('If a one-time password encodes the final token, it is never returned', 3),
  ],
  'attempt.pgp-encrypts': ['With `pgp_key` the raw bytes of the token are encrypted with that key.', starting],
  'attempt.pgp-fingerprint': [
    'With `pgp_key` GET attempt returns the fingerprint of that key.',
    attemptField('PGP fingerprint'),
  ],
})

const hinted = should({
  'attempt.running-required': ['update is refused where no attempt runs.', updated],
  'attempt.pgp-key-valid': ['A start with a `pgp_key` that is no PGP key is refused and begins nothing.', starting],
  'attempt.share-once': ['A share that was supplied before does not count again.', attemptField('progress')],
})

const tokens = must({
  'operation-token.authorizes': [
    'The token that an attempt gives authorizes promote and update-primary.',
    authentication('rule 4'),
  ],
  'operation-token.no-ttl': ['A DR operation token does not expire.', limit('DR operation token TTL')],
  'operation-token.deletes': ['operation-token/delete revokes the token: it authorizes nothing any more.', deleting],
  'operation-token.delete-token-required': [
    'operation-token/delete without `dr_operation_token` is refused.',
    deleting,
  ],
  'promote.operation-token-required': [
    'promote is refused without `dr_operation_token`, and nothing changes.',
    endpoint('POST {prefix}/secondary/promote'),
  ],
  'promote.operation-token-valid': [
    'promote is refused with a `dr_operation_token` that no attempt gave, and nothing changes.',
    authentication('rule 3'),
  ],
  'update-primary.operation-token-required': [
    'update-primary is refused without `dr_operation_token`, and nothing changes.',
    endpoint('POST {prefix}/secondary/update-primary'),
  ],
  'update-primary.operation-token-valid': [
    'update-primary is refused with a `dr_operation_token` that no attempt gave, and nothing changes.',
    authentication('rule 3'),
  ],
})

const open = left({
  'open.unmet-conditions': [
    'Whether a trigger whose condition is not met is refused, or answered by the state that stays.',
    updated,
    'The table tells next states, not replies.',
  ],
  'open.client-token-besides': [
    'Whether promote and update-primary of a DR secondary look at a client token besides the operation token.',
    authentication('rule 3', 1),
    'They are authorized by the body; none is sent.',
  ],
  'open.attempt-after-completion': [
    'What GET, update, start and DELETE do once an attempt is complete.',
    completed,
    'The table has no row for it.',
  ],
  'open.cancel-nothing': [
    'What DELETE answers where no attempt runs.',
    attempt('none'),
    'The table has no row for it.',
  ],
  'open.attempt-none': [
    'What GET shows where no attempt runs.',
    reading,
    'Only that the progress of one that was cancelled is gone.',
  ],
  'open.attempt-elsewhere': [
    'What the endpoints of attempts do on a cluster that is no DR secondary.',
    attempt('(DR secondary)'),
    'The table is of DR secondaries.',
  ],
  'open.otp': [
    'How the one-time password comes to who started the attempt.',
    attemptField('If a one-time password encodes the final token, it is never returned', 3),
    'No field of a request carries one: the reply to the start may.',
  ],
  'open.wrong-shares': [
    'Whether a well-formed share of another key is refused at once or when the threshold is reached, and what becomes of the attempt.',
    updated,
    'Only that no token is issued.',
  ],
  'open.operation-token-uses': [
    'How often an operation token can be used, how many there can be, and whether one outlives the role of its cluster.',
    operationToken,
    'Not stated.',
  ],
  'open.operation-token-elsewhere': [
    'What promote and update-primary do by a valid operation token on a cluster that is no DR secondary.',
    operationToken,
    'They are made on DR secondaries, and whether one outlives that role is open: who has none is judged there.',
  ],
  'open.operation-token-scope': [
    'Which operations besides promote and update-primary an operation token authorizes.',
    operationToken,
    '“Certain DR operations”.',
  ],
  'open.delete-unknown': [
    'What operation-token/delete answers to a token that does not exist.',
    deleting,
    'Not stated.',
  ],
})

export const tokenRows: Rows = { ...attempts, ...hinted, ...tokens, ...open }
