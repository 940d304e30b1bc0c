/** The data and the current view, which all parts of the page share. */
import type { PackedExchanges, PageData } from '../page-data.ts'
import type { View } from './view.ts'

export interface Page {
  readonly data: PageData
  /** Returns the exchanges and unpacks them at the first call. Rejects if the browser cannot unpack them. */
  exchanges(): Promise<PackedExchanges>
  readonly view: View
  /** Changes parts of the view, and updates the hash. */
  go(change: Partial<View>): void
}
