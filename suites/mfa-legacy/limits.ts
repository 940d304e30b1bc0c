import { topic } from '../../harness/vocabulary/index.ts'
import { boundsOf, misfitsOf } from '../mfa/bounds.ts'
import { legacy } from '../mfa/variant.ts'

export default topic('mfa-legacy/limits', {
  about: 'Digits, skew and algorithms outside the closed lists, and words where a number is asked for.',
  names: [...legacy.names, 'label'],
  checks: [...boundsOf(legacy), ...misfitsOf(legacy)],
})
