/** The rules of the plugin catalog: document 2, Plugin catalog. */
import type { MountKind } from '../../kernel/mounts/mount.ts'
import { isSemantic } from './plugins/semver.ts'
import type { Field, Fields } from './store.ts'

export const types = ['auth', 'database', 'secret'] as const
export type PluginType = (typeof types)[number]

export const forms = ['older', 'newer'] as const
export type Form = (typeof forms)[number]

export interface FieldRule<Name extends Field> {
  /** A registration that leaves the field out is refused, or gets this default. */
  readonly absent: 'refused' | { readonly value: Fields[Name] }
  /** The forms of the API that have the field. */
  readonly forms: readonly Form[]
}

export interface CatalogRules {
  readonly fields: { readonly [Name in Field]: FieldRule<Name> }
  readonly isType: (word: string) => boolean
  readonly isVersion: (text: string) => boolean
  /** The kinds of mounts that run plugins of each type. Databases are not mounted: an engine connects to them. */
  readonly mountedAs: Readonly<Record<PluginType, readonly MountKind[]>>
  readonly isSameDigest: (digest: string, registered: string) => boolean
}

export const isType = (word: string): word is PluginType => types.some((type) => type === word)

const none: readonly string[] = []
export const catalogRules: CatalogRules = {
  fields: {
    version: { absent: { value: '' }, forms },
    sha256: { absent: 'refused', forms },
    command: { absent: 'refused', forms },
    args: { absent: { value: none }, forms },
    env: { absent: { value: none }, forms },
    oci_image: { absent: { value: '' }, forms: ['newer'] },
    runtime: { absent: { value: '' }, forms: ['newer'] },
  },
  isType,
  isVersion: isSemantic,
  mountedAs: { auth: ['auth'], database: [], secret: ['secret'] },
  isSameDigest: (digest, registered) => digest.toLowerCase() === registered.toLowerCase(),
}
