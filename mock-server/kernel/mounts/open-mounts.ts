import type { MountableEngine } from '../engine.ts'
import type { Router } from '../http/router.ts'
import type { Mount } from './mount.ts'
import { createMounts, type Mounts } from './mounts.ts'
import { pluginEngine } from './plugin-engine.ts'

/** Makes the mounts of a namespace. Its router passes requests to their engines. */
export const openMounts = (router: Router, mountable: readonly MountableEngine[]): Mounts =>
  createMounts({
    open: (mount) => (mount.plugin ? pluginEngine(mount.plugin) : typeOf(mount, mountable).open(mount)),
    set: (prefix, engine) => router.set(prefix, engine),
    delete: (prefix) => router.delete(prefix),
  })

function typeOf({ kind, type, path }: Mount, types: readonly MountableEngine[]): MountableEngine {
  const found = types.find((engine) => engine.kind === kind && engine.type === type)
  if (!found) throw new Error(`no engine of type ${type} for ${path}`)
  return found
}
