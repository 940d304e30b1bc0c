/** Chooses the circumstances of checks: who sends their requests, how things are named, and what comes first on a mount. */
import { hash } from 'node:crypto'
import { hasNeighbours, shareOf } from '../ground/shares.ts'
import { sudoFor } from '../targets/dialects/vault-policy.ts'
import { leastPolicy } from '../targets/least-policy.ts'
import { exchangesOf, sentBy } from '../targets/sent-by.ts'
import { touchesOf } from '../targets/touches.ts'
import {
  type AclRule,
  addressOf,
  askedBy,
  type Ceremony,
  type Check,
  type Circumstance,
  type Companion,
  type Dialect,
  type Exchange,
  expectsRefusal,
  isObject,
  type Neighbours,
  requirementsOf,
} from '../vocabulary/index.ts'
import { NameParts, namesWithCapitals } from './capitals.ts'
import type { Chosen, Spreading } from './chosen.ts'
import type { Spread } from './spellings.ts'

/** Returns what a token has to be allowed that sends the requests of checks for the operator, and those for their neighbours. */
export function callerRulesFor(checks: readonly Chosen[], spread: Spread, dialect: Dialect): readonly AclRule[] {
  const planned = checks.flatMap(({ topic, check }) => {
    const varied = spread[addressOf(topic, check)] ?? []
    if (!varied.some(({ id }) => id === 'other-caller')) return []
    const first = varied.flatMap((one) => ('neighbours' in one ? one.neighbours.flatMap(({ sends }) => sends) : []))
    const sent = [check, { ...check, given: first }]
    return sent.map((one) => ({ area: topic.area, touches: touchesOf(topic, one, dialect) }))
  })
  return leastPolicy(planned, dialect, false).map(({ path, capabilities }) => ({ path, capabilities }))
}

