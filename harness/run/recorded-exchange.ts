/** Keeps an exchange in memory until its check ends, and records it for the result. */
import type { Redactor } from '../redaction/redaction.ts'
import { isBeyondRedaction, type SeenSecret, secretsIn, secretsInText } from '../redaction/seen-secrets.ts'
import {
  longestSecretForm,
  type RecordedAttempt,
  type RecordedExchange,
  type Reply,
  sizeBounds,
  type Verdict,
} from '../vocabulary/index.ts'
import type { Attempt } from '../wire/attempt.ts'
import type { WireOutcome } from '../wire/client.ts'
import { isText, jsonOf } from '../wire/reply.ts'

/** One unredacted exchange; it stays in memory until its check is over. */
export interface RawExchange {
  /** Its number among all exchanges of its check, from 0. Absent outside checks. */
  readonly number?: number
  readonly phase: RecordedExchange['phase']
  readonly words?: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly as: string
  readonly to?: string
  readonly attempts: readonly KeptAttempt[]
  /** True if the bodies hold secrets that cannot all be searched for. */
  readonly isWithheld?: boolean
}

/** An unredacted body to be recorded. */
export interface KeptBody {
  /** The beginning of the body, longer than the recorded part so that no secret is cut at its edge. */
  readonly text: string
  readonly encoding: 'utf8' | 'base64'
  /** The number of bytes received. */
  readonly received: number
  readonly isWhole: boolean
}

export type KeptAttempt = Omit<Attempt, 'bytes' | 'received'> & { readonly body?: KeptBody }

const { recordedBody, recordedText, recordedHeaders } = sizeBounds

const longestKept = recordedBody.value + longestSecretForm

const noBytes = Buffer.alloc(0)

/** Returns an attempt with only the beginning of its body. */
export function keptOf({ bytes, received, ...attempt }: Attempt, room = longestKept): KeptAttempt {
  if (attempt.status === undefined) return attempt
  const body = bytes ?? Buffer.alloc(0)
  const encoding = isText(body) ? 'utf8' : 'base64'
  // A shorter part could end in the middle of a secret and show it, so without enough room nothing is kept.
  const part = body.length <= room || room >= longestKept ? body.subarray(0, longestKept) : noBytes
  const isWhole = received === undefined && part.length === body.length
  return { ...attempt, body: { text: part.toString(encoding), encoding, received: received ?? body.length, isWhole } }
}

const credentialHeaders =
  /^(authorization|cookie|set-cookie|proxy-authorization|x-[a-z-]*token|.*api-?key|.*secret.*)$/i

function headersRecorded(
  headers: Readonly<Record<string, string>>,
  redactor: Redactor,
): Readonly<Record<string, string>> {
  let left: number = recordedHeaders.value
  const recorded: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const isCredential = credentialHeaders.test(name)
    const shown = shortened(redactor.redact(name))
    recorded[shown] = isCredential ? '[redacted:token]' : shortened(redactor.redact(value))
    left -= shown.length + (recorded[shown]?.length ?? 0)
    if (left < 0) return { ...recorded, '…': 'more headers were not recorded' }
  }
  return recorded
}

/** Cuts a redacted text. Cutting comes after redacting, because it could leave half a secret. */
function cut(text: string, all = text.length): { text: string; isCut: boolean } {
  return all <= recordedBody.value
    ? { text, isCut: false }
    : { text: `${text.slice(0, recordedBody.value)}… (cut: ${all} characters in all)`, isCut: true }
}

/** Cuts a text, which must already be redacted. */
export const shortened = (text: string): string =>
  text.length <= recordedText.value
    ? text
    : `${text.slice(0, recordedText.value)}… (cut: ${text.length} characters in all)`

export const withheld = '[withheld: more secrets than can be redacted one by one]'
const tooMuch = '[not recorded: it is larger than a result can hold, or could not be decoded]'

function bodyRecorded({ text, received, isWhole }: KeptBody, redactor: Redactor): { text: string; isCut: boolean } {
  if (isWhole) return cut(redactor.redactTo(text, text.length))
  if (text === '') return { text: tooMuch, isCut: true }
  // Beyond this edge, a secret may be incomplete.
  const redacted = redactor.redactTo(text, Math.max(0, text.length - longestSecretForm))
  return { text: `${redacted.slice(0, recordedBody.value)}… (cut: ${received} bytes in all)`, isCut: true }
}

