/** These rules decide how certificate requests are read. */

import { seam } from '../../../kernel/seam.ts'
import type { Request } from '../x509/request.ts'

export const csrReading = {
  /** The signature of a request must be made by its own key. */
  verified: true,
  // Seam: a text that is not a certificate request is not replaced by one.
  instead: seam((_text: string): Request | undefined => undefined),
}
