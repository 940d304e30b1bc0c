/** Mutants of the two forms of the API, and of refused requests in general. */
import type { Form } from '../../engines/cloud/rules/types.ts'
import { type CloudMutant, inRow, inTable, mutant } from './cells.ts'

const both: readonly Form[] = ['newer', 'older']
const none: readonly Form[] = []

export const ofForms: readonly CloudMutant[] = [
  mutant('refused-write-is-kept', 'The values of a refused write are stored.', (tables) => ({
    ...tables,
    refusedWrite: 'stored',
  })),
  mutant(
    'refusals-call',
    'A refused request for credentials, a static role or a rotation still makes or changes things at the provider.',
    (tables) => ({ ...tables, refusedCalls: 'made' }),
  ),
  mutant(
    'invalid-values-taken',
    'A field with an invalid value is treated as missing instead of being refused.',
    (tables) => ({
      ...tables,
      invalidValues: 'dropped',
    }),
  ),
  mutant('older-takes-session-token', 'The older form accepts the credential_type session_token.', (tables) =>
    inTable('roles', { known: { ...tables.roles.known, older: tables.roles.known.newer } })(tables),
  ),
  mutant(
    'older-key-optional',
    'In the older form access_key may be missing.',
    inRow('rootRules', 'keyRequired', { forms: none }),
  ),
  mutant(
    'older-secret-optional',
    'In the older form secret_key may be missing.',
    inRow('rootRules', 'secretRequired', { forms: none }),
  ),
  mutant('older-has-static-roles', 'The older form has static roles.', inTable('staticRoles', { forms: both })),
  mutant(
    'older-sends-session-tags',
    'The older form stores session_tags and sends them to the provider.',
    inRow('roleFields', 'session_tags', { forms: both }),
  ),
  mutant(
    'older-sends-external-id',
    'The older form stores external_id and sends it to the provider.',
    inRow('roleFields', 'external_id', { forms: both }),
  ),
  mutant(
    'older-keeps-audience',
    'The older form stores and shows identity_token_audience.',
    inRow('rootFields', 'identity_token_audience', { forms: both }),
  ),
  mutant(
    'newer-keys-required',
    'In the newer form access_key is required.',
    inRow('rootRules', 'keyRequired', { forms: both }),
  ),
]
