/** Engines are added to the server in two ways. A fixed engine always exists, at one prefix. A mountable engine opens
 * an instance for each mount of its type, at any path. Both have routes, and the state that the routes work on. */
import type { Route, ServerFacts } from './contracts.ts'
import type { Mount, MountKind } from './mounts/mount.ts'
import type { StatePart } from './state/state-part.ts'

/** An instance serves the paths below one prefix. */
export interface EngineInstance {
  /** The paths are relative to the prefix of the instance. */
  readonly routes: readonly Route[]
  /** What the handlers work on. */
  readonly context?: object
  /** Absent if the engine reads and changes only the state of the kernel. */
  readonly state?: StatePart
  /** Lists the names of what callers created, by kind. A run compares them before and after. */
  inventory?(): Readonly<Record<string, readonly string[]>>
  /** After a restart from a state file, returns the function that revokes a lease, made from what the lease saved. */
  revive?(kept: unknown): () => void | Promise<void>
}

/** An engine that exists at one prefix as long as the server runs. */
export interface FixedEngine extends EngineInstance {
  /** The prefix has no slash at its start or end: `sys/policies`. A request goes to the longest matching prefix. */
  readonly prefix: string
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
  /** Returns whether servers of this version and edition know the type. It is known in all of them if this is
   * absent. */
  readonly available?: (facts: ServerFacts) => boolean
  /** Called for each mount. The settings of the mount may change while the instance is open. */
  open(mount: Mount): EngineInstance
}
