import { topic } from '../../harness/vocabulary/index.ts'
import { boundsOf } from '../mfa/bounds.ts'
import { identity } from '../mfa/variant.ts'

export default topic('mfa-identity/limits', {
  about: 'Digits, skew and algorithms outside the closed lists.',
  names: [...identity.names],
  checks: boundsOf(identity),
})
