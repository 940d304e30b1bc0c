/** What a failed call to the provider tells. */
import { Refusal } from '../../../kernel/http/refusal.ts'

interface Told {
  readonly name?: string
  readonly message?: string
  readonly $metadata?: { readonly httpStatusCode?: number; readonly attempts?: number }
}

const toldBy = (error: unknown): Told => (typeof error === 'object' && error !== null ? error : {})

/** `NoSuchEntity`: error codes without the ending that the SDK gives its classes. */
export const codeOf = (error: unknown): string => (toldBy(error).name ?? '').replace(/Exception$/, '')

export const isCode = (error: unknown, code: string): boolean => codeOf(error) === code

/** The provider refused the first and only attempt: nothing was done. After anything else something may have been. */
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

/** The refusal of a request whose call failed; of a refusal, itself. */
export function refusalOf(error: unknown, doing: string): Refusal {
  if (error instanceof Refusal) return error
  const { message = 'no cause given' } = toldBy(error)
  const code = throttling.has(codeOf(error)) ? 'upstream-throttled' : 'upstream-failed'
  return new Refusal(code, { message: `${doing}: ${codeOf(error)}: ${message}` })
}
