/** Reads what a failed call to the provider means. */
import { Refusal } from '../../../kernel/http/refusal.ts'

interface Told {
  readonly name?: string
  readonly message?: string
  readonly $metadata?: { readonly httpStatusCode?: number; readonly attempts?: number }
}

const toldBy = (error: unknown): Told => (typeof error === 'object' && error !== null ? error : {})

/** Returns error codes such as `NoSuchEntity`, without the ending that the SDK gives its classes. */
export const codeOf = (error: unknown): string => (toldBy(error).name ?? '').replace(/Exception$/, '')

export const isCode = (error: unknown, code: string): boolean => codeOf(error) === code

/** True if the provider refused the first and only attempt, so that nothing was done. After any other failure something
 * may have been done. */
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

/** Turns the failure of a call into the refusal of the request. Returns a refusal as it is. */
export function refusalOf(error: unknown, doing: string): Refusal {
  if (error instanceof Refusal) return error
  const { message = 'no cause given' } = toldBy(error)
  const code = throttling.has(codeOf(error)) ? 'upstream-throttled' : 'upstream-failed'
  return new Refusal(code, { message: `${doing}: ${codeOf(error)}: ${message}` })
}