/** Returns the circumstances of each check, by its address. */
export function circumstancesOver(checks: readonly Chosen[], spreading: Spreading, seed: number): Spread {
  const { sites, dialect, requirements } = spreading
  if (sites.length === 0) return {}
  /** A template makes names of other things out of the name, and these need not keep its letters. */
  const isOfTemplate = (check: Check): boolean =>
    requirementsOf(check).some((id) => requirements.get(id)?.field?.endsWith('_template') === true)
  const rankOf = ({ topic, check }: Chosen): string => hash('sha1', `${seed} circumstances ${addressOf(topic, check)}`)
  const inOrder = checks
    .map((one) => ({ one, rank: rankOf(one) }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
  const parts = new Map<string, NameParts>()
  const partsOf = (area: string): NameParts => {
    const found = parts.get(area) ?? new NameParts(area, sites)
    parts.set(area, found)
    return found
  }
  const callers = new Most()
  const namings = new Most()
  const fillings = new Most()
  const byArea = Map.groupBy(
    inOrder.map(({ one }) => one),
    ({ topic }) => topic.area,
  )
  const neighbours = new Map([...byArea.values()].flatMap((some) => [...neighboursOver(some, spreading)]))
  const circumstancesOf = (one: Chosen): readonly Circumstance[] => {
    const { topic, check } = one
    const names = isOfTemplate(check) ? [] : namesWithCapitals(one, partsOf(topic.area), dialect)
    const companions = companionsOf(one, dialect, seed)
    const before = neighbours.get(check) ?? []
    const isNext = (most: Most): boolean => most.isNext(requirementsOf(check))
    const all: readonly (readonly [boolean, Circumstance])[] = [
      [isNext(callers), { id: 'other-caller' }],
      [before.length > 0, { id: 'neighbours', neighbours: before }],
      ...(companions.length > 0 && isNext(fillings) ? companions.map(alone) : []),
      [names.length > 0 && isNext(namings), { id: 'capitals', names }],
    ]
    return all.flatMap(([isChosen, one]) => (isChosen ? [one] : []))
  }
  return Object.fromEntries(inOrder.map(({ one }) => [addressOf(one.topic, one.check), circumstancesOf(one)]))
}

/** Of the checks that decide one requirement, all but the third are judged in the circumstance: of two, each may be the only one
 * that sees some fault. */
class Most {
  readonly #counts = new Map<string, number>()

  isNext(deciding: readonly string[]): boolean {
    const counts = deciding.map((id) => this.#counts.get(id) ?? 0)
    for (const id of deciding) this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
    return !counts.every((count) => count === 2)
  }
}

/** Each field is a circumstance of its own, so that the one that makes a difference is found. */
const alone = (one: Companion): readonly [boolean, Circumstance] => [true, { id: 'companions', companions: [one] }]

/** Each check has one in so many of the fields that a request could have besides. */
const companionOfEach = 2

/** Returns the fields that the requests of a check have besides, other ones for each check and seed. */
function companionsOf({ topic, check }: Chosen, dialect: Dialect, seed: number): readonly Companion[] {
  if (!topic.companions) return []
  const decides = ({ unless }: Companion): boolean => requirementsOf(check).some((id) => unless.test(id))
  const isChosen = ({ to, field }: Companion): boolean => {
    const rank = hash('sha1', `${seed} companions ${addressOf(topic, check)} ${to} ${field}`, 'buffer')
    return rank.readUInt8() % companionOfEach === 0
  }
  const sent = sentBy(shareOf(topic, check, dialect)?.rest ?? check, dialect).filter(({ method }) => method === 'POST')
  return topic.companions.filter(
    (one) =>
      sent.some((exchange) => one.to.test(askedBy(exchange))) && isChosen(one) && !decides(one) && isGiven(one, sent),
  )
}

function isGiven({ given }: Companion, sent: readonly Exchange[]): boolean {
  if (!given) return true
  const others = sent.filter((exchange) => given.to.test(askedBy(exchange)))
  const has = ({ body }: Exchange): boolean =>
    isObject(body) && Object.entries(given.has).every(([name, value]) => body[name] === value)
  return others.length > 0 && others.every(has)
}

/** Neighbours of checks that share no ground cost one for so many requests. */
const requestsForEach = 12
const mostKinds = 3
const costOf = ({ sends, repeats = 0, ahead = 0 }: Neighbours): number => sends.length + repeats + ahead

/** Returns the neighbours of checks. Checks that share ground find them there, so that they cost nothing. Of the others, one
 * check for each requirement has those of one kind, then one has those of another kind, and so on for as long as they may cost
 * more: that of which the fewest checks of what the same requests do have any. */
function neighboursOver(
  checks: readonly Chosen[],
  { dialect, requirements }: Spreading,
): ReadonlyMap<Check, readonly Neighbours[]> {
  const able = neighboursOfEach(checks, dialect)
  const requests = checks.reduce((sum, { check }) => sum + sentBy(check, dialect).length, 0)
  let left = requests / requestsForEach
  const sharing = able.filter(({ isSharing }) => isSharing)
  const found = new Map(sharing.map(({ check, neighbours }) => [check, neighbours]))
  const uses = new Map<string, number>()
  const met = new Map<string, Set<Neighbours>>()
  const metBy = (id: string): Set<Neighbours> => met.get(id) ?? new Set()
  const meet = (check: Check, some: readonly Neighbours[]): void => {
    for (const id of requirementsOf(check)) met.set(id, new Set([...metBy(id), ...some]))
  }
  for (const { check, neighbours } of sharing)
    meet(
      check,
      neighbours.filter(({ sends }) => sends.length > 0),
    )
  for (let kinds = 0; kinds < mostKinds; kinds += 1)
    for (const { check, neighbours, isSharing } of able) {
      const lacking = requirementsOf(check).filter((id) => metBy(id).size <= kinds)
      if (isSharing || found.has(check) || lacking.length === 0) continue
      const about = lacking.flatMap((id) => requirements.get(id)?.requests ?? [])
      // Refusals of an endpoint have kinds of their own: what is refused at first may be taken later.
      const keyOf = ({ before, sends }: Neighbours): string =>
        [...about, expectsRefusal(check), before, ...sends.map(askedBy)].join(' ')
      const usesOf = (one: Neighbours): number => uses.get(keyOf(one)) ?? 0
      const [rarest] = neighbours
        .filter((one) => lacking.some((id) => !metBy(id).has(one)))
        .toSorted((one, other) => usesOf(one) - usesOf(other) || costOf(one) - costOf(other))
      if (!rarest || costOf(rarest) > left) continue
      left -= costOf(rarest)
      uses.set(keyOf(rarest), usesOf(rarest) + 1)
      found.set(check, [rarest])
      meet(check, [rarest])
    }
  return found
}

function neighboursOfEach(checks: readonly Chosen[], dialect: Dialect) {
  const permitted = permittedOn(checks, dialect)
  return checks.flatMap(({ topic, check }) => {
    const neighbours = neighboursOf({ topic, check }, permitted, dialect)
    const isSharing = hasNeighbours(shareOf(topic, check, dialect)?.ground)
    return neighbours.length > 0 ? [{ check, neighbours, isSharing }] : []
  })
}

const isOnMount = ({ path }: Exchange): boolean => path.startsWith('{mount}/')
const capabilityFor = (area: string, exchange: Exchange): string =>
  `${area} ${exchange.method} ${sudoFor(exchange) !== undefined}`

/** Returns what the chosen checks may do on their mounts, by area. A policy allows it on all of them. */
const permittedOn = (checks: readonly Chosen[], dialect: Dialect): ReadonlySet<string> =>
  new Set(
    checks
      .filter(({ topic }) => topic.neighbours)
      .flatMap(({ topic, check }) => sentBy(check, dialect).map((exchange) => ({ topic, exchange })))
      .filter(({ exchange: { as = 'operator', ...rest } }) => as === 'operator' && isOnMount(rest))
      .map(({ topic, exchange }) => capabilityFor(topic.area, exchange)),
  )

/** Returns the neighbours that make no difference to a check. On shared ground they leave what others stand on, or come
 * before whatever is sent there. */
function neighboursOf(
  { topic, check }: Chosen,
  permitted: ReadonlySet<string>,
  dialect: Dialect,
): readonly Neighbours[] {
  if (!topic.neighbours || check.lock === 'clusters') return []
  const share = shareOf(topic, check, dialect)
  const sent = { all: sentBy(check, dialect), onGround: sentBy(share?.rest ?? check, dialect) }
  const ground = share?.ground
  const isLeft = (exchange: Exchange): boolean => !hasNeighbours(ground) || ground.leave.test(askedBy(exchange))
  const direct = [...(check.given ?? []).flatMap((step) => exchangesOf(step, dialect)), check.when]
  const looking = sentBy({ ...check, then: check.then.filter(({ before }) => !before) } as unknown as Check, dialect)
  const isSent = (pattern: RegExp, among: readonly (Exchange | Ceremony)[]): boolean =>
    among.some((one) => one.kind === 'exchange' && pattern.test(askedBy(one)))
  // A neighbour must not make beforehand what the judged request is to make.
  const compares = check.then.some((one) => one.before) && !expectsRefusal(check)
  const judged = compares && check.when.kind === 'exchange' ? askedBy(check.when) : undefined
  return topic.neighbours.filter(({ before, unless, unlessDecided, isFirst, needs, sends }) => {
    // An expectation that compares what it reads with what it read before finds them both times.
    const seeing = isSent(before, direct) ? looking : sent.all
    return (
      (needs === undefined || check.needs?.includes(needs) === true) &&
      !(unlessDecided && requirementsOf(check).some((id) => unlessDecided.test(id))) &&
      isSent(before, isFirst ? sent.all : sent.onGround) &&
      !(unless && isSent(unless, seeing)) &&
      !sends.some((exchange) => askedBy(exchange) === judged) &&
      sends.every((exchange) => permitted.has(capabilityFor(topic.area, exchange)) && (isFirst || isLeft(exchange)))
    )
  })
}
