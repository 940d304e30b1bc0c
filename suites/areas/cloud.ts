import { cloud } from '../../fixtures/api/cloud.ts'
import { areaOf } from '../area.ts'
import accessSecrets from '../cloud/access-secrets.ts'
import errors from '../cloud/errors.ts'
import errorsBodies from '../cloud/errors-bodies.ts'
import errorsProvider from '../cloud/errors-provider.ts'
import errorsValues from '../cloud/errors-values.ts'
import fieldsIamUser from '../cloud/fields-iam-user.ts'
import fieldsLease from '../cloud/fields-lease.ts'
import fieldsRoles from '../cloud/fields-roles.ts'
import fieldsRoot from '../cloud/fields-root.ts'
import fieldsSessions from '../cloud/fields-sessions.ts'
import fieldsStaticRoles from '../cloud/fields-static-roles.ts'
import fieldsWhole from '../cloud/fields-whole.ts'
import { frames } from '../cloud/ground.ts'
import limits from '../cloud/limits.ts'
import transitions from '../cloud/transitions.ts'
import transitionsNeighbours from '../cloud/transitions-neighbours.ts'
import transitionsRoles from '../cloud/transitions-roles.ts'
import transitionsStaticRoles from '../cloud/transitions-static-roles.ts'
import versions from '../cloud/versions.ts'

/** The suite of this area, with its topics in reading order. */
export default areaOf(
  cloud,
  [
    transitions,
    transitionsRoles,
    transitionsStaticRoles,
    transitionsNeighbours,
    fieldsRoles,
    fieldsIamUser,
    fieldsSessions,
    fieldsWhole,
    fieldsRoot,
    fieldsLease,
    fieldsStaticRoles,
    limits,
    errors,
    errorsBodies,
    errorsProvider,
    errorsValues,
    accessSecrets,
    versions,
  ],
  { frames },
)
