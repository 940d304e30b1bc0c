import { topic } from '../../harness/vocabulary/index.ts'
import { callerNames, callersOf } from '../mfa/callers.ts'
import { legacy } from '../mfa/variant.ts'

export default topic('mfa-legacy/access', {
  about: 'Only a token with an entity can generate a secret of its own.',
  names: [...legacy.names, ...callerNames],
  checks: callersOf(legacy),
})
