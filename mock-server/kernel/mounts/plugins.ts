/** What registered plugins run, and the images that some of them run from. */

/** What a plugin from an image is started with. */
export interface Container {
  readonly image: string
  readonly entrypoint: readonly string[]
  readonly args: readonly string[]
  readonly env: readonly string[]
  /** Empty for the usual one. */
  readonly runtime: string
}

/** What a mount of a registered type runs. */
export interface Plugin {
  readonly name: string
  /** Empty for one that was registered without. */
  readonly version: string
  readonly container?: Container
}

/** A container image that plugins may run from. */
export interface PluginImage {
  /** Its digest, hexadecimal. */
  readonly sha256: string
  readonly entrypoint?: readonly string[]
  readonly args?: readonly string[]
  /** `key=value` */
  readonly env?: readonly string[]
}

/** By name and tag: `registry.example/plugin:1.2.3`. */
export type PluginImages = Readonly<Record<string, PluginImage>>
