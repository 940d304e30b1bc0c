/** The target is asked which areas it has. Absence needs an answer that says so: a denied, late, throttled or failing
 * answer leaves it open, and then the checks of the area run and find out what is in their way. */
import {
  type Area,
  type AreaQuestion,
  type AreaSign,
  type Dialect,
  type Exchange,
  fieldOf,
  type Reply,
  shown,
} from '../vocabulary/index.ts'
import { type Features, knownFeatures } from './features.ts'

export interface AreaSeen {
  readonly sign: AreaSign
  /** What was asked, and what came back. */
  readonly evidence: string
}

export type AreasSeen = Readonly<Partial<Record<Area, AreaSeen>>>

type AskReply = (exchange: Exchange) => Promise<Reply | undefined>

/** The same question is sent once, whichever areas it is about. */
function askingOnce(ask: AskReply): AskReply {
  const known = new Map<string, Promise<Reply | undefined>>()
  return (exchange) => {
    const key = `${exchange.method} ${exchange.path} ${JSON.stringify(exchange.body)} ${exchange.as}`
    const reply = known.get(key) ?? ask(exchange)
    known.set(key, reply)
    return reply
  }
}

/** Asks what changes nothing. */
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

/** Tries the thing itself: `ask` fills `{probe}` and takes back what was made. */
export const areaAttempted = (question: AreaQuestion, ask: AskReply): Promise<AreaSeen> => answered(question, ask)

/** One answer that shows the area is enough; it is absent only where every answer says so. */
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
  const sign = await shows(reply, async () => (stranger ? ask(stranger) : undefined))
  return { sign, evidence: `${words} answered ${reply.status}${causeIn(reply)}` }
}

const longestCause = 120

function causeIn(reply: Reply): string {
  const errors = fieldOf(reply, '/errors')
  if (!Array.isArray(errors) || errors.length === 0) return ''
  return ` ${shown(errors.map(String).join('; '), longestCause)}`
}

/** Under which name the evidence for a feature, or for an area that a server may lack, is kept. */
export const factOf = (feature: string): string => `feature ${feature}`

/** Of features that are areas. What is not seen to be absent is judged: its checks find out what is in their way. */
export const areaFeatures = (asked: AreasSeen): Features =>
  Object.fromEntries(
    Object.entries(asked)
      .filter(([area]) => knownFeatures.includes(area))
      .map(([area, { sign }]) => [area, sign === 'absent' ? 'absent' : 'served']),
  )

/** What the operator declares of areas is not asked. */
export const declaredAreas = (areas: readonly Area[], declared: Features): AreasSeen =>
  Object.fromEntries(
    areas
      .filter((area) => declared[area] !== undefined)
      .map((area) => [area, { sign: declared[area], evidence: 'the profile declares it' }]),
  )
