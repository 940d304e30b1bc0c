import { policies } from '../../fixtures/api/policies.ts'
import { areaOf } from '../area.ts'
import access from '../policies/access.ts'
import accessEgpPaths from '../policies/access-egp-paths.ts'
import accessEgpReach from '../policies/access-egp-reach.ts'
import accessEgpStar from '../policies/access-egp-star.ts'
import accessGoverning from '../policies/access-governing.ts'
import accessRgp from '../policies/access-rgp.ts'
import accessSeveral from '../policies/access-several.ts'
import errors from '../policies/errors.ts'
import fields from '../policies/fields.ts'
import { shownAsWritten } from '../policies/reads.ts'
import transitions from '../policies/transitions.ts'
import transitionsMany from '../policies/transitions-many.ts'
import transitionsSharedPaths from '../policies/transitions-shared-paths.ts'
import versions from '../policies/versions.ts'

/** The suite of this area, with its topics in reading order. */
export default areaOf(
  policies,
  [
    transitions,
    transitionsSharedPaths,
    transitionsMany,
    fields,
    errors,
    access,
    accessGoverning,
    accessRgp,
    accessEgpPaths,
    accessEgpReach,
    accessEgpStar,
    accessSeveral,
    versions,
  ],
  {
    frames: (['acl', 'rgp', 'egp'] as const).map((kind) => ({
      written: new RegExp(`^POST sys/policies/${kind}/[^/]+$`),
      gone: `policies.${kind}.read.returns-named`,
      changed: () => `policies.${kind}.read.returns-named`,
    })),
    conditions: shownAsWritten,
  },
)
