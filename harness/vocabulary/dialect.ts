import type { Exchange, Operations, Reply } from './exchange.ts'
import type { ListSite } from './fault.ts'
import type { Area } from './words.ts'

/** What the code of a dialect can use to work on one cluster. */
export interface ClusterAccess {
  /** Sends the exchange once, unauthenticated if no token is given. Resolves to undefined if no reply arrives. */
  send(exchange: Exchange, token?: string): Promise<Reply | undefined>
  /** Tokens that may be valid on the cluster, the likeliest first. */
  readonly tokens: readonly string[]
  /** Sets of key shares, one of which may belong to the cluster. The shares that a cluster needs change when it joins
   * another cluster. The set that worked last comes first. */
  readonly keyShares: readonly (readonly string[])[]
  /** True if the owner of the cluster permits anything to be done to it, such as generating root tokens or cancelling a
   * ceremony that someone else started. */
  readonly mayBeWiped: boolean
  /** Registers a secret for redaction, so that it is not written anywhere. */
  learn(secret: string): void
  /** Registers a token that was created here, so that it is revoked at the end. */
  made(token: string): void
  /** Records that these key shares belong to the cluster. */
  fitted(shares: readonly string[]): void
  pause(ms: number): Promise<void>
  /** Milliseconds that a cluster is given to settle. */
  readonly patienceMs: number
  /** The status of the role to be ended, if nothing can have changed it since it was read. */
  readonly shown?: Reply
}

/** Whether a reply shows that the target has an area; undefined if the reply shows neither. */
export type AreaSign = 'served' | 'absent' | undefined

/** A request that shows whether the target has an area. `stranger` sends the same request for something that no server
 * has: if both replies are alike, the reply shows nothing, or shows that the target knows neither. It is sent only if
 * `shows` calls it. */
export interface AreaQuestion {
  readonly exchange: Exchange
  readonly stranger?: Exchange
  shows(reply: Reply, stranger: () => Promise<Reply | undefined>): AreaSign | Promise<AreaSign>
}

export interface AreaSight {
  /** What is missing if the area is absent, as in "this target has no cloud engine". */
  readonly name: string
  /** Requests that change nothing. The area is absent only if every reply shows so; a single `served` is enough to find
   * it present. */
  readonly questions: readonly AreaQuestion[]
  /** Sent if the questions do not show that the area is served and the run may create things: `{probe}` is a throw-away
   * name, and the exchange has an undo for what it creates. */
  readonly attempt?: AreaQuestion
}

/** Whether a target has an optional part, and the evidence for it. `sign` is undefined if the replies do not show
 * it. */
export interface FeatureSeen {
  readonly sign: AreaSign
  readonly evidence: string
}

/** Finds out which optional parts of an area a target has, using only things that it creates itself: `{probe}` is a
 * throw-away name, and each exchange has an undo. A feature that is missing from the result is undecided. `provided`
 * returns what the profile provides for a need. */
export type FeatureSight = (
  send: (exchange: Exchange) => Promise<Reply>,
  provided: (need: string) => unknown,
) => Promise<Readonly<Record<string, FeatureSeen>>>

/** Fills in what the documents leave open, for one family of servers. A target that works differently needs another
 * dialect, not other suites. */
export interface Dialect {
  readonly id: string
  /** Path prefix with a leading slash: `/v1`. */
  readonly prefix: string
  readonly tokenHeader: string
  readonly majors?: readonly number[]
  /** How to ask a server which product of this family it is. `numbered` lists the products that use the version numbers
   * of the documents. */
  readonly product?: {
    readonly exchange: Exchange
    read(reply: Reply): string | undefined
    readonly numbered: readonly string[]
  }
  /** How to see whether query strings reach a server of this family. `arrived` returns undefined if the reply is of
   * another family. */
  readonly queries?: { readonly exchange: Exchange; arrived(reply: Reply): boolean | undefined }
  /** Functions that detect the optional parts of an area. */
  readonly features?: Readonly<Partial<Record<Area, FeatureSight>>>
  /** How to detect whether a target has an area. An area without an entry is assumed to be present. */
  readonly areas?: Readonly<Partial<Record<Area, AreaSight>>>
  /** The operations by name. Besides the topic's names, their templates may use `{run}`, the prefix that all throw-away
   * names of the run share: `assay-<run id>`. */
  readonly operations: Operations
  /** Lists in the requests of operations that older servers of the family accept only as strings. */
  readonly lists?: readonly ListSite[]
  /** How to remove, by name alone, anything that the operation `inventory` lists. The kinds are in the order in which
   * they must be removed: what uses a thing goes before the thing. The `ways` of a kind are tried one after the other
   * until the thing is gone; `{name}` is its name, and `{version}` each version that the exchange `versions` reports
   * for it. */
  readonly removals?: readonly {
    readonly kind: string
    readonly ways: readonly Exchange[]
    readonly versions?: Exchange
  }[]
  /** Lists of objects whose ids the server chooses. A name in the list bears the name of the run, or a `field` that a
   * read of the object shows. */
  readonly marked?: readonly { readonly list: Exchange; readonly field?: string }[]
  /** What the clusters of this family show about their nodes. */
  readonly nodes?: {
    /** Names the active node. Every node answers it by itself. */
    readonly leader: Exchange
    /** A header that forbids a standby node to send a request on to the active node. */
    readonly unforwarded: Readonly<Record<string, string>>
    /** A header by which a read is answered by the active node alone, as far as servers of the family allow that. */
    readonly atActive: Readonly<Record<string, string>>
    /** Stores a value that only the run uses, and reads it, to see which writes a node knows. `{mark}` is a throw-away
     * name. */
    readonly mark: (value: string) => { readonly write: Exchange; readonly read: Exchange; readonly remove: Exchange }
    /** Returns whether a node has not carried a request out, because it knows no active node. */
    knowsNoActive(reply: Pick<Reply, 'status' | 'text'>): boolean
  }
  /** Paths below which reads never overlap writes, because some servers would deadlock permanently. */
  readonly takesTurns?: readonly string[]
  /** Returns an operator's token that is valid on the cluster now, whatever happened to earlier ones, or a sentence
   * that says why there is no such token. `atOnce` is true if the cluster accepted a known token without a pause. */
  readonly admission?: (
    cluster: ClusterAccess,
  ) => Promise<{ readonly token: string; readonly atOnce?: boolean } | { readonly blocked: string }>
  /** Restorations by name (the field `restoration` of an undo), for what one exchange cannot undo. Each resolves to
   * undefined if it succeeded, and otherwise to the reason why it did not. */
  readonly restorations?: Readonly<
    Record<string, (cluster: ClusterAccess, path: string) => Promise<string | undefined>>
  >
}
