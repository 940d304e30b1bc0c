/** Finds the checks that can share ground, from the requests that they may send. */

import { sentBy } from '../targets/sent-by.ts'
import {
  askedBy,
  type Check,
  type Dialect,
  del,
  type Exchange,
  type SharedGround,
  type Step,
  type Topic,
} from '../vocabulary/index.ts'

/** How a check shares ground. */
export interface Share {
  /** Equal for checks that can share. */
  readonly key: string
  readonly ground: SharedGround
  /** The steps that prepare the ground. */
  readonly given: readonly Step[]
  /** The throw-away names of the ground. */
  readonly names: readonly string[]
  /** The check without these steps. */
  readonly rest: Check
  /** The steps that bring the ground back to what it was. */
  readonly restores: readonly Step[]
}

/** Returns whether neighbours have been on a ground since it was prepared. */
export const hasNeighbours = (ground: SharedGround | undefined): ground is SharedGround =>
  ground !== undefined && ground.neighbours === undefined

const shares = new WeakMap<Check, Share | undefined>()

/** Returns undefined if the check needs ground of its own. */
export function shareOf(topic: Topic, check: Check, dialect: Dialect): Share | undefined {
  if (!shares.has(check)) shares.set(check, shareFound(topic, check, dialect))
  return shares.get(check)
}

function shareFound({ grounds = [], names }: Topic, check: Check, dialect: Dialect): Share | undefined {
  const { given = [], lock, needs = [], rehearsals = [] } = check
  if (check.ground === 'own') return undefined
  for (const ground of grounds) {
    if (lock !== ground.lock || (lock === undefined && rehearsals.length > 0)) continue
    if (needs.some((need) => !ground.needs?.includes(need))) continue
    const begun = ground.givens.find((steps) => steps.every((step, index) => isEqual(step, given[index])))
    const rest = begun && { ...check, given: given.slice(begun.length) }
    if (!rest || !leaves(rest, ground, dialect)) continue
    const prepared = begun.map(dataOf).join('\n')
    return {
      ...{ key: `${prepared}\n${ground.leave.source}`, ground, given: [...begun, ...settingsOf(ground)] },
      names: names.filter((name) => isNamed(prepared, name)),
      ...{ rest, restores: restoresOf(rest, ground, dialect) },
    }
  }
  return undefined
}

const isNamed = (key: string, name: string): boolean => key.includes(`{${name}}`) || key.includes(`"${name}"`)

/** Code is compared by its text, which says nothing about the values that it closes over: these are in its data. */
const dataOf = (step: Step): string => `${JSON.stringify(step)} ${step.kind === 'action' ? step.run.toString() : ''}`
const isEqual = (step: Step, other: Step | undefined): boolean => other !== undefined && dataOf(step) === dataOf(other)

const settingsOf = ({ restores = [] }: SharedGround): readonly Step[] =>
  restores.flatMap(({ isFirst, sends }) => (isFirst && sends !== 'its deletion' ? [sends] : []))

function restoresOf(rest: Check, { restores = [] }: SharedGround, dialect: Dialect): readonly Step[] {
  const sent = sentBy(rest, dialect)
  return restores.flatMap(({ after, sends }) => {
    const matched = sent.filter((exchange) => after.test(askedBy(exchange)))
    if (sends !== 'its deletion') return matched.length > 0 ? [sends] : []
    return [...new Set(matched.map(({ path }) => path))].map((path) => del(path))
  })
}

/** Tells whether what a check sends leaves the ground to others as it was, and whether what others have added cannot change
 * what the check finds. */
function leaves(rest: Check, { leave, grows }: SharedGround, dialect: Dialect): boolean {
  const isLeft = (exchange: Exchange): boolean => leave.test(askedBy(exchange))
  const isGrown = (exchange: Exchange): boolean => grows?.test(askedBy(exchange)) === true
  const judged = { ...rest, given: [], then: rest.then.filter(({ before }) => !before) } as unknown as Check
  return (
    sentBy(rest, dialect).every((exchange) => isLeft(exchange) || isGrown(exchange)) &&
    sentBy(judged, dialect).every(isLeft)
  )
}
