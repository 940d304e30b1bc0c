/** The rules of the plugin catalog: document 2, Plugin catalog. */

import type { Route } from '../../kernel/contracts.ts'
import type { MountKind } from '../../kernel/mounts/mount.ts'
import { seam } from '../../kernel/seam.ts'
import { canonical, isSemantic } from './plugins/semver.ts'
import type { Catalog, Field, Fields, Registered, State } from './store.ts'

export const types = ['auth', 'database', 'secret'] as const
export type PluginType = (typeof types)[number]

export const forms = ['older', 'newer'] as const
export type Form = (typeof forms)[number]

export interface FieldRule<Name extends Field> {
  /** A registration that leaves the field out is refused, or gets this default. */
  readonly absent: 'refused' | { readonly value: Fields[Name] }
  /** Returns the value that is stored. */
  readonly keep: (value: Fields[Name]) => Fields[Name]
  /** A plugin that exists already is replaced, or kept. */
  readonly update: 'replaced' | 'kept'
  readonly forms: readonly Form[]
  /** Returns the value that GET shows, or undefined to leave the field out. */
  readonly shown: (value: Fields[Name]) => Fields[Name] | undefined
}

/** This rule says which plugins a list names. */
export interface ListRule {
  readonly states: readonly State[]
  readonly types: readonly string[]
  /** Returns whether the list names a plugin of these states and types. */
  readonly names: (plugin: Registered, deleted: readonly Registered[]) => boolean
  /** The maximum number of plugins that the list names. */
  readonly most: number
}

export interface CatalogTables {
  readonly fields: { readonly [Name in Field]: FieldRule<Name> }
  readonly access: Readonly<Record<'register' | 'read' | 'delete', Route['access']>>
  /** Returns whether a request is exempt from the access that `access` requires. */
  readonly spared: (asked: {
    readonly operation: 'register' | 'read' | 'delete'
    readonly name: string
    readonly type: string
    readonly version: string
    readonly registersAgain: boolean
  }) => boolean
  /** A type other than the three is refused, or accepted. */
  readonly otherTypes: 'refused' | 'taken'
  /** Returns the name of the plugin that a request is about. Only a registration has a body. */
  readonly name: (fromUrl: string, fromBody: unknown) => string
  /** Returns the type of the plugin that a request is about. */
  readonly type: (fromUrl: string, fromBody: unknown) => string
  /** Returns the name that GET shows; `shownType` returns the type. */
  readonly shownName: (name: string) => string
  readonly shownType: (type: string) => string
  readonly isVersion: (text: string) => boolean
  readonly storedVersion: (text: string) => string
  /** Returns whether a command is accepted although it leaves the plugin directory. */
  readonly takenOutside: (command: string) => boolean
  /** A command with arguments is refused, or accepted, if `args` has arguments as well. */
  readonly argumentsTwice: 'refused' | 'taken'
  readonly refusedWrite: 'forgotten' | 'stored' | 'removes'
  /** A registration that arrives during another one is stored, or dropped. */
  readonly simultaneous: 'stored' | 'dropped'
  /** A registration of an image may leave these fields out. */
  readonly optionalForImages: readonly Field[]
  /** Returns whether a registration may leave a required field out, by its type and version. */
  readonly optionalFor: (field: Field, type: string, version: string) => boolean
  /** Returns the plugin that a registration stores, or undefined to store nothing. */
  readonly registers: (catalog: Catalog, plugin: Registered) => Registered | undefined
  /** The other plugins of the same name that a registration changes: those of these types, and those of other
   * versions. */
  readonly registrationReaches: {
    readonly types: readonly PluginType[]
    readonly otherVersions: 'kept' | 'dropped' | 'changed'
  }
  /** A deletion removes these plugins of that name. */
  readonly deletionTakes: {
    /** `every-by-version`: of every type if the request names a version, or else of its own type. */
    readonly types: 'own' | 'every' | 'every-by-version'
    readonly version: 'asked' | 'none' | 'every' | 'newest-unless-asked'
    /** Returns the version that is removed, from the one in the request. */
    readonly asked: (version: string) => string
    readonly names: (asked: string, name: string) => boolean
    readonly answer: 'done' | 'refused'
    /** Returns the plugins that are removed, from those that a request names and all registered ones. */
    readonly also: (
      named: readonly Registered[],
      all: readonly Registered[],
      asked: Pick<Registered, 'type' | 'name' | 'version'>,
    ) => readonly Registered[]
  }
  /** The plugins of a type that GET may find. `find` receives them sorted by name and version. */
  readonly readable: (type: string) => readonly State[]
  /** GET searches only the requested type, or also the other types if the requested type has no such plugin. */
  readonly readTypes: 'own' | 'every'
  readonly find: (plugins: readonly Registered[], name: string, version: string) => Registered | undefined
  /** LIST names these plugins in `keys`. */
  readonly listed: Readonly<Record<PluginType, ListRule>>
  /** GET of the catalog shows these plugins under each type. */
  readonly catalog: Readonly<Record<PluginType, ListRule>>
  /** Mounts may run plugins in these states. */
  readonly runs: readonly State[]
  /** Returns whether a plugin runs in a mount of that kind. */
  readonly runsIn: (plugin: Registered, type: PluginType | undefined) => boolean
  /** Returns whether a deleted plugin still runs. */
  readonly runsAgain: (plugin: Registered) => boolean
  readonly digest: 'compared' | 'ignored'
  /** Returns whether the digest of this plugin is compared. It is only called if `digest` is `compared`. */
  readonly compares: (plugin: Registered) => boolean
  /** Called when a mount runs a plugin. */
  readonly starts: (plugin: Registered) => void
  readonly sameDigest: (digest: string, registered: string) => boolean
  /** A mount whose type is neither registered nor built in is refused, or mounted. */
  readonly unregistered: 'refused' | 'mounted'
}