function attemptRecorded(kept: KeptAttempt, redactor: Redactor, isWithheld: boolean, detail: Detail): RecordedAttempt {
  const { sentAt, durationMs, status, headers, body, trouble } = kept
  const sent = { sentAt: new Date(sentAt).toISOString(), durationMs: Math.round(durationMs * 1000) / 1000 }
  const failed = trouble ? { trouble: shortened(redactor.redact(trouble.words)) } : {}
  if (status === undefined || !body) return { ...sent, ...failed }
  const shown =
    detail === 'brief' && body.received > 0
      ? { text: tooMuch, isCut: true }
      : isWithheld
        ? { text: withheld, isCut: true }
        : bodyRecorded(body, redactor)
  return {
    ...sent,
    status,
    responseHeaders: detail === 'brief' ? {} : headersRecorded(headers ?? {}, redactor),
    responseBody: shown.text,
    responseEncoding: body.encoding,
    responseBytes: body.received,
    ...(shown.isCut || trouble ? { responseCut: true } : {}),
    ...failed,
  }
}

export function exchangeRecorded(
  raw: RawExchange,
  redactor: Redactor,
  detail: Exclude<Detail, 'none'> = 'full',
): RecordedExchange {
  const { phase, words, method, url, headers, body, as, to, attempts, isWithheld = false } = raw
  const isBrief = detail === 'brief'
  return {
    phase,
    ...(words === undefined ? {} : { words: shortened(redactor.redact(words)) }),
    method,
    url: shortened(redactor.redact(url)),
    requestHeaders: isBrief ? {} : headersRecorded(headers, redactor),
    ...(body === undefined || isBrief ? {} : { requestBody: isWithheld ? withheld : cut(redactor.redact(body)).text }),
    as,
    ...(to === undefined ? {} : { to }),
    attempts: attempts.map((attempt) => attemptRecorded(attempt, redactor, isWithheld, detail)),
  }
}

/** How much of an exchange is recorded: everything, only status and sizes, or nothing. */
export type Detail = 'full' | 'brief' | 'none'

const { recordedRun, recordedReserve, recordedBrief } = sizeBounds

/** Limits the size of the exchanges in the results of a run: a target that sends much would otherwise fill memory and
 * reports. */
export class RecordBudget {
  #full: number = recordedRun.value
  #reserve: number = recordedReserve.value
  #brief: number = recordedBrief.value

  /** Returns how the next exchange of a check with this verdict is recorded. */
  detailFor(verdict: Verdict): Detail {
    if (this.#full > 0 || (verdict !== 'pass' && this.#reserve > 0)) return 'full'
    return this.#brief > 0 ? 'brief' : 'none'
  }

  spend(detail: Detail, characters: number): void {
    if (detail === 'none') return
    if (detail === 'brief') this.#brief -= characters
    else if (this.#full > 0) this.#full -= characters
    else this.#reserve -= characters
  }
}

/** An exchange that has ended. */
export type Sent = Pick<RawExchange, 'number' | 'phase' | 'words' | 'method' | 'body' | 'as' | 'to'> & {
  readonly outcome: Pick<WireOutcome, 'url' | 'headers' | 'attempts'> & { readonly reply?: Pick<Reply, 'json'> }
}

/** The memory for bodies that all running checks share. */
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

/** Keeps an exchange without large bodies and without secrets that cannot be redacted. `earlier`: the exchanges that
 * the check already keeps. */
export function keepExchange(
  sent: Sent,
  redactor: Redactor,
  earlier: readonly RawExchange[],
  shared = new KeptBudget(),
): RawExchange {
  const { outcome, ...about } = sent
  const { url, headers } = outcome
  const isWithheld = learnFrom(sent, redactor)
  const room = isWithheld ? 0 : Math.min(shared.left, roomBeside(earlier))
  const attempts = outcome.attempts.map((attempt) => keptOf(attempt, room))
  const kept = { ...about, url, headers, attempts, ...(isWithheld ? { isWithheld } : {}) }
  shared.take([kept])
  return kept
}

/** Returns how many more bytes of bodies a check may keep. */
function roomBeside(earlier: readonly RawExchange[]): number {
  const kept = earlier.reduce((sum, exchange) => sum + bytesIn(exchange), 0)
  return Math.max(0, sizeBounds.keptForRecord.value - kept)
}

/** Learns the secrets of an exchange. Returns true if it holds some that cannot be searched for, so that its bodies
 * must not be recorded. */
function learnFrom({ body, outcome }: Sent, redactor: Redactor): boolean {
  let isBeyond = false
  const learn = (seen: readonly SeenSecret[]): void => {
    for (const { value, kind } of seen.slice(0, sizeBounds.secretsOfReply.value)) redactor.learn(value, kind)
    isBeyond ||= isBeyondRedaction(seen)
  }
  if (body !== undefined) learn(secretsOf(body))
  const { attempts, reply } = outcome
  if (reply?.json !== undefined) learn(secretsIn(reply.json))
  for (const { bytes } of reply?.json === undefined ? attempts : attempts.slice(0, -1))
    if (bytes) learn(secretsOf(bytes.toString('utf8')))
  return isBeyond
}

/** Returns the secrets of a body, which may be incomplete. */
function secretsOf(text: string): readonly SeenSecret[] {
  const json = jsonOf(text)
  return json === undefined ? secretsInText(text) : secretsIn(json)
}
