/** Finds out which areas the target serves. An area is absent only if a reply shows that: a reply that is denied,
 * late, throttled or a failure leaves it open. Then the checks of the area are run and report their own obstacles. */
import {
  type Area,
  type AreaQuestion,
  type AreaSign,
  type Dialect,
  type Exchange,
  fieldOf,
  gatewayOf,
  type Reply,
  shown,
} from '../vocabulary/index.ts'
import { type Features, knownFeatures } from './features.ts'

export interface AreaSeen {
  readonly sign: AreaSign
  /** The request and its reply, in words. */
  readonly evidence: string
}

export type AreasSeen = Readonly<Partial<Record<Area, AreaSeen>>>

type AskReply = (exchange: Exchange) => Promise<Reply | undefined>

/** Returns a function that sends each distinct request only once: several areas may ask the same question. */
function askingOnce(ask: AskReply): AskReply {
  const known = new Map<string, Promise<Reply | undefined>>()
  return (exchange) => {
    const key = `${exchange.method} ${exchange.path} ${JSON.stringify(exchange.body)} ${exchange.as}`
    const reply = known.get(key) ?? ask(exchange)
    known.set(key, reply)
    return reply
  }
}

/** Asks the read-only questions of each area, until a reply shows that the area is served. */
export async function areasServed(dialect: Dialect, areas: readonly Area[], askReply: AskReply): Promise<AreasSeen> {
  const ask = askingOnce(askReply)
  const seen: Partial<Record<Area, AreaSeen>> = {}
  for (const area of areas) {
    const { questions = [] } = dialect.areas?.[area] ?? {}
    const answers: AreaSeen[] = []
    for (const question of questions) {
      answers.push(await answered(question, ask))
      if (answers.at(-1)?.sign === 'served') break
    }
    if (answers.length > 0) seen[area] = conclusion(answers)
  }
  return seen
}

/** Tries to create something of the area. `ask` has to fill in `{probe}` and undo the creation. */
export const areaAttempted = (question: AreaQuestion, ask: AskReply): Promise<AreaSeen> => answered(question, ask)

/** One reply that shows the area is enough for `served`; every reply has to show the absence for `absent`. */
function conclusion(answers: readonly AreaSeen[]): AreaSeen {
  const evidenceOf = (some: readonly AreaSeen[]) => some.map(({ evidence }) => evidence).join(', and ')
  const served = answers.filter(({ sign }) => sign === 'served')
  if (served.length > 0) return { sign: 'served', evidence: evidenceOf(served) }
  const isAbsent = answers.every(({ sign }) => sign === 'absent')
  return { sign: isAbsent ? 'absent' : undefined, evidence: evidenceOf(answers) }
}

async function answered({ exchange, stranger, shows }: AreaQuestion, ask: AskReply): Promise<AreaSeen> {
  const reply = await ask(exchange)
  const words = exchange.words ?? `${exchange.method} ${exchange.path}`
  if (!reply) return { sign: undefined, evidence: `${words} was not answered` }
  const gateway = gatewayOf(reply)
  // What replies in place of the target would also reply so to a made-up path, which would look like an absence.
  if (gateway !== undefined) return { sign: undefined, evidence: `${words} was answered ${reply.status} by ${gateway}` }
  const sign = await shows(reply, async () => (stranger ? ask(stranger) : undefined))
  return { sign, evidence: `${words} answered ${reply.status}${causeIn(reply)}` }
}

const longestCause = 120

/** Returns the error messages of the target itself, quoted. */
export function causeIn(reply: Reply): string {
  const errors = fieldOf(reply, '/errors')
  if (!Array.isArray(errors) || errors.length === 0) return ''
  return ` ${shown(errors.map(String).join('; '), longestCause)}`
}

/** Returns the key under which the evidence for a feature, or for an optional area, is stored. */
export const factOf = (feature: string): string => `feature ${feature}`

/** Returns the presence of features that are areas. An area that is not shown to be absent counts as served, so that
 * its checks are run and report their own obstacles. */
export const areaFeatures = (asked: AreasSeen): Features =>
  Object.fromEntries(
    Object.entries(asked)
      .filter(([area]) => knownFeatures.includes(area))
      .map(([area, { sign }]) => [area, sign === 'absent' ? 'absent' : 'served']),
  )

/** Returns the areas that the profile declares as served or absent. The target is not asked about those. */
export const declaredAreas = (areas: readonly Area[], declared: Features): AreasSeen =>
  Object.fromEntries(
    areas
      .filter((area) => declared[area] !== undefined)
      .map((area) => [area, { sign: declared[area], evidence: 'the profile declares it' }]),
  )
