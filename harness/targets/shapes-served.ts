/** Which shapes of an API a target has, seen by asking where the documents name no version. */
import type { Dialect, Exchange } from '../vocabulary/index.ts'
import type { WireOutcome } from '../wire/client.ts'

export interface ShapesSeen {
  /** By subject. */
  readonly forms: Readonly<Record<string, string>>
  /** What each was seen from. */
  readonly evidence: Readonly<Record<string, string>>
}

/** Asks for the given subjects only, and changes nothing. A subject about which the answer says nothing is left out. */
export async function shapesServed(
  dialect: Dialect,
  subjects: readonly string[],
  ask: (exchange: Exchange) => Promise<WireOutcome>,
): Promise<ShapesSeen> {
  const forms: Record<string, string> = {}
  const evidence: Record<string, string> = {}
  for (const subject of subjects) {
    const probe = dialect.shapes?.[subject]
    if (!probe) continue
    const { reply } = await ask(probe.exchange)
    const shape = reply && probe.shapeIn(reply, (await ask(probe.stranger)).reply)
    if (!shape) continue
    forms[subject] = shape
    evidence[formFact(subject)] = `${probe.exchange.method} ${probe.exchange.path} answered ${reply.status}`
  }
  return { forms, evidence }
}

/** Under which name the evidence for the form of a subject is kept. */
export const formFact = (subject: string): string => `form of ${subject}`