/** The kind of mount that runs plugins of each type. Databases are not mounted: an engine connects to them. */
export const mountKinds: Readonly<Record<PluginType, MountKind | undefined>> = {
  auth: 'auth',
  database: undefined,
  secret: 'secret',
}

const rule = <Value>(absent: 'refused' | { readonly value: Value }, inForms: readonly Form[] = forms) => ({
  absent,
  update: 'replaced' as const,
  forms: inForms,
  // Seams: a field is stored and shown unchanged.
  keep: seam((value: Value): Value => value),
  shown: seam((value: Value): Value | undefined => value),
})
const none: readonly string[] = []
const own = (type: PluginType): ListRule => ({
  states: ['registered'],
  types: [type],
  // Seam: a list names every plugin of its states and types.
  names: seam((_plugin, _deleted) => true),
  most: Number.POSITIVE_INFINITY,
})
const ofEach: Readonly<Record<PluginType, ListRule>> = {
  auth: own('auth'),
  database: own('database'),
  secret: own('secret'),
}

export const catalogTables: CatalogTables = {
  fields: {
    version: rule({ value: '' }),
    sha256: rule<string>('refused'),
    command: rule<string>('refused'),
    args: rule({ value: none }),
    env: rule({ value: none }),
    oci_image: rule({ value: '' }, ['newer']),
    runtime: rule({ value: '' }, ['newer']),
  },
  access: { register: 'sudo', read: 'sudo', delete: 'sudo' },
  // Seam: no request is exempt from `access`.
  spared: seam(() => false),
  otherTypes: 'refused',
  isVersion: isSemantic,
  storedVersion: canonical,
  takenOutside: () => false,
  argumentsTwice: 'refused',
  refusedWrite: 'forgotten',
  simultaneous: 'stored',
  optionalForImages: [],
  // Seam: required fields are required for every type and version.
  optionalFor: seam(() => false),
  registrationReaches: { types: [], otherVersions: 'kept' },
  deletionTakes: {
    types: 'own',
    version: 'asked',
    names: (asked, name) => name === asked,
    answer: 'done',
    // Seams: the version is the one in the request, and no other plugin is removed.
    asked: seam((version) => version),
    also: seam((named) => named),
  },
  readable: () => ['registered'],
  readTypes: 'own',
  find: (plugins, name, version) => plugins.find((plugin) => plugin.name === name && plugin.version === version),
  listed: ofEach,
  catalog: ofEach,
  runs: ['registered'],
  runsIn: (plugin, type) => plugin.type === type,
  digest: 'compared',
  // Seam: the digest of every plugin is compared.
  compares: seam(() => true),
  // Seams: a deleted plugin does not run, and running a plugin has no effect on the catalog.
  runsAgain: seam(() => false),
  starts: seam(() => {}),
  sameDigest: (digest, registered) => digest.toLowerCase() === registered.toLowerCase(),
  unregistered: 'refused',
  // Seams: the URL names the plugin and its type, and the plugin, its name and its type are stored and shown unchanged.
  name: seam((fromUrl) => fromUrl),
  type: seam((fromUrl) => fromUrl),
  registers: seam((_catalog, plugin) => plugin),
  shownName: seam((name) => name),
  shownType: seam((type) => type),
}

export const isType = (word: string): word is PluginType => types.some((type) => type === word)
