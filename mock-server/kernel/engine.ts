/** How engines are laid into the server. A fixed engine is always there, at one prefix; a mountable one is opened once for
 * each mount of its type, at any path. Both are rooms: a table of routes and the state behind them. */
import type { Route, ServerFacts } from './contracts.ts'
import type { Mount, MountKind } from './mounts/mount.ts'
import type { MutantSet } from './mutant-set.ts'
import type { StatePart } from './state/state-part.ts'

export interface EngineInstance {
  /** Below the room's prefix. */
  readonly routes: readonly Route[]
  /** Absent where the room shows and changes only what is the kernel's. */
  readonly state?: StatePart
  /** What of it a caller made, by kind: names that a run can compare before and after. */
  inventory?(): Readonly<Record<string, readonly string[]>>
  /** Makes the revocation of a lease again from what the lease kept, after a restart from a state file. */
  revive?(kept: unknown): () => void | Promise<void>
}

/** An engine that is always there. */
export interface FixedEngine extends EngineInstance {
  /** Without slashes at its ends: `sys/policies`. Where prefixes nest, the longest takes the request. */
  readonly prefix: string
  readonly mutants?: MutantSet
  /** Its state is what callers keep in it, unless it is said to be of this cluster alone: that is neither replicated nor
   * wiped with the rest. */
  readonly scope?: 'this-cluster' | undefined
  /** Ends what would keep running. */
  stop?(): void
}

/** An engine that is there where somebody mounts it. */
export interface MountableEngine {
  readonly type: string
  readonly kind: MountKind
  /** In which versions and editions the type is known. */
  readonly available?: (facts: ServerFacts) => boolean
  readonly mutants?: MutantSet
  /** Called for each mount; the mount's settings may change while the room is open. */
  open(mount: Mount): EngineInstance
}
