/** What document 1 leaves open about policies. */
import type { register, Source } from '../../harness/vocabulary/index.ts'
import { endpoint, policyField } from './policies-sources.ts'

type Rows = Parameters<typeof register>[1]

const errors: Source = { document: 1, section: 'Errors', row: 'error status codes and error body shape' }
const authentication: Source = { document: 1, section: 'Authentication', row: 'rule 5' }

/** Never asserted: what a server does here is its own business. */
const open: Readonly<Record<string, readonly [says: string, source: Source, open: string]>> = {
  'open.status-codes': [
    'Which status a success or a refusal has.',
    errors,
    'No status code is shown for any policy endpoint. Success is any 2xx, refusal any 4xx or 5xx.',
  ],
  'open.error-body': ['What the body of a refusal looks like.', errors, 'The shape of errors is not shown.'],
  'open.envelope': [
    'Where in a reply its fields stand, and which fields it has besides.',
    { document: 1, section: 'Endpoints', row: 'Response bodies: not shown except where stated in the notes' },
    'Top level or inside `data`; `keys` is named for EGP only, `name` and the reply to POST and DELETE not at all.',
  ],
  'open.authentication': [
    'Who may call the policy endpoints.',
    authentication,
    'Neither the need of a token nor of a capability is stated, nor the name of the header.',
  ],
  'open.list-order': [
    'The order of a list, its completeness in pages, and what an empty list looks like.',
    endpoint('LIST'),
    'Nothing but that configured policies are listed.',
  ],
  'open.list-form': [
    'How a key of the EGP list tells its path, and how an entry of `name_path_map` tells path and glob status.',
    endpoint('LIST', 'egp'),
    '"List-friendly form" and "glob status" are not defined.',
  ],
  'open.read-missing': [
    'What GET of an unused name answers.',
    endpoint('GET'),
    'Only that no such policy is returned.',
  ],
  'open.delete-missing': ['Whether DELETE of an unused name is a success.', endpoint('DELETE'), 'Not stated.'],
  'open.read-form': [
    'Whether a document given in base64 is returned plain, and whether paths given as a string come back as an array.',
    policyField('policy'),
    'Neither form of return is stated.',
  ],
  'open.validation': [
    'Whether a document that does not parse is refused, and whether an empty `policy` counts as missing.',
    policyField('policy'),
    'No validation of documents is stated.',
  ],
  'open.language': [
    'What the documents of the three kinds mean, and the language of RGP and EGP.',
    policyField('policy'),
    'The documents used by checks come from the dialect.',
  ],
  'open.field-types': [
    'What happens to fields of a wrong type, unknown fields, and governing fields on an ACL policy.',
    endpoint('POST'),
    'Only types and requiredness are listed.',
  ],
  'open.names': [
    'Which names are allowed, whether case matters, and whether two kinds may share a name.',
    policyField('name'),
    'Only that the name is taken from the URL.',
  ],
  'open.default-policies': [
    'Which policies exist from the start, and whether those can be changed or deleted.',
    endpoint('LIST'),
    'No policy is named.',
  ],
  'open.override': [
    'How a request overrides a soft-mandatory policy, and how an advisory one warns.',
    policyField('enforcement_level'),
    'The levels are listed, not explained; the override used by checks comes from the dialect.',
  ],
  'open.star-exemptions': [
    'Whether a root token is exempt from EGPs, whether `*` may stand among other paths, and unauthenticated requests.',
    policyField('paths'),
    'Only that the single path `*` affects all authenticated and login requests.',
  ],
  'open.other-methods': [
    'Whether PUT writes and GET with a list parameter lists.',
    endpoint('LIST'),
    'Only LIST, GET, POST and DELETE are listed.',
  ],
  'open.rate-limits': [
    'How many requests are served in what time.',
    { document: 1, section: 'Limits', row: 'Rate limits' },
    'Not shown.',
  ],
}

export const openRows: Rows = Object.fromEntries(
  Object.entries(open).map(([id, [says, source, why]]) => [id, { level: 'info', says, source, open: why }]),
)
