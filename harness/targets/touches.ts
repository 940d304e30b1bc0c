/** Derives from the data of a check which requests it may send. Nothing is sent to find out. */

import { shareOf } from '../ground/shares.ts'
import type { UndoTemplate } from '../safety/undo-shapes.ts'
import {
  type AclRule,
  type Check,
  type Dialect,
  type Exchange,
  get,
  type Operation,
  operation,
  performanceOf,
  type Step,
  type Topic,
} from '../vocabulary/index.ts'
import { namePrefix } from './dialects/vault.ts'
import { ruleOf, sudoFor } from './dialects/vault-policy.ts'
import { exchangesOf, sentBy } from './sent-by.ts'

export interface Touch {
  readonly method: Exchange['method']
  /** The path, with throw-away names replaced by the glob `assay-*`, and ids that the server generates by `+`. */
  readonly path: string
  /** Who sends it: `operator`, `nobody`, or the name of a token that the check creates. */
  readonly as: string
  /** Why the request needs `sudo`. Absent if it does not. */
  readonly sudo?: string
}

/** Returns the exchanges that a check may send, with those of rehearsals and of ground that it shares, without undos. */
export function exchangesSentBy(topic: Topic, check: Check, dialect: Dialect): readonly Exchange[] {
  const rehearsed = (check.rehearsals ?? []).flatMap(({ acts }) => acts.flat())
  const { ground, given = [], restores = [] } = shareOf(topic, check, dialect) ?? {}
  const ofGround = [...[...given, ...restores].flatMap((step) => exchangesOf(step, dialect)), ...(ground?.frame ?? [])]
  return [...rehearsed.flatMap((step) => exchangesOf(step, dialect)), ...sentBy(check, dialect), ...ofGround]
}

/** Returns each combination of method, path and client once, in the order of first use. */
export function touchesOf(topic: Topic, check: Check, dialect: Dialect): readonly Touch[] {
  const all = exchangesSentBy(topic, check, dialect).flatMap((exchange) => [
    exchange,
    ...(exchange.undo ? [exchange.undo] : []),
    ...(exchange.orUndo ?? []),
  ])
  const names = new Set(topic.names)
  const touches = new Map<string, Touch>()
  for (const exchange of all) {
    const { method, as = 'operator' } = exchange
    const path = ruleOf(exchange.path, (name) => names.has(name), namePrefix)
    const key = `${as} ${method} ${path}`
    const sudo = sudoFor(exchange) ?? touches.get(key)?.sudo
    touches.set(key, { method, path, as, ...(sudo === undefined ? {} : { sudo }) })
  }
  return [...touches.values()]
}

/** The throw-away name of the policy of the token that a run makes for itself. */
export const callerName = 'caller'

/** Provides `{token}`, which may do what the rules allow. */
export const callerSteps = (rules: readonly AclRule[]): readonly Operation[] => [
  operation('aclDocument', { as: 'rules', rules }, 'the planned policy'),
  operation('writePolicy', { name: `{${callerName}}`, text: 'rules' }, 'the planned policy is written'),
  callerToken(`{${callerName}}`),
]

const callerToken = (policy: string): Operation =>
  operation('createToken', { as: 'token', policies: [policy] }, 'a token with the planned policy')

/** Provides `{token}` on a cluster to which the policy came from another one. */
export const callerStepsWith = (policy: string, dialect: Dialect): readonly Step[] => [
  ...exchangesOf(operation('writePolicy', { name: policy, text: 'rules' }, 'the planned policy'), dialect).map(
    ({ path }) => get(path),
  ),
  callerToken(policy),
]

export function undoTemplates(topics: readonly Topic[], dialect: Dialect): readonly UndoTemplate[] {
  const ofChecks = topics.flatMap((topic) => {
    const names = new Set(topic.names)
    const isThrowAway = (name: string) => names.has(name)
    return topic.checks
      .flatMap((check) => sentBy(check, dialect))
      .flatMap(({ undo }) => (undo ? [{ undo, isThrowAway }] : []))
  })
  const ofDialect = (dialect.removals ?? []).flatMap(({ ways }) =>
    ways.map((undo) => ({ undo, isThrowAway: (name: string) => name === 'name' })),
  )
  const ofCaller = callerSteps([])
    .filter((step) => performanceOf(dialect.operations, step))
    .flatMap((step) => exchangesOf(step, dialect))
    .flatMap(({ undo }) => (undo ? [{ undo, isThrowAway: (name: string) => name === callerName }] : []))
  const mark = dialect.nodes?.mark('').remove
  return [
    ...ofChecks,
    ...ofDialect,
    ...ofCaller,
    ...(mark ? [{ undo: mark, isThrowAway: (name: string) => name === 'mark' }] : []),
  ]
}
