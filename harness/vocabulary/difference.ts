/** A legal difference: how a correct server may behave differently from the reference server. It is played on the wire,
 * in the same place as a fault, and no check may fail the server because of it. */
import type { Area } from './words.ts'

/** A request on its way to the target. */
export interface WireSent {
  readonly method: string
  /** The path as the URL spells it, including the prefix and excluding the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** A reply on its way back. Header names are in lower case. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export type Pass = (sent: WireSent) => Promise<WireAnswer>

/** Replies to one request; `pass` forwards a request to the real target. */
export type DifferentServer = (sent: WireSent, pass: Pass) => Promise<WireAnswer>

export interface DifferenceParts {
  /** Milliseconds since the epoch. */
  now(): number
  wait(ms: number): Promise<void>
}

/** Checks whose verdict changes under a difference, and why no check could do better. */
export interface Loss {
  /** The address of a check, or a glob. */
  readonly check: string
  /** `fail` is only for the checks of a statement that the difference itself contradicts: a gateway that refuses LIST. */
  readonly verdict: 'fail' | 'not-verified' | 'not-applicable' | 'warn'
  readonly why: string
}

/** The variations of the reference server that are switched on, by name. */
export type VariationChoices = Readonly<Record<string, string | number | boolean>>

/** A cluster of several nodes, and the address at which it is judged. */
export interface SeveralNodes {
  /** What a standby node does with a request. */
  readonly standbys: 'forward' | 'read' | 'redirect'
  /** How long the reads of standby nodes are behind the active node. */
  readonly readLagMs?: number
  /** A load balancer that gives each request to the next node, or one standby node. */
  readonly address: 'balancer' | 'standby'
  /** True if the load balancer answers for the nodes what they answer about themselves. */
  readonly hidesNodes?: boolean
}

export interface Difference {
  readonly id: string
  /** One sentence that says what the server does. */
  readonly says: string
  /** Why that is legal: what the documents leave open, with the number of the reading if there is one. */
  readonly because: string
  /** Absent means all areas. */
  readonly areas?: readonly Area[]
  readonly losses?: readonly Loss[]
  /** Creates a server that differs in this way; called once per check and cluster. */
  readonly open?: (parts: DifferenceParts) => DifferentServer
  /** For a difference that only the reference server itself can show. */
  readonly variation?: VariationChoices
  /** For a difference of a cluster of three nodes. A sample of the checks is judged, each on a cluster of its own. */
  readonly nodes?: SeveralNodes
  /** Seconds by which the server's clock is ahead; negative if it is behind. */
  readonly clockAheadSeconds?: number
  /** True if the difference concerns what a target reports about itself: the facts are then probed again, on servers of
   * the newest version. */
  readonly isProbed?: true
  /** True if the replies take real time, which also passes on the server. Under all other differences, checks use a
   * clock that does not really wait. */
  readonly isSlow?: true
}
