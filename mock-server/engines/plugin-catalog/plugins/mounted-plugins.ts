/** Finds the registered plugin that a mount runs, and refuses one that must not run. */

import { refuse } from '../../../kernel/http/refusal.ts'
import type { MountKind } from '../../../kernel/mounts/mount.ts'
import type { Container, Plugin } from '../../../kernel/mounts/plugins.ts'
import type { Context } from '../context.ts'
import { types } from '../rules.ts'
import type { Registered } from '../store.ts'
import { containerOf, imageOf } from './plugin-containers.ts'
import { digestOf, fileOf } from './plugin-files.ts'
import { canonical, compareVersions } from './semver.ts'

/** Returns the newest of several versions. A plugin that was registered without a version wins. */
export const newest = (plugins: readonly Registered[]): Registered | undefined =>
  plugins.find(({ version }) => version === '') ?? [...plugins].sort((a, b) => compareVersions(b.version, a.version))[0]

/** Returns the plugin that a mount of a kind runs: that of the version, or else the newest. */
export function pluginFor(
  kind: MountKind,
  name: string,
  version: string | undefined,
  { catalog, rules }: Pick<Context, 'catalog' | 'rules'>,
): Registered | undefined {
  const ofKind = types.filter((type) => rules.mountedAs[type].includes(kind)).flatMap((type) => catalog.ofType(type))
  const ofName = ofKind.filter((plugin) => plugin.name === name)
  return version === undefined ? newest(ofName) : ofName.find((one) => one.version === canonical(version))
}

export async function assertRunnable(plugin: Registered | undefined, context: Context): Promise<Plugin | undefined> {
  if (!plugin) return undefined
  const { name, version } = plugin
  if (plugin.oci_image !== '') return { name, version, container: assertImage(plugin, context) }
  await assertFile(plugin, context)
  return { name, version }
}

function assertImage(plugin: Registered, context: Context): Container {
  const { services } = context
  const name = imageOf(plugin)
  const image = Object.hasOwn(services.pluginImages, name) ? services.pluginImages[name] : undefined
  if (!image) return refuse(`no such image: ${name}`)
  assertSame(image.sha256, plugin, name, context)
  return containerOf(plugin, image)
}

async function assertFile(plugin: Registered, context: Context): Promise<void> {
  const digest = await digestOf(await fileOf(context.services.pluginDirectory, plugin.command))
  assertSame(digest, plugin, plugin.command, context)
}

function assertSame(digest: string, { sha256 }: Registered, what: string, { rules }: Context): void {
  if (!rules.isSameDigest(digest, sha256)) refuse(`checksums did not match: ${what} is not what was registered`)
}
