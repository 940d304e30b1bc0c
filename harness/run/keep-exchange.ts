/** A check keeps part of an exchange until its end: never whole large bodies, and no secret that could not be
 * redacted. */
import type { Redactor } from '../safety/redaction.ts'
import { isBeyondRedaction, type SeenSecret, secretsIn, secretsInText } from '../safety/seen-secrets.ts'
import { type Reply, sizeBounds } from '../vocabulary/index.ts'
import type { WireOutcome } from '../wire/client.ts'
import { jsonOf } from '../wire/json.ts'
import { decoded } from '../wire/reply.ts'
import { keptOf, type RawExchange } from './trace.ts'

/** An exchange that is over. */
export type Sent = Pick<RawExchange, 'number' | 'phase' | 'words' | 'method' | 'body' | 'as'> & {
  readonly outcome: Pick<WireOutcome, 'url' | 'headers' | 'attempts'> & { readonly reply?: Pick<Reply, 'json'> }
}

/** All checks that run at one time share this room for what they keep. */
export class KeptBudget {
  #left: number = sizeBounds.keptForRecords.value

  get left(): number {
    return this.#left
  }

  take(exchanges: readonly RawExchange[]): void {
    for (const exchange of exchanges) this.#left -= bytesIn(exchange)
  }

  giveBack(exchanges: readonly RawExchange[]): void {
    for (const exchange of exchanges) this.#left += bytesIn(exchange)
  }
}

const bytesIn = ({ attempts }: RawExchange): number =>
  attempts.reduce((sum, { body }) => sum + (body?.text.length ?? 0), 0)

/** `earlier` are the exchanges that the check keeps already. */
export function keepExchange(
  sent: Sent,
  redactor: Redactor,
  earlier: readonly RawExchange[],
  shared = new KeptBudget(),
): RawExchange {
  const { outcome, ...told } = sent
  const { url, headers } = outcome
  const isWithheld = learnFrom(sent, redactor)
  const room = isWithheld ? 0 : Math.min(shared.left, roomBeside(earlier))
  const attempts = outcome.attempts.map((attempt) => keptOf(attempt, room))
  const kept = { ...told, url, headers, attempts, ...(isWithheld ? { isWithheld } : {}) }
  shared.take([kept])
  return kept
}

/** Returns how many more bytes of bodies a check may keep. */
function roomBeside(earlier: readonly RawExchange[]): number {
  const kept = earlier.reduce((sum, exchange) => sum + bytesIn(exchange), 0)
  return Math.max(0, sizeBounds.keptForRecord.value - kept)
}

/** Learns the secrets of an exchange; true where it holds some that cannot be looked for, so that its bodies must not be
 * recorded. */
function learnFrom({ body, outcome }: Sent, redactor: Redactor): boolean {
  let isBeyond = false
  const learn = (seen: readonly SeenSecret[]): void => {
    for (const { value, kind } of seen.slice(0, sizeBounds.secretsOfReply.value)) redactor.learn(value, kind)
    isBeyond ||= isBeyondRedaction(seen)
  }
  if (body !== undefined) learn(secretsOf(body))
  const { attempts, reply } = outcome
  if (reply?.json !== undefined) learn(secretsIn(reply.json))
  for (const { bytes, headers } of reply?.json === undefined ? attempts : attempts.slice(0, -1)) {
    const plain = bytes && decoded(bytes, headers?.['content-encoding'])
    if (plain && !('kind' in plain)) learn(secretsOf(plain.toString('utf8')))
  }
  return isBeyond
}

/** The secrets of a body, whether or not it is whole. */
function secretsOf(text: string): readonly SeenSecret[] {
  const json = jsonOf(text)
  return json === undefined ? secretsInText(text) : secretsIn(json)
}
