/** One request under a fault: what the operators of faults are given, and what they remember. */
import type { Json, JsonObject, WireFault } from '../vocabulary/index.ts'
import type { WireOutcome, WireRequest } from '../wire/client.ts'
import type { Recorded } from './recorder.ts'

/** A play holds what a fault needs to deal with one request. */
export interface Play {
  readonly fault: WireFault
  readonly request: WireRequest
  /** The JSON body; undefined where there is none that is an object. */
  readonly body: JsonObject | undefined
  /** This is true if the unchanged server served this request. */
  readonly isServed: boolean
  /** What the unchanged server answered, with the names of this run. */
  readonly usual: (() => WireOutcome) | undefined
  readonly all: readonly Recorded[]
  readonly state: PlayState
  mayTouch(path: string): boolean
  next(request?: WireRequest): Promise<WireOutcome>
  asOperator(request: Pick<WireRequest, 'method' | 'path' | 'query' | 'body'>): Promise<WireOutcome>
  /** The request as it should have been, done with the operator's rights. Undefined where nobody knows how. */
  doneRight(): Promise<WireOutcome | undefined>
  /** Fields in which the request differs from its positive twin, or else from what was served before. */
  readonly differs: ReadonlySet<string>
  /** The same caller, or the operator where there is no twin, is served if the request is as it should be. */
  readonly isByRightCaller: boolean
  /** The positive twin is about another object. */
  readonly isTwinOfAnother: boolean
}

/** A faulty server remembers this between the requests of one check. */
export interface PlayState {
  /** Paths at the site that were written, with their bodies. */
  readonly written: Map<string, string | undefined>
  /** Paths that are hidden although they are there. */
  readonly hidden: Set<string>
  /** Readers are made to show these outcomes. */
  readonly shown: Map<string, WireOutcome>
  readonly secrets: string[]
  /** What served requests at the site gave last, by field. */
  readonly given: Map<string, Json>
  /** Texts in replies to what was written: ids that the server gave. */
  readonly made: Set<string>
  /** Every value that requests of the check gave a field, wherever. */
  readonly values: Map<string, Set<string>>
  /** The headers of the last caller that was served at the site. */
  caller: Readonly<Record<string, string>> | undefined
  /** The throw-away names of this check begin with this. */
  prefix: string | undefined
  /** The site has got this many requests. */
  seen: number
}

/** An aside holds what a fault needs to deal with requests at other places of the same object. */
export interface Aside {
  readonly fault: WireFault
  readonly request: WireRequest
  readonly state: PlayState
  next(): Promise<WireOutcome>
  ask(path: string, method: string): Promise<WireOutcome>
}
