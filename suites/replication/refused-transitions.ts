/** Checks of triggers in states for which the table of states does not list them, for both kinds of replication. */
import type { Check, Exchange, JsonObject, Step } from '../../harness/vocabulary/index.ts'
import { refused, requestWords } from '../../harness/vocabulary/index.ts'
import { activated, authorized, joined, primaryEnabled, roleCheck, unused } from './given.ts'
import { ownSentinel } from './joining.ts'
import type { Replication } from './kind.ts'
import { cut, linkedCopy } from './links.ts'
import { operationTokenOf, primaryDisable, primaryEnable, promote, tokenOf, trigger } from './roles.ts'
import { type IllegalTrigger, illegalTriggers, isRefusalImplied, type Trigger } from './states.ts'
import { holds, keeps } from './then/data.ts'
import { stays } from './then/roles.ts'
import type { Role } from './then/status.ts'
import { roleStays } from './then/witnesses.ts'

const called: Readonly<Record<Role, string>> = {
  disabled: 'a-disabled-cluster',
  primary: 'a-primary',
  secondary: 'a-secondary',
}

/** If a server carries out these triggers by mistake, the undo needs no key shares and loses no data, so they need no
 * second cluster. The other triggers are sent to a cluster that may be wiped. */
const mild: readonly Trigger[] = ['primary/enable', 'primary/disable', 'secondary/promote', 'secondary/disable']

const patientOf = ({ state, trigger: name }: IllegalTrigger): 'main' | 'second' =>
  state !== 'secondary' && mild.includes(name) ? 'main' : 'second'

/** Brings the cluster under test into the given state. If that cluster is `second`, it has an unused activation token
 * of main. */
function situation(of: Replication, one: IllegalTrigger): readonly Step[] {
  if (patientOf(one) === 'main') return [unused('main'), ...(one.state === 'primary' ? [primaryEnabled(of)] : [])]
  const begun = [unused('main', 'second'), primaryEnabled(of)]
  const situations: Readonly<Record<Role, readonly Step[]>> = {
    disabled: [...begun, activated(of)],
    primary: [...begun, primaryEnabled(of, 'second'), activated(of)],
    secondary: [...begun, ...joined(of), activated(of, 'second', 'main', { again: '-again' }), ...authorized(of)],
  }
  return situations[one.state]
}

/** On a DR secondary, the operation token replaces the client token. In the other states no operation token can be
 * made, so an invalid one is sent: the documents do not say what a valid one would do there. */
function asked(of: Replication, one: IllegalTrigger): Exchange {
  const { state, trigger: name } = one
  const isDrSecondary = of.kind === 'dr' && state === 'secondary'
  const operation = isDrSecondary ? `{${operationTokenOf('second')}}` : 'no-operation-token'
  const body: JsonObject = {
    ...(name === 'secondary/enable' || name === 'secondary/update-primary' ? { token: `{${tokenOf('second')}}` } : {}),
    ...(name === 'secondary/promote' ? { force: true } : {}),
    ...(isDrSecondary || (of.kind === 'dr' && /promote|update/.test(name)) ? { dr_operation_token: operation } : {}),
  }
  const exchange = trigger(of, name, patientOf(one), body, isDrSecondary ? 'nobody' : 'operator')
  const isWithoutToken = 'dr_operation_token' in body && !isDrSecondary
  return isWithoutToken ? { ...exchange, words: `${requestWords(exchange)}, an invalid operation token` } : exchange
}

/** Makes a request, from the same caller, that the table does list for the state. */
function legal(of: Replication, one: IllegalTrigger): Exchange {
  const legals: Readonly<Record<Role, Exchange>> = {
    disabled: primaryEnable(of, patientOf(one)),
    primary: primaryDisable(of, patientOf(one)),
    secondary: promote(of),
  }
  return legals[one.state]
}

export function refusedTransitionsOf(of: Replication): readonly Check[] {
  const { requirement } = of
  const subjectOf = ({ state, id }: IllegalTrigger) => `${id.slice(state.length + 1)}-on-${called[state]}`
  const isJoiningAPrimary = ({ id }: IllegalTrigger) => id === 'primary.secondary-enable'
  const isJoiningAnew = ({ id }: IllegalTrigger) => id === 'secondary.secondary-enable'
  return [
    ...illegalTriggers
      .filter((one) => !isJoiningAnew(one))
      .map((one) =>
        roleCheck(`${subjectOf(one)}-changes-nothing`, {
          requirement: requirement(`${one.id}-changes-nothing`),
          given: situation(of, one),
          when: asked(of, one),
          then: [stays(of, patientOf(one))],
        }),
      ),
    ...illegalTriggers
      .filter(isJoiningAnew)
      .map((one) =>
        roleCheck(`${subjectOf(one)}-changes-nothing`, {
          requirement: requirement(`${one.id}-changes-nothing`),
          needs: of.kind === 'dr' ? ['forwarder'] : [],
          ...joiningAnew(of, one),
          when: asked(of, one),
        }),
      ),
    ...illegalTriggers
      .filter(isJoiningAPrimary)
      .map((one) =>
        roleCheck(`${subjectOf(one)}-leaves-its-data`, {
          requirement: requirement(`${one.id}-changes-nothing`),
          given: [
            unused('main', 'second'),
            ownSentinel(of),
            primaryEnabled(of),
            primaryEnabled(of, 'second'),
            activated(of),
          ],
          when: asked(of, one),
          then: [keeps('second', 'own')],
        }),
      ),
    ...illegalTriggers
      .filter(isRefusalImplied)
      .map((one) =>
        roleCheck(`${subjectOf(one)}-is-refused`, {
          requirement: requirement(`${one.id}-refused`),
          given: situation(of, one),
          when: asked(of, one),
          then: [refused(roleStays(of, patientOf(one)))],
          control: legal(of, one),
        }),
      ),
  ]
}

/** A secondary that joins again is still a secondary, so only its data shows whether it was wiped. The link of a DR
 * secondary is cut, because its primary would send the data again. */
function joiningAnew(of: Replication, one: IllegalTrigger) {
  if (of.kind === 'performance')
    return { given: [...situation(of, one), ownSentinel(of)], then: [keeps('second', 'own')] } as const
  return {
    given: [...linkedCopy(of), activated(of, 'second', 'main', { again: '-again' }), ...authorized(of), cut()],
    then: [holds(of, 'second', 'shared')],
  } as const
}
