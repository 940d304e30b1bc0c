/** The engines of a server of which the large ones are loaded when they are first mounted or called, and faults when one is
 * asked for. */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { FixedEngine, MountableEngine } from '../kernel/engine.ts'
import { Refusal } from '../kernel/http/refusal.ts'
import type { Services } from '../kernel/services.ts'
import { type Engines, enginesWith, type LargeEngines } from './list.ts'

/** Returns what the file of this URL exports, at once: a mount that is restored cannot wait. */
export type Load = (file: URL) => unknown

const later =
  (type: string, create: () => LargeEngines['createPki']) =>
  (services: Services): MountableEngine => {
    let engine: MountableEngine | undefined
    const loaded = (): MountableEngine => {
      engine ??= create()(services)
      return engine
    }
    return { type, kind: 'secret', open: (mount) => loaded().open(mount) }
  }

/** Replication is loaded when one of its endpoints is called, another cluster connects, or its state is saved or restored. */
const replicationLater =
  (create: () => LargeEngines['createReplication']): LargeEngines['createReplication'] =>
  (services) => {
    const { extensions } = services
    let engines: readonly FixedEngine[] | undefined
    /** Replaces the extensions below with its own. */
    const loaded = (): readonly FixedEngine[] => {
      engines ??= create()(services)
      return engines
    }
    extensions.clusterTraffic = (...arrived) => {
      loaded()
      extensions.clusterTraffic?.(...arrived)
    }
    extensions.clusterCertificate = () => {
      loaded()
      return extensions.clusterCertificate?.()
    }
    return ['sys/replication', 'sys/replication/dr', 'sys/replication/performance'].map((prefix, index) => ({
      prefix,
      scope: 'this-cluster',
      get routes() {
        return loaded()[index]?.routes ?? []
      },
      get context() {
        return loaded()[index]?.context ?? {}
      },
      state: {
        snapshot: () => loaded()[index]?.state?.snapshot(),
        restore: (saved) => loaded()[index]?.state?.restore(saved),
        reset: () => engines?.[index]?.state?.reset(),
      },
      stop: () => engines?.[index]?.stop?.(),
    }))
  }

/** Returns the engines, on demand where that is possible. */
export async function openEngines(): Promise<Engines> {
  return isOnlyCopy() ? enginesOnDemand(loadNow) : (await import('./index.ts')).engines
}

const require = createRequire(import.meta.url)
const loadNow: Load = (file) => require(fileURLToPath(file))

/** Returns a file beside this one, in a checkout and in the published package. */
const beside = (file: string): URL => new URL(`./${file}${import.meta.url.slice(-3)}`, import.meta.url)

/** Tells whether Node loaded this code as it is. A test runner or a bundler changes it, and what is then loaded on demand
 * would be a second copy, whose classes are not the ones of the first. */
function isOnlyCopy(): boolean {
  try {
    const copy = loadNow(beside('../kernel/http/refusal')) as typeof import('../kernel/http/refusal.ts')
    return copy.Refusal === Refusal
  } catch {
    return false
  }
}

export function enginesOnDemand(load: Load): Engines {
  const loaded = (file: string): unknown => load(beside(file))
  const pki = () => loaded('pki/index') as typeof import('./pki/index.ts')
  const cloud = () => loaded('cloud/index') as typeof import('./cloud/index.ts')
  return enginesWith(
    {
      createPki: later('pki', () => pki().createPki),
      createCloud: later('cloud', () => cloud().createCloud),
      createAws: later('aws', () => cloud().createAws),
      createReplication: replicationLater(
        () => (loaded('replication/index') as typeof import('./replication/index.ts')).createReplication,
      ),
    },
    () => (loaded('../faults/index') as typeof import('../faults/index.ts')).faults,
  )
}
