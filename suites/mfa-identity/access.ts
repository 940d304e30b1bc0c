import { topic } from '../../harness/vocabulary/index.ts'
import { callerNames, callersOf } from '../mfa/callers.ts'
import { identity } from '../mfa/variant.ts'

export default topic('mfa-identity/access', {
  about: 'Only a token with an entity can generate a secret of its own.',
  names: [...identity.names, ...callerNames],
  checks: callersOf(identity),
})
