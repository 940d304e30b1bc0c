import type { TokenStore } from './auth/tokens.ts'
import type { FixedEngine, MountableEngine } from './engine.ts'
import type { ResponseStyle } from './http/envelope.ts'
import type { RequestContext } from './http/request-context.ts'
import type { Router } from './http/router.ts'
import type { LeaseStore } from './mounts/leases.ts'
import type { Services } from './services.ts'
import type { SeededRandom } from './state/random.ts'
import type { StatePart } from './state/state-part.ts'

/** Opens the engines of a new namespace and returns the state of its data by part. */
export type OpenNamespace = (kernel: Kernel) => Readonly<Record<string, StatePart>>

/** One step of what is done with a request. It passes the request on, sets its answer, or throws a refusal. */
export type Stage = (request: RequestContext, kernel: Kernel) => void | Promise<void>

/** Everything that the pipeline works with: the services that engines receive, and what only the server itself may
 * use. */
export interface Kernel extends Services {
  readonly mountable: MountableEngine[]
  readonly fixed: FixedEngine[]
  readonly router: Router
  /** The kernel of the namespace above. The root namespace has none. */
  readonly above?: Kernel
  readonly tokenStore: TokenStore
  readonly leaseStore: LeaseStore
  /** Opens the engines of a new namespace. The core sets it. */
  openNamespace: OpenNamespace
  /** What is done with each request, by name and in order. The core sets it. */
  readonly stages: Readonly<Record<string, Stage>>
  readonly style: ResponseStyle
  /** The sources of randomness, in the order in which they are saved. */
  readonly streams: Readonly<Record<'random' | 'requests' | 'noise', SeededRandom>>
}
