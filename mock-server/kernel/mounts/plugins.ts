/** Describes registered plugins, and the container images that some of them run from. */

/** The values with which a plugin in a container would be started. */
export interface Container {
  readonly image: string
  readonly entrypoint: readonly string[]
  readonly args: readonly string[]
  readonly env: readonly string[]
  /** Empty for the default runtime. */
  readonly runtime: string
}

/** The plugin behind a mount whose type was registered. */
export interface Plugin {
  readonly name: string
  /** Empty for a plugin that was registered without a version. */
  readonly version: string
  readonly container?: Container
}

/** A container image that plugins may run from. */
export interface PluginImage {
  /** The digest of the image, in hexadecimal. */
  readonly sha256: string
  readonly entrypoint?: readonly string[]
  readonly args?: readonly string[]
  /** Each entry is `key=value`. */
  readonly env?: readonly string[]
}

/** The images by name and tag, such as `registry.example/plugin:1.2.3`. */
export type PluginImages = Readonly<Record<string, PluginImage>>
