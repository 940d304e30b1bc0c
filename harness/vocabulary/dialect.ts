import type { Exchange, Operations, Reply } from './exchange.ts'
import type { ListSite } from './fault.ts'
import type { Area } from './words.ts'

/** What the code of a dialect can use on one cluster. */
export interface ClusterAccess {
  /** Sent once. Without a token, as nobody; undefined where no reply came. */
  send(exchange: Exchange, token?: string): Promise<Reply | undefined>
  /** Tokens that may work there, likely ones first. */
  readonly tokens: readonly string[]
  /** Sets of key shares, one of which may be the cluster's: joining another cluster changes whose they are. The set that
   * fitted last comes first. */
  readonly keyShares: readonly (readonly string[])[]
  /** This is true if its owner lets everything be done to it: root tokens made, a ceremony of somebody else
   * cancelled. */
  readonly mayBeWiped: boolean
  /** A secret that must not be written anywhere. */
  learn(secret: string): void
  /** A token that was made here, to be revoked in the end. */
  made(token: string): void
  /** These key shares are the cluster's. */
  fitted(shares: readonly string[]): void
  pause(ms: number): Promise<void>
  /** A cluster is given this long to settle, ms. */
  readonly patienceMs: number
}

/** A reply shows this of an area; undefined where it shows nothing. */
export type AreaSign = 'served' | 'absent' | undefined

/** A question about an area, and what the reply shows. `stranger` asks the same of something that no server has: an answer
 * that does not differ from the answer to it shows nothing, or shows that both are unknown. It is asked only where
 * `shows` looks at it. */
export interface AreaQuestion {
  readonly exchange: Exchange
  readonly stranger?: Exchange
  shows(reply: Reply, stranger: () => Promise<Reply | undefined>): AreaSign | Promise<AreaSign>
}

export interface AreaSight {
  /** What is missing where the area is absent, as in "this target has no cloud engine". */
  readonly name: string
  /** Change nothing. The area is absent where every one of them shows that; one that is served is enough. */
  readonly questions: readonly AreaQuestion[]
  /** Asked where the questions do not show that the area is served, and the run may make things: `{probe}` is a throw-away
   * name, and the exchange takes back what it makes. */
  readonly attempt?: AreaQuestion
}

/** This says whether a target has an optional part, and what that was seen by. `sign` undefined: the answers leave it
 * open. */
export interface FeatureSeen {
  readonly sign: AreaSign
  readonly evidence: string
}

/** Finds out which optional parts of an area a target has, on things of its own making: `{probe}` is a throw-away
 * name, and each exchange takes back what it makes. A feature that is not in the answer is left open. `provided` gives
 * what the profile provides, by need. */
export type FeatureSight = (
  send: (exchange: Exchange) => Promise<Reply>,
  provided: (need: string) => unknown,
) => Promise<Readonly<Record<string, FeatureSeen>>>

/** A dialect fills what the documents leave open, for one family of servers. A target that does it another way needs
 * another dialect, not other suites. */
export interface Dialect {
  readonly id: string
  /** Path prefix with a leading slash: `/v1`. */
  readonly prefix: string
  readonly tokenHeader: string
  /** First numbers of the versions that this family has. */
  readonly majors?: readonly number[]
  /** A server of this family says here which product it is; the products are those whose versions are numbered as in
   * the documents. */
  readonly product?: {
    readonly exchange: Exchange
    read(reply: Reply): string | undefined
    readonly numbered: readonly string[]
  }
  /** These functions see the optional parts of an area. */
  readonly features?: Readonly<Partial<Record<Area, FeatureSight>>>
  /** These functions see whether a target has what an area is about; an area that is not named here is taken to be
   * there. */
  readonly areas?: Readonly<Partial<Record<Area, AreaSight>>>
  /** Operations by name. Besides the topic's names, `{run}`
   * is the prefix that all throw-away names of the run share: `assay-<run id>`. */
  readonly operations: Operations
  /** Lists in the requests of operations that older members of the family take as strings only. */
  readonly lists?: readonly ListSite[]
  /** Anything that the operation `inventory` lists is taken back by its name alone, in the order in which kinds have
   * to go: users of a thing first. Of a kind, the ways are tried one after the other until the thing is gone; `{name}`
   * is its name, and `{version}` each version that a reading of `versions` reports of it. */
  readonly removals?: readonly {
    readonly kind: string
    readonly ways: readonly Exchange[]
    readonly versions?: Exchange
  }[]
  /** Below these paths, requests that read never overlap requests that write: some servers would lock up for good. */
  readonly takesTurns?: readonly string[]
  /** An operator's token that works on the cluster now, whatever became of its former ones; a sentence why there is none
   * otherwise. `atOnce` is true if a known token was accepted without a pause. */
  readonly admission?: (
    cluster: ClusterAccess,
  ) => Promise<{ readonly token: string; readonly atOnce?: boolean } | { readonly blocked: string }>
  /** Ways back that take more than one exchange, by name (`restoration` of an undo). Undefined where it was done, else why
   * it was not. */
  readonly restorations?: Readonly<
    Record<string, (cluster: ClusterAccess, path: string) => Promise<string | undefined>>
  >
}
