/** The parts of the page share its data and the view that is shown. */
import type { PackedExchanges, PageData } from '../page-data.ts'
import type { View } from './view.ts'

export interface Page {
  readonly data: PageData
  /** Unpacks them at the first call; rejects in a browser that cannot. */
  exchanges(): Promise<PackedExchanges>
  readonly view: View
  /** Changes parts of the view and the hash with it. */
  go(change: Partial<View>): void
}
