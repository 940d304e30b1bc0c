/** Finds the registered plugin that a mount runs, and refuses one that must not run. */

import { refuse } from '../../../kernel/http/refusal.ts'
import type { MountKind } from '../../../kernel/mounts/mount.ts'
import type { Container, Plugin } from '../../../kernel/mounts/plugins.ts'
import type { Context } from '../context.ts'
import { newest } from '../handlers.ts'
import type { Registered } from '../store.ts'
import { mountKinds, types } from '../tables.ts'
import { containerOf, imageOf } from './plugin-containers.ts'
import { digestOf, fileOf } from './plugin-files.ts'
import { canonical } from './semver.ts'

export async function assertRunnable(
  kind: MountKind,
  name: string,
  version: string | undefined,
  context: Context,
): Promise<Plugin | undefined> {
  const { catalog, tables, services } = context
  const { compares, runs, runsAgain, runsIn, digest, starts, unregistered } = tables()
  const type = types.find((one) => mountKinds[one] === kind)
  const known = [...catalog.all(runs), ...catalog.all(['deleted']).filter(runsAgain)]
  const ofName = known.filter((plugin) => runsIn(plugin, type) && plugin.name === name)
  const wanted = version === undefined ? undefined : canonical(version)
  const plugin = wanted === undefined ? newest(ofName) : ofName.find((one) => one.version === wanted)
  if (!plugin) {
    const builtIn = services.mountable.some((engine) => engine.kind === kind && engine.type === name)
    return unregistered === 'mounted' && !builtIn ? { name, version: '' } : undefined
  }
  const compared = digest === 'compared' && compares(plugin)
  const container = plugin.oci_image === '' ? undefined : assertImage(plugin, compared, context)
  if (compared && !container) await assertFile(plugin, context)
  starts(plugin)
  return { name, version: plugin.version, ...(container ? { container } : {}) }
}

function assertImage(plugin: Registered, compared: boolean, context: Context): Container {
  const { services } = context
  const name = imageOf(plugin)
  const image = Object.hasOwn(services.pluginImages, name) ? services.pluginImages[name] : undefined
  if (!image) return refuse(`no such image: ${name}`)
  if (compared) assertSame(image.sha256, plugin, name, context)
  return containerOf(plugin, image)
}

async function assertFile(plugin: Registered, context: Context): Promise<void> {
  const digest = await digestOf(await fileOf(context.services.pluginDirectory, plugin.command))
  assertSame(digest, plugin, plugin.command, context)
}

function assertSame(digest: string, { sha256 }: Registered, what: string, { tables }: Context): void {
  if (!tables().sameDigest(digest, sha256)) refuse(`checksums did not match: ${what} is not what was registered`)
}
