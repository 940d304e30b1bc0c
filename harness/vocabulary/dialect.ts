import type { Exchange } from './exchange.ts'

/** What an operation of a dialect comes to: exchanges in order, and values that are known without asking. */
export interface Performance {
  readonly exchanges: readonly Exchange[]
  readonly values?: Readonly<Record<string, string>>
  /** Names among `values` whose values are secrets. */
  readonly secrets?: readonly string[]
}

/** How one family of servers fills what the documents leave open. A target that does it another way needs another
 * dialect, not other suites. */
export interface Dialect {
  readonly id: string
  /** Path prefix with a leading slash: `/v1`. */
  readonly prefix: string
  readonly tokenHeader: string
  /** Which shapes of an API this family has in a version, where the documents name no version: by subject, such as
   * `{ 'mfa-identity': 'served' }`. */
  readonly formsOf?: (version: string) => Readonly<Record<string, string>>
  /** Operations by name; the arguments are those of the makers in `suites/given.ts`. Besides the topic's names, `{run}`
   * is the prefix that all throw-away names of the run share: `assay-<run id>`. */
  readonly operations: Readonly<Record<string, (args: Readonly<Record<string, unknown>>) => Performance>>
}
