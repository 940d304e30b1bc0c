/** Chooses the circumstances of checks: who sends their requests, and how things are named. */
import { createHash } from 'node:crypto'
import { leastPolicy } from '../targets/least-policy.ts'
import { sentBy } from '../targets/sent-by.ts'
import { touchesOf } from '../targets/touches.ts'
import {
  type AclRule,
  addressOf,
  type Check,
  type Circumstance,
  type Dialect,
  type Exchange,
  type Requirement,
  requirementsOf,
  type SpellingSite,
  type Topic,
} from '../vocabulary/index.ts'
import { useName } from '../vocabulary/use-name.ts'
import type { Spread } from './spellings.ts'

/** Returns what a token has to be allowed that sends the requests of checks for the operator. */
export function callerRulesFor(checks: readonly Chosen[], spread: Spread, dialect: Dialect): readonly AclRule[] {
  const own = checks.filter((one) => spread[addressOf(one.topic, one.check)]?.some(({ id }) => id === 'other-caller'))
  const planned = own.map(({ topic, check }) => ({ area: topic.area, touches: touchesOf(topic, check, dialect) }))
  return leastPolicy(planned, dialect, false).map(({ path, capabilities }) => ({ path, capabilities }))
}

export interface Spreading {
  readonly sites: readonly SpellingSite[]
  readonly dialect: Dialect
  readonly requirements: ReadonlyMap<string, Requirement>
}

interface Chosen {
  readonly topic: Topic
  readonly check: Check
}

/** Returns the circumstances of each check, by its address. */
export function circumstancesOver(
  checks: readonly Chosen[],
  { sites, dialect, requirements }: Spreading,
  seed: number,
): Spread {
  if (sites.length === 0) return {}
  /** A template makes names of other things out of the name, and these need not keep its letters. */
  const isOfTemplate = (check: Check): boolean =>
    requirementsOf(check).some((id) => requirements.get(id)?.field?.endsWith('_template') === true)
  const rankOf = ({ topic, check }: Chosen): string =>
    createHash('sha1')
      .update(`${seed} circumstances ${addressOf(topic, check)}`)
      .digest('hex')
  const inOrder = checks
    .map((one) => ({ one, rank: rankOf(one) }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
  const callers = new Halves()
  const namings = new Halves()
  return Object.fromEntries(
    inOrder.map(({ one }) => {
      const { topic, check } = one
      const names = isOfTemplate(check) ? [] : namesWithCapitals(one, sites, dialect)
      const chosen: readonly Circumstance[] = [
        // A change of role may make the token unknown.
        ...(check.lock !== 'clusters' && callers.isNext(requirementsOf(check))
          ? [{ id: 'other-caller' } as const]
          : []),
        ...(names.length > 0 && namings.isNext(requirementsOf(check)) ? [{ id: 'capitals', names } as const] : []),
      ]
      return [addressOf(topic, check), chosen]
    }),
  )
}

/** Of the checks that decide one requirement, all but the second are judged in the circumstance. */
class Halves {
  readonly #counts = new Map<string, number>()

  isNext(deciding: readonly string[]): boolean {
    const counts = deciding.map((id) => this.#counts.get(id) ?? 0)
    for (const id of deciding) this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
    return !counts.every((count) => count === 1)
  }
}

/** Returns the names that only name objects in paths where clients choose the name: throw-away names, and words on a
 * throw-away mount. What else a name becomes part of (a mount, a domain, a user) need not keep its letters, and a list
 * may show them in lower case (readings of the documents, 64). */
function namesWithCapitals(
  { topic, check }: Chosen,
  sites: readonly SpellingSite[],
  dialect: Dialect,
): readonly string[] {
  const own = sites.filter(
    ({ id, path, spelling }) =>
      spelling === 'escaped-name' && id.startsWith(`${topic.area}.`) && path.endsWith('/:name'),
  )
  const sent = sentBy(check, dialect)
  if (sent.some(({ method, query }) => method === 'LIST' || query?.list !== undefined)) return []
  const patterns = own.map(({ path }) => path.split('/'))
  const named = sent.flatMap(({ path }) => namesIn(path.split('/'), patterns))
  const told = (check.given ?? []).flatMap((step) => (step.kind === 'operation' ? [JSON.stringify(step.args)] : []))
  const others = [...sent.map((exchange) => otherThanNames(exchange, patterns)), ...told]
    .join(' ')
    // A token has its policies by their names.
    .replaceAll(/"policies":\[[^\]]*\]/g, '')
  const words = new Set(others.split(/["/]/))
  return [...new Set(named)].filter(
    (name) => !(topic.names.includes(name) ? others.includes(`{${name}}`) : words.has(name)),
  )
}

/** Returns the name in each part of a path that names an object. */
const namesIn = (parts: readonly string[], patterns: readonly (readonly string[])[]): readonly string[] =>
  parts.flatMap((written, index) => {
    const part = written.replace(useName, '')
    if (!patterns.some((pattern) => pattern[index] === ':name' && beginsLike(parts, pattern, index))) return []
    const [, thrownAway] = /^\{([A-Za-z][\w-]*)\}/.exec(part) ?? []
    const word = /^[a-z][a-z-]*$/.test(part) && patterns.some(([mount]) => mount?.startsWith('{')) ? part : undefined
    return thrownAway ?? word ?? []
  })

const beginsLike = (parts: readonly string[], pattern: readonly string[], end: number): boolean =>
  pattern.slice(0, end).every((part, index) => /^[:{]/.test(part) || part === parts[index])

/** Returns the text of a request without the names in its path. */
function otherThanNames({ path, query, body, rawBody }: Exchange, patterns: readonly (readonly string[])[]): string {
  const parts = path.split('/')
  const left = parts.filter((_, at) => !patterns.some((one) => one[at] === ':name' && beginsLike(parts, one, at)))
  return `${left.join('/')} ${JSON.stringify(query ?? '')} ${JSON.stringify(body ?? '')} ${rawBody ?? ''}`
}
