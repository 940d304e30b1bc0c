import { type Requirement, register } from '../../harness/vocabulary/index.ts'
import { commonRows, left, must, should } from './mfa-rows.ts'
import { endpoint, limit, methodEndpoint, methodField, operationEndpoint, transition } from './mfa-sources.ts'

const area = 'mfa-identity'
const inUse = transition('MFA method defined, DELETE method (identity variant)')

/** No endpoint that validates a code is documented (reading 32): what a login shows is what the fields and transitions
 * imply. */
const loginRows = should({
  'login.code': ['A login that needs a method takes a code of its secret.', methodField('period', 32)],
  'login.as-configured': [
    'Codes are those of the period, digits and algorithm that the method was given.',
    methodField('period, digits, algorithm', 32),
  ],
  'login.skew': [
    'Codes are taken as many periods late or early as `skew` says, and no further.',
    methodField('skew', 32),
  ],
  'login.period': ['A code ends with its period.', methodField('period', 32)],
  'login.attempts': [
    'After `max_validation_attempts` failed validations even a right code is refused, and not before.',
    methodField('max_validation_attempts', 32),
  ],
  'login.attempts-consecutive': [
    'Only consecutive failed validations count.',
    methodField('max_validation_attempts', 32),
  ],
  'login.first-secret': [
    'Generating where there is a secret leaves that secret in force.',
    transition('MFA secret present, generate or admin-generate', 33),
  ],
  'login.destroyed-secret': [
    'Codes of a destroyed secret are refused.',
    transition('MFA secret present, admin-destroy', 32),
  ],
})

const rows = register(area, {
  ...commonRows(area),
  ...must({
    'method.updates': ['POST with the id of a method that is there updates it.', methodField('id', 30)],
    'list.names-visible': [
      'LIST names the methods of the current namespace, and none that was deleted.',
      endpoint(area, 'LIST /identity/mfa/method/totp'),
    ],
    'delete.in-use-refused': ['A method that a login enforcement uses is not deleted.', inUse],
    'generate.method-required': ['generate without `method_id` is refused.', operationEndpoint(area, 'generate')],
    'admin-generate.method-required': [
      'admin-generate without `method_id` is refused.',
      operationEndpoint(area, 'admin-generate'),
    ],
    'admin-destroy.method-required': [
      'admin-destroy without `method_id` is refused.',
      operationEndpoint(area, 'admin-destroy'),
    ],
  }),
  ...should({ 'delete.freed': ['A method that no login enforcement uses any more is deleted.', inUse] }),
  ...loginRows,
  ...left({
    'open.namespaces': [
      'How namespaces are made, and what LIST shows of the methods of parent namespaces.',
      endpoint(area, 'LIST /identity/mfa/method/totp'),
      'No endpoint of namespaces is described: only the current one is judged.',
    ],
    'open.create-path': [
      'Whether a method is made on the collection or under an id of the caller’s own.',
      methodEndpoint(area, 'POST', 30),
      'The collection is tried first; the id in a path is optional by the table.',
    ],
    'open.lockout': [
      'How long validation stays closed after too many failures.',
      limit('TOTP `max_validation_attempts` default'),
      'Not stated.',
    ],
    'open.enforcement': [
      'How a login enforcement is made, and how a login brings its code.',
      inUse,
      'Both come from the dialect.',
    ],
    'open.names': [
      'Whether methods of the identity variant have names.',
      methodField('name'),
      'Given for the legacy variant only.',
    ],
  }),
})

/** A server may have the one variant and not the other (document 3, Versioning, rule 1). */
export const mfaIdentity: readonly Requirement[] = rows.map((row) =>
  row.level === 'info' ? row : { ...row, applies: { ...row.applies, form: { 'mfa-identity': 'served' } } },
)
