import type { Redactor } from '../safety/redaction.ts'
import type { RecordedAttempt, RecordedExchange } from '../vocabulary/index.ts'
import type { Attempt } from '../wire/attempt.ts'
import { decoded, isText } from '../wire/reply.ts'

/** One exchange as it happened, unredacted; it stays in memory until its check is over. */
export interface RawExchange {
  readonly phase: RecordedExchange['phase']
  readonly words?: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly as: string
  readonly attempts: readonly Attempt[]
  /** Bodies hold more secrets than can be looked for. */
  readonly isWithheld?: boolean
}

/** Longer bodies are cut in the record; judging sees the whole. */
const longestRecorded = 64 * 1024

const credentialHeaders =
  /^(authorization|cookie|set-cookie|proxy-authorization|x-[a-z-]*token|.*api-?key|.*secret.*)$/i

function headersRecorded(
  headers: Readonly<Record<string, string>>,
  redactor: Redactor,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      redactor.redact(name),
      credentialHeaders.test(name) ? '[redacted:token]' : redactor.redact(value),
    ]),
  )
}

/** Redacted first, cut afterwards: a cut must not leave half a secret. */
function cut(text: string): { text: string; isCut: boolean } {
  return text.length <= longestRecorded
    ? { text, isCut: false }
    : { text: `${text.slice(0, longestRecorded)}… (cut: ${text.length} characters in all)`, isCut: true }
}

const withheld = '[withheld: more secrets than can be redacted one by one]'

function attemptRecorded(attempt: Attempt, redactor: Redactor, isWithheld: boolean): RecordedAttempt {
  const { sentAt, durationMs, status, headers, bytes, trouble } = attempt
  const sent = { sentAt: new Date(sentAt).toISOString(), durationMs: Math.round(durationMs * 1000) / 1000 }
  const failed = trouble ? { trouble: redactor.redact(trouble.words) } : {}
  if (status === undefined) return { ...sent, ...failed }
  const received = bytes ?? Buffer.alloc(0)
  const plain = decoded(received, headers?.['content-encoding'])
  const body = 'kind' in plain ? received : plain
  const readable = isText(body)
  const shown = isWithheld
    ? { text: withheld, isCut: true }
    : cut(redactor.redact(body.toString(readable ? 'utf8' : 'base64')))
  return {
    ...sent,
    status,
    responseHeaders: headersRecorded(headers ?? {}, redactor),
    responseBody: shown.text,
    responseEncoding: readable ? 'utf8' : 'base64',
    responseBytes: received.length,
    ...(shown.isCut || trouble ? { responseCut: true } : {}),
    ...failed,
  }
}

export function exchangeRecorded(raw: RawExchange, redactor: Redactor): RecordedExchange {
  const { phase, words, method, url, headers, body, as, attempts, isWithheld = false } = raw
  return {
    phase,
    ...(words === undefined ? {} : { words: redactor.redact(words) }),
    method,
    url: redactor.redact(url),
    requestHeaders: headersRecorded(headers, redactor),
    ...(body === undefined ? {} : { requestBody: isWithheld ? withheld : cut(redactor.redact(body)).text }),
    as,
    attempts: attempts.map((attempt) => attemptRecorded(attempt, redactor, isWithheld)),
  }
}
