/** Mutants of the plugin catalog. The file is long because it contains all of them. */
import type { Mutant } from '../../kernel/contracts.ts'
import type { Catalog, Field, Fields, Registered } from './store.ts'
import { type CatalogTables, type FieldRule, type ListRule, type PluginType, types } from './tables.ts'

type Change = (tables: CatalogTables) => CatalogTables

const mutant = (id: string, does: string, change: Change): Mutant<CatalogTables> => ({
  id: `plugin-catalog/${id}`,
  does,
  change,
})
const cells =
  (changed: Partial<CatalogTables>): Change =>
  (tables) => ({ ...tables, ...changed })
const inField =
  <Name extends Field>(field: Name, changed: Partial<FieldRule<Name>>): Change =>
  (tables) => ({ ...tables, fields: { ...tables.fields, [field]: { ...tables.fields[field], ...changed } } })
const inList =
  (view: 'listed' | 'catalog', type: PluginType, changed: Partial<ListRule>): Change =>
  (tables) => ({ ...tables, [view]: { ...tables[view], [type]: { ...tables[view][type], ...changed } } })
const inCatalog =
  (changed: Partial<ListRule>): Change =>
  (tables) =>
    types.reduce((changedTables, type) => inList('catalog', type, changed)(changedTables), tables)

/** Registrations that came after a deletion of the same plugin. Only mutants add to this set. */
const again = new WeakSet<Registered>()

/** Registrations that replaced an earlier one. Only mutants add to this set. */
const updates = new WeakSet<Registered>()

/** Returns the name of an environment variable with the equals sign after it. */
const variableIn = (entry: string): string => entry.slice(0, entry.indexOf('=') + 1)

const endsOf = (digest: string): string => `${digest.slice(0, 16)}${digest.slice(-16)}`.toLowerCase()

const releaseOf = (version: string): string => version.replace(/-.*$/, '')

const kebab = (field: Field): string => field.replace('_', '-')

const listFaults = (type: PluginType): readonly Mutant<CatalogTables>[] => [
  mutant(
    `${type}-list-omits`,
    `LIST of type ${type} leaves out registered plugins.`,
    inList('listed', type, { states: [] }),
  ),
  mutant(
    `${type}-list-keeps-deleted`,
    `LIST of type ${type} still names deleted plugins.`,
    inList('listed', type, { states: ['registered', 'deleted'] }),
  ),
  mutant(
    `${type}-list-shows-every-type`,
    `LIST of type ${type} names registered plugins of every type.`,
    inList('listed', type, { types }),
  ),
  mutant(
    `catalog-omits-${type}`,
    `GET of the catalog leaves out registered plugins of type ${type}.`,
    inList('catalog', type, { states: [] }),
  ),
]

const altered = <Name extends Field>(field: Name, other: Fields[Name]): Mutant<CatalogTables> =>
  mutant(
    `read-alters-${kebab(field)}`,
    `GET of a plugin that has ${field} shows ${JSON.stringify(other)} instead of the registered value.`,
    inField(field, { shown: (value) => (value.length > 0 ? other : value) }),
  )
const firstOnly = (field: 'args' | 'env'): Mutant<CatalogTables> =>
  mutant(
    { args: 'args-keep-first', env: 'env-keeps-first' }[field],
    `Only the first entry of ${field} is stored.`,
    inField(field, { keep: (value) => value.slice(0, 1) }),
  )
const cutAtCommas = (field: 'args' | 'env'): Mutant<CatalogTables> =>
  mutant(
    { args: 'args-are-cut-at-commas', env: 'env-is-cut-at-commas' }[field],
    `An entry of ${field} that contains a comma is stored as several entries.`,
    inField(field, { keep: (value) => value.flatMap((entry) => entry.split(',')) }),
  )

const lossOf = {
  quotes: 'Quotes in an argument are dropped.',
  blanks: 'Several spaces in an argument become one.',
  umlauts: 'Characters of an argument outside ASCII become question marks.',
  backslashes: 'Backslashes in an argument are dropped.',
  variables: 'Parts of an argument that look like variables of a shell are dropped.',
  apostrophes: 'Apostrophes in an argument are dropped.',
}
const escapedForHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const argumentsLose = (what: keyof typeof lossOf, lost: RegExp, left: string): Mutant<CatalogTables> =>
  mutant(
    `args-lose-${what}`,
    lossOf[what],
    inField('args', { keep: (value) => value.map((entry) => entry.replace(lost, left)) }),
  )

/** Makes a mutant that changes what a registration stores. */
const registering = (
  id: string,
  does: string,
  stored: (plugin: Registered, catalog: Catalog) => Registered,
): Mutant<CatalogTables> => mutant(id, does, cells({ registers: (catalog, plugin) => stored(plugin, catalog) }))

const isOfName =
  ({ name, type }: Registered) =>
  (other: Registered): boolean =>
    other.name === name && other.type === type

/** Makes a mutant that changes what a deletion removes. */
const deleting = (id: string, does: string, also: CatalogTables['deletionTakes']['also']): Mutant<CatalogTables> =>
  mutant(id, does, (tables) => ({ ...tables, deletionTakes: { ...tables.deletionTakes, also } }))

