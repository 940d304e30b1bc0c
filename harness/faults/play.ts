/** The types that fault operators work with: one request under a fault, and the state between requests. */
import type { Json, JsonObject, WireFault } from '../vocabulary/index.ts'
import type { WireOutcome, WireRequest } from '../wire/client.ts'
import type { Recorded } from './recorder.ts'

/** What a fault operator needs to handle one request at the site. */
export interface Play {
  readonly fault: WireFault
  readonly request: WireRequest
  /** The JSON body. Undefined if it is absent or not an object. */
  readonly body: JsonObject | undefined
  /** True if the unchanged server served this request, or never got it. */
  readonly isServed: boolean
  /** Returns the reply of the unchanged server to this request, with the throw-away names of this run. */
  readonly usual: (() => WireOutcome) | undefined
  readonly all: readonly Recorded[]
  readonly state: PlayState
  mayTouch(path: string): boolean
  next(request?: WireRequest): Promise<WireOutcome>
  asOperator(request: Pick<WireRequest, 'method' | 'path' | 'query' | 'body'>): Promise<WireOutcome>
  /** Sends a valid version of the request. Resolves with undefined if none is known. */
  doneRight(): Promise<WireOutcome | undefined>
  /** Fields in which the request differs from its twin or, if it has none here, from the last request that was
   * served. */
  readonly differs: ReadonlySet<string>
  /** True if the caller is that of the twin, or the operator if there is no twin. A valid request of this caller is
   * served. */
  readonly isByRightCaller: boolean
  /** True if the twin is about another object. */
  readonly isTwinOfAnother: boolean
}

/** The state of a faulty server between the requests of one check. */
export interface PlayState {
  /** The bodies of writes at the site, by path. */
  readonly written: Map<string, string | undefined>
  /** Paths of objects that exist but are hidden from readers. */
  readonly hidden: Set<string>
  /** The outcomes that readers show, by path. */
  readonly shown: Map<string, WireOutcome>
  readonly secrets: string[]
  /** The value of each field in the last request at the site that was served with it. */
  readonly given: Map<string, Json>
  /** Texts in replies to writes, among them ids that the server generated. */
  readonly made: Set<string>
  /** All values of a field in requests of the check, at the site and elsewhere. */
  readonly values: Map<string, Set<string>>
  /** The headers of the last caller that was served at the site. */
  caller: Readonly<Record<string, string>> | undefined
  /** The common prefix of the throw-away names of this check. */
  prefix: string | undefined
  /** The number of requests at the site. */
  seen: number
}

/** What a fault operator needs to handle a request that is not at the site. */
export interface Aside {
  readonly fault: WireFault
  readonly request: WireRequest
  readonly state: PlayState
  next(): Promise<WireOutcome>
  ask(path: string, method: string): Promise<WireOutcome>
}
