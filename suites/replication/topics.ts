/** The topics that both kinds of replication share, in one table. A topic that only one kind has, and that needs more
 * than a line here, is a file in the folder of its area. The default export lists every topic of this file for the
 * runner. */
import type { Topic } from '../../harness/vocabulary/index.ts'
import { callersOf, issuingOf, lifetimesOf, shownLifetimesOf } from './activation.ts'
import { addressesOf } from './addresses.ts'
import { demotionOf } from './demotion.ts'
import { disablingOf } from './disabling.ts'
import { replicationNames } from './given.ts'
import { joiningOf } from './joining.ts'
import { dr, performance, type Replication } from './kind.ts'
import { independenceOf } from './kinds-are-independent.ts'
import { leavingOf, revokingOf } from './leaving.ts'
import { endedTokensOf } from './lifetimes.ts'
import { promotionOf } from './promotion.ts'
import { availabilityOf, callersByKeyOf, publicKeysOf } from './public-keys.ts'
import { refusedTransitionsOf } from './refused-transitions.ts'
import { requiredOf } from './required.ts'
import { openStatusInModes, openStatusOf, statusFieldsOf } from './then/status-fields.ts'
import { topic } from './topic.ts'
import { updatingOf } from './updating.ts'
import { wipingOf } from './wiping.ts'

const safety = 'disruptive'
const names = replicationNames

const topicsOf = (of: Replication) => ({
  fields: topic(`${of.area}/fields`, {
    about: 'The fields of the status, and activation tokens that are encrypted to a public key.',
    safety,
    names,
    checks: [...statusFieldsOf(of), ...issuingOf(of), ...publicKeysOf(of)],
  }),
  versions: topic(`${of.area}/versions`, {
    about: 'The editions and versions that serve each endpoint.',
    safety,
    checks: availabilityOf(of),
  }),
  errorsFields: topic(`${of.area}/errors-fields`, {
    about: 'Requests without a required field, and ids of secondaries that are already in use.',
    safety,
    names,
    checks: requiredOf(of),
  }),
  fieldsAddresses: topic(`${of.area}/fields-addresses`, {
    about: 'The address to which a cluster connects.',
    safety,
    names,
    checks: addressesOf(of),
  }),
  transitions: topic(`${of.area}/transitions`, {
    about: 'A disabled cluster becomes a primary, or joins a primary as its secondary.',
    safety,
    names: [...names, 'space', 'inner'],
    checks: [...joiningOf(of), ...wipingOf(of), ...independenceOf(of)],
  }),
  transitionsSecondary: topic(`${of.area}/transitions-secondary`, {
    about: 'A secondary is promoted, moved to another primary, disabled, or revoked.',
    safety,
    names,
    checks: [...promotionOf(of), ...updatingOf(of), ...leavingOf(of), ...revokingOf(of)],
  }),
  transitionsPrimary: topic(`${of.area}/transitions-primary`, {
    about: 'A primary is demoted, or disabled.',
    safety,
    names,
    checks: [...demotionOf(of), ...disablingOf(of)],
  }),
  errorsRoles: topic(`${of.area}/errors-roles`, {
    about: 'Triggers in states for which the documented table of states does not list them.',
    safety,
    names,
    checks: refusedTransitionsOf(of),
  }),
})

export const drTopics = topicsOf(dr)

export const performanceTopics = {
  ...topicsOf(performance),
  access: topic('performance-replication/access', {
    about: 'Who may request activation tokens, and who may read the status.',
    safety,
    names: [...names, 'access'],
    checks: [
      openStatusOf(performance),
      ...openStatusInModes(performance),
      ...callersOf(performance),
      ...callersByKeyOf(performance),
    ],
  }),
  limits: topic('performance-replication/limits', {
    about: 'How long activation tokens are valid.',
    safety,
    names,
    checks: [...lifetimesOf(performance), ...shownLifetimesOf(performance), ...endedTokensOf(performance)],
  }),
}

const all: readonly Topic[] = [...Object.values(drTopics), ...Object.values(performanceTopics)]
export default all