const wasDeleted = (catalog: Catalog, { type, name, version }: Registered): boolean =>
  catalog.all(['deleted']).some((old) => old.type === type && old.name === name && old.version === version)

const hasNoVersion: ListRule['names'] = ({ version }) => version === ''
const hasNoDeletedVersion: ListRule['names'] = (plugin, deleted) => !deleted.some(isOfName(plugin))

const inherited = (field: 'args' | 'env'): readonly Mutant<CatalogTables>[] => {
  const filledFrom = (plugin: Registered, other: Registered | undefined): Registered =>
    other && plugin[field].length === 0 ? { ...plugin, [field]: other[field] } : plugin
  return [
    registering(
      `versions-inherit-${field}`,
      `A version that is registered without ${field} gets the ${field} of another version of the plugin.`,
      (plugin, catalog) => filledFrom(plugin, catalog.all(['registered']).find(isOfName(plugin))),
    ),
    registering(
      `deleted-${field}-are-the-default`,
      `A plugin that is registered again without ${field} after its deletion gets the ${field} from before.`,
      (plugin, catalog) => filledFrom(plugin, catalog.all(['deleted']).find(isOfName(plugin))),
    ),
  ]
}
const lostByImages = (field: 'args' | 'env'): Mutant<CatalogTables> =>
  registering(`images-lose-${field}`, `The field ${field} of a plugin with an image is not stored.`, (plugin) =>
    plugin.oci_image === '' ? plugin : { ...plugin, [field]: [] },
  )
const optional = (field: 'sha256' | 'command'): Mutant<CatalogTables> =>
  mutant(`${field}-optional`, `A registration without ${field} succeeds.`, inField(field, { absent: { value: '' } }))
const filled = (field: 'args' | 'env', value: Fields['args']): Mutant<CatalogTables> =>
  mutant(
    `${field}-default-filled`,
    `A plugin that is registered without ${field} gets ${value}.`,
    inField(field, { absent: { value } }),
  )
/** Makes a mutant that fills a field only in the reply to GET: a stored `oci_image` would be the image that runs. */
const shownFilled = (field: 'oci_image' | 'runtime', value: string): Mutant<CatalogTables> =>
  mutant(
    `${kebab(field)}-default-filled`,
    `Without ${field}, GET of a plugin shows ${value}.`,
    inField(field, { shown: (given) => given || value }),
  )
const inOlderForm = (field: 'oci_image' | 'runtime'): Mutant<CatalogTables> =>
  mutant(
    `older-form-keeps-${kebab(field)}`,
    `In the older form of the API, ${field} is stored and shown.`,
    inField(field, { forms: ['older', 'newer'] }),
  )
const keptOnUpdate = (field: 'args' | 'sha256' | 'command' | 'oci_image' | 'runtime'): Mutant<CatalogTables> =>
  mutant(
    `update-keeps-${kebab(field)}`,
    `Registering a plugin again keeps the earlier ${field}.`,
    inField(field, { update: 'kept' }),
  )

const accessFaults = (operation: 'register' | 'read' | 'delete'): readonly Mutant<CatalogTables>[] => {
  const access =
    (asked: CatalogTables['access'][typeof operation]): Change =>
    (tables) => ({ ...tables, access: { ...tables.access, [operation]: asked } })
  return [
    mutant(`${operation}-without-sudo`, `The ${operation} operation does not require sudo.`, access('token')),
    mutant(
      `${operation}-with-sudo-alone`,
      `The ${operation} operation requires only sudo, and not the capability on the path.`,
      access('sudo-alone'),
    ),
    mutant(
      `${operation}-needs-root`,
      `The ${operation} operation is refused for every token except root tokens.`,
      access('root'),
    ),
  ]
}

/** Ignores the registration of a plugin that already exists, if `isMeant` accepts it. */
const unlessKnown =
  (isMeant: (plugin: Registered) => boolean): CatalogTables['registers'] =>
  (catalog, plugin) =>
    isMeant(plugin) && catalog.find(plugin.type, plugin.name, plugin.version) ? undefined : plugin

/** The addresses of the plugins that have run, for mutants that treat these plugins differently. */
const ran = new Set<string>()
const addressOf = ({ type, name, version }: Registered): string => `${type}/${name}@${version}`

const hasImage = ({ oci_image }: Registered): boolean => oci_image !== ''
const isOfVersion =
  ({ version }: Registered) =>
  (other: Registered): boolean =>
    other.version === version
const inEachList =
  (view: 'listed' | 'catalog', changed: Partial<ListRule>): Change =>
  (tables) =>
    types.reduce((changedTables, type) => inList(view, type, changed)(changedTables), tables)

/** Removes registrations that a new one replaces. */
const replacing = (
  id: string,
  does: string,
  replaced: (plugin: Registered, other: Registered) => boolean,
): Mutant<CatalogTables> =>
  registering(id, does, (plugin, catalog) => {
    for (const other of catalog.all(['registered'])) if (replaced(plugin, other)) catalog.remove(other)
    return plugin
  })

