/** A legal difference: what a correct server may do otherwise than the reference server does. It is played on the wire, in
 * the same place as a fault, and no check may blame the server for it. */
import type { Area } from './words.ts'

/** A request on its way to the target. */
export interface WireSent {
  readonly method: string
  /** With the prefix, without the query, as the URL spells it. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** A reply on its way back. Names of headers are in lower case. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export type Pass = (sent: WireSent) => Promise<WireAnswer>

/** Answers one request; `pass` asks the real target. */
export type DifferentServer = (sent: WireSent, pass: Pass) => Promise<WireAnswer>

export interface DifferenceParts {
  /** Milliseconds since the epoch. */
  now(): number
  wait(ms: number): Promise<void>
}

/** Checks that have another verdict under a difference, and why no check could do better. */
export interface Loss {
  /** The address of a check, or a glob. */
  readonly check: string
  readonly verdict: 'not-verified' | 'not-applicable' | 'warn'
  readonly why: string
}

/** What the reference server itself does otherwise, by the names of its variations. */
export type VariationChoices = Readonly<Record<string, string | number | boolean>>

export interface Difference {
  /** Kebab-case. */
  readonly id: string
  /** What the server does, in one sentence. */
  readonly says: string
  /** That is legal for this reason: what the documents leave open, with the number of the reading where there is
   * one. */
  readonly because: string
  /** Absent: all. */
  readonly areas?: readonly Area[]
  readonly losses?: readonly Loss[]
  /** A server that differs so; one for each check and cluster. */
  readonly open?: (parts: DifferenceParts) => DifferentServer
  /** Differences that only the reference server itself can show. */
  readonly variation?: VariationChoices
  /** Its clock is this far ahead; negative where it is behind. */
  readonly clockAheadSeconds?: number
  /** It is about what a target tells of itself: the facts are read anew, on servers of the newest version. */
  readonly isProbed?: true
  /** Its replies take real time, which passes on the server too. Under any other, checks spend time by a clock that
   * does not really wait. */
  readonly isSlow?: true
}
