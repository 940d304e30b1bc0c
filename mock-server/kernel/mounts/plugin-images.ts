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
