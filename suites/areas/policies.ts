import { policies } from '../../fixtures/api/policies.ts'
import { areaOf } from '../area.ts'
import access from '../policies/access.ts'
import accessEgpPaths from '../policies/access-egp-paths.ts'
import accessGoverning from '../policies/access-governing.ts'
import accessSeveral from '../policies/access-several.ts'
import errors from '../policies/errors.ts'
import fields from '../policies/fields.ts'
import transitions from '../policies/transitions.ts'
import versions from '../policies/versions.ts'

/** The suite of its area, with its topics in reading order. */
export default areaOf(policies, [
  transitions,
  fields,
  errors,
  access,
  accessGoverning,
  accessEgpPaths,
  accessSeveral,
  versions,
])
