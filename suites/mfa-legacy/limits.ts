import { topic } from '../../harness/vocabulary/index.ts'
import { boundsOf } from '../mfa/bounds.ts'
import { legacy } from '../mfa/variant.ts'

export default topic('mfa-legacy/limits', {
  about: 'Digits, skew and algorithms outside the closed lists.',
  names: [...legacy.names],
  checks: boundsOf(legacy),
})
