import { topic } from '../../harness/vocabulary/index.ts'
import { boundsOf, misfitsOf } from '../mfa/bounds.ts'
import { identity } from '../mfa/variant.ts'

export default topic('mfa-identity/limits', {
  about: 'Digits, skew and algorithms outside the closed lists, and words where a number is asked for.',
  names: [...identity.names, 'label'],
  checks: [...boundsOf(identity), ...misfitsOf(identity)],
})
