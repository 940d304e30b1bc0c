import { topic } from '../../harness/vocabulary/index.ts'
import { shapesOf } from '../mfa/shapes.ts'
import { valuesOf } from '../mfa/values.ts'
import { identity } from '../mfa/variant.ts'

export default topic('mfa-identity/fields', {
  about: 'What the fields of a TOTP method hold by default and when given, and what its secrets have of it.',
  names: [...identity.names, 'person', 'access', 'user'],
  checks: [...valuesOf(identity), ...shapesOf(identity)],
})
