/** What a check keeps of an exchange until its end: never whole large bodies, and no secret that could not be redacted. */
import type { Redactor } from '../safety/redaction.ts'
import { isBeyondRedaction, type SeenSecret, secretsIn, secretsInText } from '../safety/seen-secrets.ts'
import { type Reply, sizeBounds } from '../vocabulary/index.ts'
import type { WireOutcome } from '../wire/client.ts'
import { jsonOf } from '../wire/json.ts'
import { decoded } from '../wire/reply.ts'
import { keptOf, type RawExchange } from './trace.ts'

/** An exchange that is over. */
export type Sent = Pick<RawExchange, 'phase' | 'words' | 'method' | 'body' | 'as'> & {
  readonly outcome: Pick<WireOutcome, 'url' | 'headers' | 'attempts'> & { readonly reply?: Pick<Reply, 'json'> }
}

/** `earlier` are the exchanges that the check keeps already. */
export function keepExchange(sent: Sent, redactor: Redactor, earlier: readonly RawExchange[]): RawExchange {
  const { outcome, ...told } = sent
  const { url, headers } = outcome
  const isWithheld = learnFrom(sent, redactor)
  const room = isWithheld ? 0 : roomBeside(earlier)
  const attempts = outcome.attempts.map((attempt) => keptOf(attempt, room))
  return { ...told, url, headers, attempts, ...(isWithheld ? { isWithheld } : {}) }
}

/** How many more bytes of bodies a check may keep. */
function roomBeside(earlier: readonly RawExchange[]): number {
  let room: number = sizeBounds.keptForRecord.value
  for (const { attempts } of earlier) for (const { body } of attempts) room -= body?.text.length ?? 0
  return Math.max(0, room)
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
