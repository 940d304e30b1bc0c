/** These tables decide how requests to be signed are read. */
import { seam } from '../../../kernel/seam.ts'
import type { Request } from '../x509/request.ts'

export const csrReading = {
  /** The signature of a request must be made by its own key. */
  verified: true,
  // Seam: nothing stands in for a text that is not a request.
  instead: seam((_text: string): Request | undefined => undefined),
}
