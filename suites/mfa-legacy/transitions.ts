import { topic } from '../../harness/vocabulary/index.ts'
import { lifecycleNames, lifecycleOf } from '../mfa/lifecycle.ts'
import { legacy } from '../mfa/variant.ts'

export default topic('mfa-legacy/transitions', {
  about: 'TOTP methods, by name, and the secrets that entities have of them: made, kept, destroyed and made anew.',
  names: [...legacy.names, ...lifecycleNames],
  checks: lifecycleOf(legacy),
})