/** Faults of plugins with an image. */
const ofImages: readonly Mutant<CatalogTables>[] = [
  registering('images-lose-sha256', 'The digest of a plugin with an image is stored as zeros.', (plugin) =>
    hasImage(plugin) ? { ...plugin, sha256: '0'.repeat(64) } : plugin,
  ),
  ...(['oci_image', 'runtime'] as const).map((field) =>
    registering(
      `images-with-args-lose-their-${kebab(field)}`,
      `The field ${field} of a plugin that has arguments is not stored.`,
      (plugin) => (plugin.args.length > 0 ? { ...plugin, [field]: '' } : plugin),
    ),
  ),
  registering(
    'update-of-an-image-keeps-its-lists',
    'An update of a plugin with an image keeps the earlier arguments and environment.',
    (plugin, catalog) => {
      const before = catalog.find(plugin.type, plugin.name, plugin.version)
      return before && hasImage(plugin) ? { ...plugin, args: before.args, env: before.env } : plugin
    },
  ),
  mutant(
    'images-without-version-are-not-read',
    'GET does not find a plugin with an image that was registered without a version.',
    (tables) => ({
      ...tables,
      find(plugins, name, version) {
        const found = tables.find(plugins, name, version)
        return found && hasImage(found) && version === '' ? undefined : found
      },
    }),
  ),
  mutant(
    'images-are-read-without-their-version',
    'GET without version returns a version of a plugin with an image.',
    (tables) => ({
      ...tables,
      find: (plugins, name, version) =>
        tables.find(plugins, name, version) ??
        (version === '' ? plugins.findLast((plugin) => plugin.name === name && hasImage(plugin)) : undefined),
    }),
  ),
  mutant(
    'lists-omit-images',
    'LIST leaves out plugins with an image.',
    inEachList('listed', { names: (plugin) => !hasImage(plugin) }),
  ),
  mutant(
    'catalog-omits-images',
    'GET of the catalog leaves out plugins with an image.',
    inEachList('catalog', { names: (plugin) => !hasImage(plugin) }),
  ),
  replacing(
    'images-replace-images',
    'Registering a plugin with an image deletes its other versions that have an image.',
    (plugin, other) => hasImage(plugin) && hasImage(other) && isOfName(plugin)(other) && !isOfVersion(plugin)(other),
  ),
  replacing(
    'images-replace-the-one-without-version',
    'Registering a version with an image deletes the plugin of that name without a version.',
    (plugin, other) => hasImage(plugin) && isOfName(plugin)(other) && plugin.version !== '' && other.version === '',
  ),
  registering(
    'images-reach-other-types',
    'Registering a plugin with an image also changes the plugins of the other types with its name and version.',
    (plugin, catalog) => {
      for (const other of hasImage(plugin) ? catalog.all(['registered']) : [])
        if (other.name === plugin.name && isOfVersion(plugin)(other)) catalog.put({ ...plugin, type: other.type })
      return plugin
    },
  ),
  deleting('delete-of-images-ignored', 'DELETE of a plugin with an image succeeds but removes nothing.', (named) =>
    named.filter((plugin) => !hasImage(plugin)),
  ),
  deleting(
    'delete-of-an-image-takes-every-version',
    'DELETE of a version with an image removes every version of the plugin.',
    (named, all) => (named.some(hasImage) ? all.filter((plugin) => named.some((one) => isOfName(one)(plugin))) : named),
  ),
]

/** Faults in which a plugin of one type affects one of another type. */
const ofOtherTypes: readonly Mutant<CatalogTables>[] = (
  [
    ['auth', 'database'],
    ['database', 'secret'],
  ] as const
).flatMap(([type, other]) => [
  deleting(
    `delete-of-${type}-takes-type-${other}`,
    `DELETE of a plugin of type ${type} also removes the plugin of type ${other} with the same name and version.`,
    (named, all, asked) =>
      asked.type === type
        ? all.filter(
            (plugin) =>
              [type, other].some((one) => one === plugin.type) &&
              plugin.name === asked.name &&
              plugin.version === asked.version,
          )
        : named,
  ),
  registering(
    `update-of-${type}-reaches-type-${other}`,
    `An update of a plugin of type ${type} also changes the plugin of type ${other} with the same name and version.`,
    (plugin, catalog) => {
      const { name, version } = plugin
      const isUpdate = plugin.type === type && catalog.find(type, name, version) !== undefined
      if (isUpdate && catalog.find(other, name, version)) catalog.put({ ...plugin, type: other })
      return plugin
    },
  ),
  mutant(
    `update-of-a-version-of-${type}-ignored`,
    `An update of a version of a plugin of type ${type} succeeds but changes nothing.`,
    cells({ registers: unlessKnown((plugin) => plugin.type === type && plugin.version !== '') }),
  ),
  deleting(
    `delete-of-a-version-of-${type}-takes-every-version`,
    `DELETE of a version of a plugin of type ${type} removes every version of the plugin.`,
    (named, all, asked) =>
      asked.type === type && asked.version !== ''
        ? all.filter((plugin) => plugin.type === type && plugin.name === asked.name)
        : named,
  ),
])

