import type { Exchange, Reply } from './exchange.ts'

/** One cluster, for what a dialect does there in code. */
export interface ClusterPlace {
  /** Sent once. Without a token, as nobody; undefined where no reply came. */
  send(exchange: Exchange, token?: string): Promise<Reply | undefined>
  /** Tokens that may work there, likely ones first. */
  readonly tokens: readonly string[]
  /** Sets of key shares, one of which may be the cluster's: joining another cluster changes whose they are. */
  readonly keyShares: readonly (readonly string[])[]
  /** Whether its owner lets everything be done to it: root tokens made, a ceremony of somebody else cancelled. */
  readonly mayBeWiped: boolean
  /** A secret that must not be written anywhere. */
  learn(secret: string): void
  /** A token that was made here, to be revoked in the end. */
  made(token: string): void
  pause(ms: number): Promise<void>
  /** How long to wait for a cluster to settle, ms. */
  readonly patienceMs: number
}

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
  /** How to see such a shape by asking, by subject: a question that changes nothing, and what its reply shows beside that
   * to `stranger`, a path that no server has; undefined where it shows nothing. */
  readonly shapes?: Readonly<
    Record<
      string,
      {
        readonly exchange: Exchange
        readonly stranger: Exchange
        readonly shapeIn: (reply: Reply, stranger: Reply | undefined) => string | undefined
      }
    >
  >
  /** Operations by name; the arguments are those of the makers in `suites/given.ts`. Besides the topic's names, `{run}`
   * is the prefix that all throw-away names of the run share: `assay-<run id>`. */
  readonly operations: Readonly<Record<string, (args: Readonly<Record<string, unknown>>) => Performance>>
  /** An operator's token that works on the cluster now, whatever became of its former ones; a sentence why there is none
   * otherwise. */
  readonly admission?: (place: ClusterPlace) => Promise<{ readonly token: string } | { readonly blocked: string }>
  /** Ways back that take more than one exchange, by name (`restoration` of an undo). Undefined where it was done, else why
   * it was not. */
  readonly restorations?: Readonly<Record<string, (place: ClusterPlace, path: string) => Promise<string | undefined>>>
}
