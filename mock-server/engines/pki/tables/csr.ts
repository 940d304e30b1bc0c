/** How requests to be signed are taken. */
import type { Request } from '../x509/request.ts'

export const csrReading = {
  /** The signature of a request must be made by its own key. */
  verified: true,
  /** What stands in for a text that is no request. */
  instead: (_text: string): Request | undefined => undefined,
}
