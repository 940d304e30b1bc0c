/** Interprets failed calls to the provider. */
import { Refusal } from '../../../kernel/http/refusal.ts'

interface Told {
  readonly name?: string
  readonly message?: string
  readonly $metadata?: { readonly httpStatusCode?: number; readonly attempts?: number }
}

const toldBy = (error: unknown): Told => (typeof error === 'object' && error !== null ? error : {})

/** Returns the error code, such as `NoSuchEntity`, without the suffix `Exception` of the SDK's classes. */
export const codeOf = (error: unknown): string => (toldBy(error).name ?? '').replace(/Exception$/, '')

export const isCode = (error: unknown, code: string): boolean => codeOf(error) === code

/** Returns whether the provider refused the first and only attempt, so that nothing was changed. After any other
 * failure something may have changed. */
export function isCertain(error: unknown): boolean {
  const { httpStatusCode = 0, attempts = 1 } = toldBy(error).$metadata ?? {}
  return attempts === 1 && httpStatusCode >= 400 && httpStatusCode < 500
}

const throttling: ReadonlySet<string> = new Set([
  'Throttling',
  'ThrottledException',
  'TooManyRequests',
  'RequestLimitExceeded',
])

/** Turns the failure of a call into a refusal of the request. A refusal is returned unchanged. */
export function refusalOf(error: unknown, doing: string): Refusal {
  if (error instanceof Refusal) return error
  const { message = 'no cause given' } = toldBy(error)
  const code = throttling.has(codeOf(error)) ? 'upstream-throttled' : 'upstream-failed'
  return new Refusal(code, { message: `${doing}: ${codeOf(error)}: ${message}` })
}