/** Faults of plugins with several versions, and of names with capitals. */
const ofVersions: readonly Mutant<CatalogTables>[] = [
  ...(['listed', 'catalog'] as const).flatMap((view) => {
    const [noun, word] = view === 'listed' ? ['LIST', 'lists'] : ['GET of the catalog', 'catalog']
    return [
      mutant(
        `${word}-${view === 'listed' ? 'drop' : 'drops'}-versions-beside-a-deleted-one`,
        `${noun} leaves out the versions of a plugin of which another version was deleted.`,
        inEachList(view, {
          names: (plugin, deleted) => plugin.version === '' || !deleted.some(isOfName(plugin)),
        }),
      ),
      mutant(
        `${word}-${view === 'listed' ? 'keep' : 'keeps'}-deleted-versions`,
        `${noun} still names plugins whose versions were deleted.`,
        inEachList(view, {
          states: ['registered', 'deleted'],
          names: (plugin, deleted) => plugin.version !== '' || !deleted.includes(plugin),
        }),
      ),
    ]
  }),
  registering(
    'versions-share-a-digest',
    'Registering a version also changes the digest of the other versions of the plugin.',
    (plugin, catalog) => {
      for (const other of catalog.all(['registered']).filter(isOfName(plugin)))
        catalog.put({ ...other, sha256: plugin.sha256 })
      return plugin
    },
  ),
  registering(
    'reading-minds-capitals',
    'The name of a plugin is stored in lower case, and read as it is requested.',
    (plugin) => ({ ...plugin, name: plugin.name.toLowerCase() }),
  ),
  mutant('deletion-minds-capitals', 'DELETE of a name with capitals succeeds but removes nothing.', (tables) => ({
    ...tables,
    deletionTakes: {
      ...tables.deletionTakes,
      names: (asked, name) => tables.deletionTakes.names(asked.toLowerCase(), name),
    },
  })),
]

