/** Engines are added to the server in two ways. A fixed engine is always there, at one prefix. A mountable engine
 * opens an instance for each mount of its type, at any path. Both have routes and the state behind them. */
import type { Route, ServerFacts } from './contracts.ts'
import type { Mount, MountKind } from './mounts/mount.ts'
import type { MutantSet } from './mutant-set.ts'
import type { StatePart } from './state/state-part.ts'

/** An instance serves the paths below one prefix. */
export interface EngineInstance {
  /** The paths are relative to the prefix of the instance. */
  readonly routes: readonly Route[]
  /** Absent if the engine shows and changes only what belongs to the kernel. */
  readonly state?: StatePart
  /** Lists what callers made, by kind, under names that a run can compare before and after. */
  inventory?(): Readonly<Record<string, readonly string[]>>
  /** Restores the revocation of a lease from what the lease saved, after a restart from a state file. */
  revive?(kept: unknown): () => void | Promise<void>
}

/** An engine at one prefix, from the start of the server to its end. */
export interface FixedEngine extends EngineInstance {
  /** The prefix has no slash at its start or end: `sys/policies`. The longest matching prefix takes a request. */
  readonly prefix: string
  readonly mutants?: MutantSet | undefined
  /** `this-cluster`: the state belongs to this cluster alone, and is neither replicated nor wiped with the data of
   * callers. */
  readonly scope?: 'this-cluster' | undefined
  /** Ends timers and connections. */
  stop?(): void
}

/** A type of engine, which callers mount at paths. */
export interface MountableEngine {
  readonly type: string
  readonly kind: MountKind
  /** Tells in which versions and editions the type is known. */
  readonly available?: (facts: ServerFacts) => boolean
  readonly mutants?: MutantSet | undefined
  /** Called for each mount. The settings of the mount may change while the instance is open. */
  open(mount: Mount): EngineInstance
}
