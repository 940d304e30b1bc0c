import { pathPattern, unnamed } from '../../safety/path-pattern.ts'
import { type Exchange, filled, isObject, type JsonObject, type Scope } from '../../vocabulary/index.ts'
import { mainCluster } from '../clusters.ts'

/** The requests of one check that were served. */
export class ServedRequests {
  /** The bodies of writes, by path. */
  readonly bodies = new Map<string, readonly JsonObject[]>()
  readonly #asked = new Set<string>()

  /** Returns the bodies that were written to a path. */
  of(path: string): readonly JsonObject[] {
    return this.bodies.get(path) ?? []
  }

  remember(path: string, exchange: Exchange, scope: Scope): void {
    const { method, body, cluster } = exchange
    this.#asked.add(onCluster(`${method} ${path}`, cluster))
    // Without a body, a write means the same as with an empty object.
    const whole = filled(body ?? {}, scope)
    if (method === 'POST' && isObject(whole)) this.bodies.set(path, [...this.of(path), whole])
  }

  /** Returns whether such a request was served, whatever it names: another round has other names. */
  has({ asked, cluster }: { readonly asked: string; readonly cluster?: string }): boolean {
    const shape = shapeOf(onCluster(asked, cluster))
    return [...this.#asked].some((one) => shapeOf(one) === shape)
  }
}

const onCluster = (asked: string, cluster = mainCluster): string => `${asked} on ${cluster}`
const shapeOf = (asked: string): string => unnamed(pathPattern(asked)).toLowerCase()
