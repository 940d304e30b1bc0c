/** Describes what runs if a plugin names an image: document 2, Plugin catalog, the notes on `oci_image`. */

import type { Container, PluginImage } from '../../../kernel/mounts/plugins.ts'
import type { Registered } from '../store.ts'
import { tagOf } from './semver.ts'

/** The version is the tag of the image. */
export const imageOf = ({ oci_image, version }: Registered): string =>
  version === '' ? oci_image : `${oci_image}:${tagOf(version)}`

/** Command, arguments and environment are appended to those of the image, which keeps its own. */
export const containerOf = (plugin: Registered, image: PluginImage): Container => ({
  image: imageOf(plugin),
  entrypoint: [...(image.entrypoint ?? []), plugin.command],
  args: [...(image.args ?? []), ...plugin.args],
  env: [...(image.env ?? []), ...plugin.env],
  runtime: plugin.runtime,
})
