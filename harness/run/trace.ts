import type { Redactor } from '../safety/redaction.ts'
import { longestSecretForm, type RecordedAttempt, type RecordedExchange, sizeBounds } from '../vocabulary/index.ts'
import type { Attempt } from '../wire/attempt.ts'
import { decoded, isText } from '../wire/reply.ts'
import type { Detail } from './record-budget.ts'

/** One exchange as it happened, unredacted; it stays in memory until its check is over. */
export interface RawExchange {
  /** Its number among all that its check has sent, counted from 0. Absent outside of checks. */
  readonly number?: number
  readonly phase: RecordedExchange['phase']
  readonly words?: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly as: string
  readonly attempts: readonly KeptAttempt[]
  /** Bodies hold more secrets than can be looked for. */
  readonly isWithheld?: boolean
}

/** A body for the record, still unredacted. */
export interface KeptBody {
  /** The beginning of it: enough that no secret is cut where the record ends. */
  readonly text: string
  readonly encoding: 'utf8' | 'base64'
  /** Bytes as received. */
  readonly received: number
  readonly isWhole: boolean
}

export type KeptAttempt = Omit<Attempt, 'bytes' | 'received'> & { readonly body?: KeptBody }

const { recordedBody, recordedText, recordedHeaders } = sizeBounds

const longestKept = recordedBody.value + longestSecretForm

const none = Buffer.alloc(0)

/** What is kept of an attempt for the record, without its whole body. */
export function keptOf({ bytes, received, ...attempt }: Attempt, room = longestKept): KeptAttempt {
  if (attempt.status === undefined) return attempt
  const body = bytes ?? Buffer.alloc(0)
  const plain = decoded(body, attempt.headers?.['content-encoding'])
  const readable = 'kind' in plain ? body : plain
  const encoding = isText(readable) ? 'utf8' : 'base64'
  // With less room, the end of what is kept could stand in the middle of a secret that would be shown.
  const part = readable.length <= room || room >= longestKept ? readable.subarray(0, longestKept) : none
  const isWhole = received === undefined && part.length === readable.length
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

/** Redacted first, cut afterwards: a cut must not leave half a secret. */
function cut(text: string, all = text.length): { text: string; isCut: boolean } {
  return all <= recordedBody.value
    ? { text, isCut: false }
    : { text: `${text.slice(0, recordedBody.value)}… (cut: ${all} characters in all)`, isCut: true }
}

/** The text must be redacted already. */
export const shortened = (text: string): string =>
  text.length <= recordedText.value
    ? text
    : `${text.slice(0, recordedText.value)}… (cut: ${text.length} characters in all)`

export const withheld = '[withheld: more secrets than can be redacted one by one]'
const tooMuch = '[not recorded: the target sent more than the results of a run hold]'

function bodyRecorded({ text, received, isWhole }: KeptBody, redactor: Redactor): { text: string; isCut: boolean } {
  if (isWhole) return cut(redactor.redactTo(text, text.length))
  if (text === '') return { text: tooMuch, isCut: true }
  // Behind this edge, a secret may be cut.
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
  const { phase, words, method, url, headers, body, as, attempts, isWithheld = false } = raw
  const isBrief = detail === 'brief'
  return {
    phase,
    ...(words === undefined ? {} : { words: shortened(redactor.redact(words)) }),
    method,
    url: shortened(redactor.redact(url)),
    requestHeaders: isBrief ? {} : headersRecorded(headers, redactor),
    ...(body === undefined || isBrief ? {} : { requestBody: isWithheld ? withheld : cut(redactor.redact(body)).text }),
    as,
    attempts: attempts.map((attempt) => attemptRecorded(attempt, redactor, isWithheld, detail)),
  }
}