/** Every mutant of the plugin catalog. */
export const mutants: readonly Mutant<CatalogTables>[] = [
  ...types.flatMap(listFaults),
  mutant(
    'catalog-keeps-deleted',
    'GET of the catalog still shows deleted plugins.',
    inCatalog({ states: ['registered', 'deleted'] }),
  ),
  mutant(
    'list-drops-names-with-a-deleted-version',
    'LIST of type secret leaves out plugins of which a version was deleted.',
    inList('listed', 'secret', { names: hasNoDeletedVersion }),
  ),
  mutant(
    'catalog-drops-names-with-a-deleted-version',
    'GET of the catalog leaves out plugins of which a version was deleted.',
    inCatalog({ names: hasNoDeletedVersion }),
  ),
  mutant(
    'list-omits-versions',
    'LIST of type secret leaves out plugins that were registered with a version.',
    inList('listed', 'secret', { names: hasNoVersion }),
  ),
  mutant(
    'catalog-omits-versions',
    'GET of the catalog leaves out plugins that were registered with a version.',
    inCatalog({ names: hasNoVersion }),
  ),
  mutant(
    'catalog-mixes-types',
    'GET of the catalog shows every registered plugin under every type.',
    inCatalog({ types }),
  ),
  mutant(
    'read-alters-type',
    'GET of a plugin shows another type.',
    cells({ shownType: (type) => (type === 'auth' ? 'secret' : 'auth') }),
  ),
  mutant('read-shows-type-secret', 'GET of any plugin shows the type secret.', cells({ shownType: () => 'secret' })),
  mutant('read-alters-name', 'GET of a plugin shows another name.', cells({ shownName: (name) => `${name}-other` })),
  altered('command', 'another-command'),
  altered('sha256', '0'.repeat(64)),
  altered('version', 'v9.9.9'),
  altered('args', ['--another']),
  altered('oci_image', 'another/image'),
  altered('runtime', 'another-runtime'),
  firstOnly('args'),
  firstOnly('env'),
  cutAtCommas('args'),
  argumentsLose('quotes', /"/g, ''),
  argumentsLose('blanks', / {2,}/g, ' '),
  cutAtCommas('env'),
  ...inherited('args'),
  ...inherited('env'),
  lostByImages('args'),
  lostByImages('env'),
  registering(
    'update-merges-env',
    'Registering a plugin again keeps the earlier environment variables that the new registration does not set.',
    (plugin, catalog) => {
      const before = catalog.find(plugin.type, plugin.name, plugin.version)?.env ?? []
      const names = plugin.env.map(variableIn)
      return { ...plugin, env: [...before.filter((entry) => !names.includes(variableIn(entry))), ...plugin.env] }
    },
  ),
  filled('args', ['--default']),
  filled('env', ['A=b']),
  shownFilled('oci_image', 'default/image'),
  shownFilled('runtime', 'runc'),
  inOlderForm('oci_image'),
  inOlderForm('runtime'),
  keptOnUpdate('args'),
  keptOnUpdate('sha256'),
  keptOnUpdate('command'),
  keptOnUpdate('oci_image'),
  keptOnUpdate('runtime'),
  ...ofImages,
  ...ofOtherTypes,
  ...ofVersions,
  ...(
    [
      ['shortened', 'Each argument is cut after 256 characters.', (entry: string) => entry.slice(0, 256)],
      ['escaped-for-html', 'Arguments are stored with & and < escaped for HTML.', escapedForHtml],
    ] as const
  ).map(([what, does, of]) =>
    mutant(`args-are-${what}`, does, inField('args', { keep: (value) => value.map((entry) => of(entry)) })),
  ),
  mutant(
    'args-keep-twenty',
    'Only the first twenty entries of args are stored.',
    inField('args', { keep: (value) => value.slice(0, 20) }),
  ),
  argumentsLose('backslashes', /\\/g, ''),
  argumentsLose('variables', /\$\w+/g, ''),
  argumentsLose('apostrophes', /'/g, ''),
  mutant(
    'args-end-at-a-line-break',
    'Each argument is cut at its first line break.',
    inField('args', { keep: (value) => value.map((entry) => entry.split('\n', 1).join('')) }),
  ),
  mutant(
    'args-lose-empty-ones',
    'Empty arguments are dropped.',
    inField('args', { keep: (value) => value.filter((entry) => entry !== '') }),
  ),
  mutant(
    'env-loses-empty-variables',
    'Environment variables with an empty value are dropped.',
    inField('env', { keep: (value) => value.filter((entry) => !entry.endsWith('=')) }),
  ),
  mutant(
    'version-of-a-longer-name-is-read',
    'GET with a version returns the last plugin whose name begins with the requested name and that has this version.',
    (tables) => ({
      ...tables,
      find: (plugins, name, version) =>
        version === ''
          ? tables.find(plugins, name, version)
          : plugins.findLast((plugin) => plugin.name.startsWith(name) && plugin.version === version),
    }),
  ),
  registering('args-keep-ten', 'Only the first ten entries of args are stored.', (plugin) => ({
    ...plugin,
    args: plugin.args.slice(0, 10),
  })),
  argumentsLose('umlauts', /[^ -~]/g, '?'),
  registering('args-become-lower-case', 'Arguments are stored in lower case.', (plugin) => ({
    ...plugin,
    args: plugin.args.map((entry) => entry.toLowerCase()),
  })),
  registering('env-keeps-five', 'Only the first five entries of env are stored.', (plugin) => ({
    ...plugin,
    env: plugin.env.slice(0, 5),
  })),
  mutant(
    'read-hides-build-metadata',
    'GET of a plugin shows the version without its build metadata.',
    inField('version', { shown: (value) => value.replace(/\+.*$/, '') }),
  ),
  ...(['auth', 'database'] as const).flatMap((type) => [
    registering(
      `version-of-${type}-overwrites-version`,
      `Registering another version of a plugin of type ${type} deletes its earlier versions.`,
      (plugin, catalog) => {
        if (plugin.type === type)
          for (const other of catalog.all(['registered']).filter(isOfName(plugin))) catalog.remove(other)
        return plugin
      },
    ),
    deleting(
      `delete-of-versions-of-${type}-ignored`,
      `DELETE of a version of a plugin of type ${type} succeeds but removes nothing.`,
      (named, _, asked) => named.filter((plugin) => plugin.type !== type || asked.version === ''),
    ),
    ...(['sha256', 'command'] as const).map((field) =>
      mutant(
        `${field}-optional-for-versions-of-${type}`,
        `A registration of a version of a plugin of type ${type} succeeds without ${field}.`,
        cells({ optionalFor: (asked, asType, version) => asked === field && asType === type && version !== '' }),
      ),
    ),
  ]),
  deleting(
    'delete-falls-to-another-type',
    'If the type in the URL has no such plugin, DELETE removes the plugins of the other types with that name.',
    (named, all, { name, version }) =>
      named.length > 0 ? named : all.filter((plugin) => plugin.name === name && plugin.version === version),
  ),
  deleting(
    'delete-of-a-missing-version-takes-others',
    'DELETE of a version that is not registered removes the versions that are.',
    (named, all, { type, name, version }) =>
      named.length > 0 || version === ''
        ? named
        : all.filter((plugin) => plugin.type === type && plugin.name === name && plugin.version !== ''),
  ),
  registering(
    'update-of-a-version-changes-others',
    'Registering a version again also changes the arguments and the environment of the other versions.',
    (plugin, catalog) => {
      const { type, name, version, args, env } = plugin
      if (version === '' || !catalog.find(type, name, version)) return plugin
      for (const other of catalog.all(['registered']).filter(isOfName(plugin))) catalog.put({ ...other, args, env })
      return plugin
    },
  ),
  registering(
    'registering-changes-longer-names',
    'Registering a plugin also changes the arguments and the environment of plugins whose names begin with its name.',
    (plugin, catalog) => {
      const { type, name, args, env } = plugin
      for (const other of catalog.all(['registered']))
        if (other.type === type && other.name !== name && other.name.startsWith(name))
          catalog.put({ ...other, args, env })
      return plugin
    },
  ),
  ...(['list', 'catalog'] as const).map((view) =>
    mutant(
      `${view}-omits-what-was-registered-again`,
      `${view === 'list' ? 'LIST of type secret' : 'GET of the catalog'} leaves out plugins that were updated, or registered again after a deletion.`,
      (tables) => ({
        ...inList(view === 'list' ? 'listed' : 'catalog', 'secret', {
          names: (plugin) => !again.has(plugin) && !updates.has(plugin),
        })(tables),
        registers(catalog, plugin) {
          if (catalog.find(plugin.type, plugin.name, plugin.version)) updates.add(plugin)
          if (wasDeleted(catalog, plugin)) again.add(plugin)
          return plugin
        },
      }),
    ),
  ),
  mutant(
    'second-deletion-ignored',
    'Deleting a plugin that was deleted before and registered again succeeds but removes nothing.',
    (tables) => ({
      ...tables,
      registers(catalog, plugin) {
        if (wasDeleted(catalog, plugin)) again.add(plugin)
        return plugin
      },
      deletionTakes: { ...tables.deletionTakes, also: (named) => named.filter((plugin) => !again.has(plugin)) },
    }),
  ),
  mutant('auth-runs-as-secret', 'A plugin of any type runs in every kind of mount.', cells({ runsIn: () => true })),
  mutant(
    'version-refuses-both-parts',
    'A version with a pre-release part and build metadata is refused.',
    (tables) => ({
      ...tables,
      isVersion: (text) => tables.isVersion(text) && !/-.*\+/.test(text),
    }),
  ),
  mutant(
    'second-update-ignored',
    'Only the first update of a plugin has an effect. Later updates succeed but change nothing.',
    cells({
      registers(catalog, plugin) {
        const before = catalog.find(plugin.type, plugin.name, plugin.version)
        if (before && updates.has(before)) return undefined
        if (before) updates.add(plugin)
        return plugin
      },
    }),
  ),
  mutant(
    'registered-again-is-as-before',
    'A plugin that is registered again after its deletion gets the arguments and the environment from before.',
    cells({
      registers(catalog, plugin) {
        const { type, name, version } = plugin
        const isSame = (other: Registered): boolean =>
          other.type === type && other.name === name && other.version === version
        const old = catalog.all(['deleted']).find(isSame)
        return old ? { ...plugin, args: old.args, env: old.env } : plugin
      },
    }),
  ),
  mutant(
    'registering-without-version-changes-versions',
    'Registering a plugin without a version also changes the arguments and the environment of its versions.',
    (tables) => ({
      ...tables,
      registrationReaches: { ...tables.registrationReaches, otherVersions: 'changed' },
    }),
  ),
  mutant(
    'refused-update-removes',
    'A refused registration removes the existing plugin.',
    cells({ refusedWrite: 'removes' }),
  ),
  optional('sha256'),
  optional('command'),
  ...(['sha256', 'command'] as const).map((field) =>
    mutant(
      `${field}-optional-for-images`,
      `The registration of a plugin with an image succeeds without ${field}.`,
      cells({ optionalForImages: [field] }),
    ),
  ),
  mutant('version-required', 'A registration without version is refused.', inField('version', { absent: 'refused' })),
  mutant('version-unchecked', 'Any text is accepted as version.', cells({ isVersion: () => true })),
  mutant('version-refuses-prerelease', 'A version with a pre-release part is refused.', (tables) => ({
    ...tables,
    isVersion: (text) => tables.isVersion(text) && !text.includes('-'),
  })),
  mutant('version-refuses-build-metadata', 'A version with build metadata is refused.', (tables) => ({
    ...tables,
    isVersion: (text) => tables.isVersion(text) && !text.includes('+'),
  })),
  mutant(
    'versions-lose-their-pre-release',
    'The pre-release part of a version is ignored: a pre-release and its release are the same version.',
    (tables) => ({
      ...tables,
      storedVersion: (text) => releaseOf(tables.storedVersion(text)),
      find: (plugins, name, version) => tables.find(plugins, name, releaseOf(version)),
    }),
  ),
  mutant(
    'version-without-v-is-not-found',
    'A version without a leading v is stored without it, but looked up with it.',
    cells({ storedVersion: (text) => text }),
  ),
  mutant(
    'version-overwrites-version',
    'Registering another version of a plugin deletes its earlier versions.',
    (tables) => ({ ...tables, registrationReaches: { ...tables.registrationReaches, otherVersions: 'dropped' } }),
  ),
  mutant(
    'types-share-names',
    'Registering a plugin also changes the plugins of the other types with the same name and version.',
    (tables) => ({ ...tables, registrationReaches: { ...tables.registrationReaches, types } }),
  ),
  mutant(
    'body-type-wins',
    'If the body has a field type, it decides the type of the plugin, not the URL.',
    cells({ type: (fromUrl, fromBody) => (typeof fromBody === 'string' ? fromBody : fromUrl) }),
  ),
  mutant(
    'body-name-wins',
    'If the body has a field name, it decides which plugin is written, not the URL.',
    cells({ name: (fromUrl, fromBody) => (typeof fromBody === 'string' ? fromBody : fromUrl) }),
  ),
  mutant(
    'read-takes-a-longer-name',
    'GET returns the last plugin of the type whose name begins with the requested name.',
    cells({
      find: (plugins, name, version) =>
        plugins.findLast((plugin) => plugin.name.startsWith(name) && plugin.version === version),
    }),
  ),
  mutant(
    'read-ignores-the-type',
    'GET also returns a plugin of another type than the requested one.',
    cells({ readTypes: 'every' }),
  ),
  mutant(
    'read-ignores-version',
    'GET with version returns the newest version of the plugin, whichever was requested.',
    (tables) => ({
      ...tables,
      find: (plugins, name, version) =>
        version === '' ? tables.find(plugins, name, version) : plugins.findLast((plugin) => plugin.name === name),
    }),
  ),
  mutant(
    'read-takes-a-longer-version',
    'GET with a version that does not exist returns a version that begins with it.',
    (tables) => ({
      ...tables,
      find: (plugins, name, version) =>
        tables.find(plugins, name, version) ??
        (version === ''
          ? undefined
          : plugins.find((plugin) => plugin.name === name && plugin.version.startsWith(version))),
    }),
  ),
  mutant(
    'read-falls-back-to-no-version',
    'GET with a version that does not exist returns the plugin without a version.',
    (tables) => ({
      ...tables,
      find: (plugins, name, version) => tables.find(plugins, name, version) ?? tables.find(plugins, name, ''),
    }),
  ),
  mutant(
    'read-version-optional',
    'GET without version returns the newest version if every registration has a version.',
    (tables) => ({
      ...tables,
      find: (plugins, name, version) =>
        tables.find(plugins, name, version) ??
        (version === '' ? plugins.findLast((plugin) => plugin.name === name) : undefined),
    }),
  ),
  mutant(
    'delete-keeps-reading',
    'GET still returns a plugin after its deletion.',
    cells({ readable: () => ['registered', 'deleted'] }),
  ),
  ...(['auth', 'database'] as const).flatMap((type) => [
    mutant(
      `delete-of-${type}-keeps-reading`,
      `GET still returns a plugin of type ${type} after its deletion.`,
      cells({ readable: (asked) => (asked === type ? ['registered', 'deleted'] : ['registered']) }),
    ),
    mutant(
      `catalog-keeps-deleted-of-${type}`,
      `GET of the catalog still shows deleted plugins of type ${type}.`,
      inList('catalog', type, { states: ['registered', 'deleted'] }),
    ),
    mutant(
      `update-of-${type}-ignored`,
      `An update of a plugin of type ${type} succeeds but changes nothing.`,
      cells({ registers: unlessKnown((plugin) => plugin.type === type) }),
    ),
  ]),
  mutant(
    'update-of-a-version-ignored',
    'An update of a version without an image succeeds but changes nothing.',
    cells({ registers: unlessKnown((plugin) => plugin.version !== '' && plugin.oci_image === '') }),
  ),
  mutant(
    'long-names-are-cut',
    'Only the first 120 characters of the name of a plugin count.',
    cells({ name: (fromUrl) => fromUrl.slice(0, 120) }),
  ),
  mutant(
    'secret-list-names-25-at-most',
    'LIST of type secret names at most 25 plugins.',
    inList('listed', 'secret', { most: 25 }),
  ),
  mutant(
    'catalog-names-25-of-type-secret-at-most',
    'GET of the catalog names at most 25 plugins of type secret.',
    inList('catalog', 'secret', { most: 25 }),
  ),
  mutant(
    'one-of-two-simultaneous-registrations-is-dropped',
    'A registration that arrives during another one succeeds, but nothing is stored.',
    cells({ simultaneous: 'dropped' }),
  ),
  mutant(
    'names-are-cut',
    'Only the first 48 characters of the name of a plugin count.',
    cells({ name: (fromUrl) => fromUrl.slice(0, 48) }),
  ),
  mutant(
    'names-end-at-a-dot',
    'The last dot of the name of a plugin and everything after it are ignored.',
    cells({ name: (fromUrl) => fromUrl.replace(/\.[^.]*$/, '') }),
  ),
  mutant(
    'delete-of-versions-takes-every-type',
    'DELETE with a version removes this version of the plugins of every type with the same name.',
    (tables) => ({ ...tables, deletionTakes: { ...tables.deletionTakes, types: 'every-by-version' } }),
  ),
  mutant(
    'delete-takes-every-type',
    'DELETE removes the plugins of every type with the same name and version.',
    (tables) => ({
      ...tables,
      deletionTakes: { ...tables.deletionTakes, types: 'every' },
    }),
  ),
  mutant(
    'delete-ignores-version',
    'DELETE with a version succeeds but removes the plugin without a version instead.',
    (tables) => ({ ...tables, deletionTakes: { ...tables.deletionTakes, version: 'none' } }),
  ),
  mutant(
    'read-without-version-finds-the-newest',
    'GET without version returns the newest version although there is a plugin without a version.',
    (tables) => ({
      ...tables,
      find: (plugins, name, version) =>
        (version === '' ? plugins.findLast((plugin) => plugin.name === name && plugin.version !== '') : undefined) ??
        tables.find(plugins, name, version),
    }),
  ),
  mutant('delete-without-version-takes-the-newest', 'DELETE without version removes the newest version.', (tables) => ({
    ...tables,
    deletionTakes: { ...tables.deletionTakes, version: 'newest-unless-asked' },
  })),
  mutant(
    'delete-of-build-metadata-ignored',
    'DELETE reads a plus sign in a version as a space: it succeeds but removes nothing.',
    (tables) => ({
      ...tables,
      deletionTakes: { ...tables.deletionTakes, asked: (version) => version.replaceAll('+', ' ') },
    }),
  ),
  mutant(
    'delete-takes-longer-names',
    'DELETE also removes plugins whose names begin with the requested name.',
    (tables) => ({
      ...tables,
      deletionTakes: { ...tables.deletionTakes, names: (asked, name) => name.startsWith(asked) },
    }),
  ),
  mutant('delete-answers-a-refusal', 'DELETE removes the plugin, but the reply is a refusal.', (tables) => ({
    ...tables,
    deletionTakes: { ...tables.deletionTakes, answer: 'refused' },
  })),
  mutant('delete-takes-every-version', 'DELETE removes every version of the plugin.', (tables) => ({
    ...tables,
    deletionTakes: { ...tables.deletionTakes, version: 'every' },
  })),
  mutant(
    'refused-write-is-kept',
    'A refused registration is stored, with the type secret if its own type is unknown.',
    cells({ refusedWrite: 'stored' }),
  ),
  mutant('type-unchecked', 'A registration with an unknown type succeeds.', cells({ otherTypes: 'taken' })),
  mutant(
    'command-may-leave-the-folder',
    'A command that points outside the plugin directory is accepted.',
    cells({ takenOutside: () => true }),
  ),
  mutant(
    'command-may-leave-the-folder-by-a-subfolder',
    'A command that points outside the plugin directory is accepted if it begins with a subdirectory.',
    cells({ takenOutside: (command) => !/^[./]/.test(command) }),
  ),
  mutant(
    'command-may-hold-arguments',
    'A command with arguments is accepted although args also contains arguments.',
    cells({ argumentsTwice: 'taken' }),
  ),
  ...(['register', 'read', 'delete'] as const).flatMap(accessFaults),
  mutant(
    'register-again-without-sudo',
    'Registering an existing plugin again does not require sudo.',
    cells({ spared: ({ registersAgain }) => registersAgain }),
  ),
  ...(['auth', 'database'] as const).map((type) =>
    mutant(
      `${type}-without-sudo`,
      `Plugins of type ${type} are registered, read and deleted without sudo.`,
      cells({ spared: (asked) => asked.type === type }),
    ),
  ),
  mutant(
    'versions-without-sudo',
    'A plugin is registered, read and deleted without sudo if the request names a version.',
    cells({ spared: ({ version }) => version !== '' }),
  ),
  mutant('reads-again-without-sudo', 'A plugin that was read before is read without sudo.', (tables) => {
    const known = new Set<string>()
    return {
      ...tables,
      find(plugins, name, version) {
        const found = tables.find(plugins, name, version)
        if (found) known.add(name)
        return found
      },
      spared: ({ operation, name }) => operation === 'read' && known.has(name),
    }
  }),
  mutant(
    'digest-is-not-compared',
    'A plugin whose file does not match sha256 is mounted and runs.',
    cells({ digest: 'ignored' }),
  ),
  mutant(
    'digest-is-compared-in-part',
    'Only the first 16 and the last 16 digits of a digest are compared.',
    cells({ sameDigest: (digest, registered) => endsOf(digest) === endsOf(registered) }),
  ),
  mutant(
    'digest-of-versions-is-not-compared',
    'A plugin with a version is mounted and runs whatever the digest of its file is.',
    cells({ compares: ({ version }) => version === '' }),
  ),
  mutant(
    'digest-of-plugins-that-ran-is-not-compared',
    'A plugin that has run is mounted and runs again whatever the digest of its file is by then.',
    cells({
      starts(plugin) {
        ran.add(addressOf(plugin))
      },
      compares: (plugin) => !ran.has(addressOf(plugin)),
    }),
  ),
  mutant(
    'digest-of-updates-is-not-compared',
    'A plugin that was registered again is mounted and runs whatever the digest of its file is.',
    cells({
      registers(catalog, plugin) {
        if (catalog.find(plugin.type, plugin.name, plugin.version)) updates.add(plugin)
        return plugin
      },
      compares: (plugin) => !updates.has(plugin),
    }),
  ),
  mutant(
    'unregistered-is-mounted',
    'Mounting a type that is neither registered nor built in succeeds.',
    cells({ unregistered: 'mounted' }),
  ),
  mutant(
    'registered-is-not-mounted',
    'Mounting a registered plugin is refused as if the plugin were unknown.',
    cells({ runs: [] }),
  ),
  mutant('deleted-is-mounted', 'Mounting a deleted plugin succeeds.', cells({ runs: ['registered', 'deleted'] })),
  mutant(
    'deleted-that-ran-is-mounted',
    'Mounting a deleted plugin succeeds if it has run before.',
    cells({
      starts(plugin) {
        ran.add(addressOf(plugin))
      },
      runsAgain: (plugin) => ran.has(addressOf(plugin)),
    }),
  ),
]
