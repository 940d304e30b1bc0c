/** Faults of what a registration stores. */
import type { PluginType } from '../../engines/plugin-catalog/rules.ts'
import type { Fields, Registered } from '../../engines/plugin-catalog/store.ts'
import {
  at,
  deletedIn,
  fault,
  faults,
  hasImage,
  inField,
  isOfName,
  kebab,
  keyOf,
  putting,
  remembersDeleted,
  replacing,
  showing,
  stored,
  storing,
} from './catalog-operations.ts'

type List = 'args' | 'env'
type Entries = Fields['args']

const storingArgs = (change: (args: Entries) => Entries) =>
  storing((plugin) => ({ ...plugin, args: change(plugin.args) }))
const storingEach = (change: (entry: string) => string) => storingArgs((args) => args.map(change))
const storingEnv = (change: (env: Entries) => Entries) => storing((plugin) => ({ ...plugin, env: change(plugin.env) }))

const escapedForHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
/** Returns the name of an environment variable with the equals sign after it. */
const variableIn = (entry: string): string => entry.slice(0, entry.indexOf('=') + 1)

const argumentFaults = faults({
  'args-keep-first': 'Only the first entry of args is stored.',
  'args-keep-ten': 'Only the first ten entries of args are stored.',
  'args-keep-twenty': 'Only the first twenty entries of args are stored.',
  'args-are-cut-at-commas': 'An entry of args that contains a comma is stored as several entries.',
  'args-lose-empty-ones': 'Empty arguments are dropped.',
  'args-lose-quotes': 'Quotes in an argument are dropped.',
  'args-lose-blanks': 'Several spaces in an argument become one.',
  'args-lose-umlauts': 'Characters of an argument outside ASCII become question marks.',
  'args-lose-backslashes': 'Backslashes in an argument are dropped.',
  'args-lose-variables': 'Parts of an argument that look like variables of a shell are dropped.',
  'args-lose-apostrophes': 'Apostrophes in an argument are dropped.',
  'args-are-shortened': 'Each argument is cut after 256 characters.',
  'args-are-escaped-for-html': 'Arguments are stored with & and < escaped for HTML.',
  'args-end-at-a-line-break': 'Each argument is cut at its first line break.',
  'args-become-lower-case': 'Arguments are stored in lower case.',
  'env-keeps-first': 'Only the first entry of env is stored.',
  'env-keeps-five': 'Only the first five entries of env are stored.',
  'env-is-cut-at-commas': 'An entry of env that contains a comma is stored as several entries.',
  'env-loses-empty-variables': 'Environment variables with an empty value are dropped.',
}).by({
  'args-keep-first': storingArgs((args) => args.slice(0, 1)),
  'args-keep-ten': storingArgs((args) => args.slice(0, 10)),
  'args-keep-twenty': storingArgs((args) => args.slice(0, 20)),
  'args-are-cut-at-commas': storingArgs((args) => args.flatMap((entry) => entry.split(','))),
  'args-lose-empty-ones': storingArgs((args) => args.filter((entry) => entry !== '')),
  'args-lose-quotes': storingEach((entry) => entry.replace(/"/g, '')),
  'args-lose-blanks': storingEach((entry) => entry.replace(/ {2,}/g, ' ')),
  'args-lose-umlauts': storingEach((entry) => entry.replace(/[^ -~]/g, '?')),
  'args-lose-backslashes': storingEach((entry) => entry.replace(/\\/g, '')),
  'args-lose-variables': storingEach((entry) => entry.replace(/\$\w+/g, '')),
  'args-lose-apostrophes': storingEach((entry) => entry.replace(/'/g, '')),
  'args-are-shortened': storingEach((entry) => entry.slice(0, 256)),
  'args-are-escaped-for-html': storingEach(escapedForHtml),
  'args-end-at-a-line-break': storingEach((entry) => entry.split('\n', 1).join('')),
  'args-become-lower-case': storingEach((entry) => entry.toLowerCase()),
  'env-keeps-first': storingEnv((env) => env.slice(0, 1)),
  'env-keeps-five': storingEnv((env) => env.slice(0, 5)),
  'env-is-cut-at-commas': storingEnv((env) => env.flatMap((entry) => entry.split(','))),
  'env-loses-empty-variables': storingEnv((env) => env.filter((entry) => !entry.endsWith('='))),
})

const filledFrom = (field: List, plugin: Registered, other: Registered | undefined): Registered =>
  other && plugin[field].length === 0 ? { ...plugin, [field]: other[field] } : plugin
const listFaults = (field: List) =>
  faults({
    [`versions-inherit-${field}`]: `A version that is registered without ${field} gets the ${field} of another version of the plugin.`,
    [`deleted-${field}-are-the-default`]: `A plugin that is registered again without ${field} after its deletion gets the ${field} from before.`,
    [`images-lose-${field}`]: `The field ${field} of a plugin with an image is not stored.`,
  }).by({
    [`versions-inherit-${field}`]: storing((plugin, catalog) =>
      filledFrom(field, plugin, catalog.all().find(isOfName(plugin))),
    ),
    [`deleted-${field}-are-the-default`]: [
      remembersDeleted,
      putting((plugin, _catalog, memory) => filledFrom(field, plugin, deletedIn(memory).find(isOfName(plugin)))),
    ],
    [`images-lose-${field}`]: storing((plugin) => (hasImage(plugin) ? { ...plugin, [field]: [] } : plugin)),
  })
const filled = (field: List, value: Entries) =>
  fault(
    `${field}-default-filled`,
    `A plugin that is registered without ${field} gets ${value}.`,
    inField(field, { absent: { value } }),
  )
/** Fills a field only in the reply to GET: a stored `oci_image` would be the image that runs. */
const shownFilled = (field: 'oci_image' | 'runtime', value: string) =>
  fault(
    `${kebab(field)}-default-filled`,
    `Without ${field}, GET of a plugin shows ${value}.`,
    showing(field, (plugin) => (plugin[field] === '' ? { [field]: value } : {})),
  )
const inOlderForm = (field: 'oci_image' | 'runtime') =>
  fault(
    `older-form-keeps-${kebab(field)}`,
    `In the older form of the API, ${field} is stored and shown.`,
    inField(field, { forms: ['older', 'newer'] }),
  )
const keptOnUpdate = (field: 'args' | 'sha256' | 'command' | 'oci_image' | 'runtime') =>
  fault(
    `update-keeps-${kebab(field)}`,
    `Registering a plugin again keeps the earlier ${field}.`,
    storing((plugin, catalog) => ({ ...plugin, [field]: (at(catalog, plugin) ?? plugin)[field] })),
  )

const updateFaults = [
  ...faults({
    'update-merges-env':
      'Registering a plugin again keeps the earlier environment variables that the new registration does not set.',
    'update-of-an-image-keeps-its-lists':
      'An update of a plugin with an image keeps the earlier arguments and environment.',
    'registered-again-is-as-before':
      'A plugin that is registered again after its deletion gets the arguments and the environment from before.',
    'second-update-ignored':
      'Only the first update of a plugin has an effect. Later updates succeed but change nothing.',
  }).by({
    'update-merges-env': storing((plugin, catalog) => {
      const before = at(catalog, plugin)?.env ?? []
      const names = plugin.env.map(variableIn)
      return { ...plugin, env: [...before.filter((entry) => !names.includes(variableIn(entry))), ...plugin.env] }
    }),
    'update-of-an-image-keeps-its-lists': storing((plugin, catalog) => {
      const before = at(catalog, plugin)
      return before && hasImage(plugin) ? { ...plugin, args: before.args, env: before.env } : plugin
    }),
    'registered-again-is-as-before': [
      remembersDeleted,
      putting((plugin, _catalog, memory) => {
        const old = memory.get(keyOf(plugin)) as Registered | undefined
        return old ? { ...plugin, args: old.args, env: old.env } : plugin
      }),
    ],
    'second-update-ignored': stored(
      'catalog',
      'put',
      ([plugin], next, { context, memory }) => {
        const isUpdate = at(context.catalog, plugin) !== undefined
        if (isUpdate && memory.has(keyOf(plugin))) return
        if (isUpdate) memory.set(keyOf(plugin), true)
        else memory.delete(keyOf(plugin))
        next(plugin)
      },
      ([plugin], { context, memory }) => at(context.catalog, plugin) !== undefined || memory.has(keyOf(plugin)),
    ),
  }),
  ...(['args', 'sha256', 'command', 'oci_image', 'runtime'] as const).map(keptOnUpdate),
  ...ignored('a-version', 'a version without an image', ({ version, oci_image }) => version !== '' && oci_image === ''),
  ...(['auth', 'database'] as const).flatMap((type) => ignored(type, `a plugin of type ${type}`, isOfType(type))),
  ...(['auth', 'database'] as const).flatMap((type) =>
    ignored(
      `a-version-of-${type}`,
      `a version of a plugin of type ${type}`,
      (plugin) => isOfType(type)(plugin) && plugin.version !== '',
    ),
  ),
]

/** Ignores updates of the plugins that `isMeant` accepts. */
function ignored(what: string, words: string, isMeant: (plugin: Registered) => boolean) {
  return [
    fault(
      `update-of-${what}-ignored`,
      `An update of ${words} succeeds but changes nothing.`,
      storing((plugin, catalog) => (isMeant(plugin) && at(catalog, plugin) ? undefined : plugin)),
    ),
  ]
}
function isOfType(type: PluginType) {
  return (plugin: Registered): boolean => plugin.type === type
}

/** Faults in which a registration changes other plugins. */
const reachingFaults = [
  ...faults({
    'images-reach-other-types':
      'Registering a plugin with an image also changes the plugins of the other types with its name and version.',
    'types-share-names':
      'Registering a plugin also changes the plugins of the other types with the same name and version.',
    'versions-share-a-digest': 'Registering a version also changes the digest of the other versions of the plugin.',
    'update-of-a-version-changes-others':
      'Registering a version again also changes the arguments and the environment of the other versions.',
    'registering-without-version-changes-versions':
      'Registering a plugin without a version also changes the arguments and the environment of its versions.',
    'registering-changes-longer-names':
      'Registering a plugin also changes the arguments and the environment of plugins whose names begin with its name.',
  }).by({
    'images-reach-other-types': storing((plugin, catalog) => [
      ...catalog
        .all()
        .filter(({ name, version }) => hasImage(plugin) && name === plugin.name && version === plugin.version)
        .map(({ type }) => ({ ...plugin, type })),
      plugin,
    ]),
    'types-share-names': storing((plugin, catalog) => [
      plugin,
      ...catalog
        .all()
        .filter(({ name, type, version }) => name === plugin.name && version === plugin.version && type !== plugin.type)
        .map(({ type }) => ({ ...plugin, type })),
    ]),
    'versions-share-a-digest': storing((plugin, catalog) => [
      ...catalog
        .all()
        .filter((other) => isOfName(plugin)(other) && other.version !== plugin.version)
        .map((other) => ({ ...other, sha256: plugin.sha256 })),
      plugin,
    ]),
    'update-of-a-version-changes-others': storing((plugin, catalog) =>
      plugin.version !== '' && at(catalog, plugin) ? shared(plugin, catalog.all()) : plugin,
    ),
    'registering-without-version-changes-versions': storing((plugin, catalog) =>
      plugin.version === '' ? shared(plugin, catalog.all()) : plugin,
    ),
    'registering-changes-longer-names': storing((plugin, catalog) => {
      const { args, env, name, type } = plugin
      const longer = catalog
        .all()
        .filter((other) => other.type === type && other.name !== name && other.name.startsWith(name))
      return [...longer.map((other) => ({ ...other, args, env })), plugin]
    }),
  }),
  ...(
    [
      ['auth', 'database'],
      ['database', 'secret'],
    ] as const
  ).map(([type, other]) =>
    fault(
      `update-of-${type}-reaches-type-${other}`,
      `An update of a plugin of type ${type} also changes the plugin of type ${other} with the same name and version.`,
      storing((plugin, catalog) => {
        const moved = { ...plugin, type: other }
        return plugin.type === type && at(catalog, plugin) && at(catalog, moved) ? [moved, plugin] : plugin
      }),
    ),
  ),
]

/** Gives the other versions of a plugin the same arguments and environment. */
function shared(plugin: Registered, all: readonly Registered[]): readonly Registered[] {
  const { args, env, version } = plugin
  const others = all.filter((other) => isOfName(plugin)(other) && other.version !== version)
  return [...others.map((other) => ({ ...other, args, env })), plugin]
}

const isOtherVersion = (plugin: Registered, other: Registered): boolean =>
  isOfName(plugin)(other) && other.version !== plugin.version
const replacingFaults = [
  ...faults({
    'images-replace-images': 'Registering a plugin with an image deletes its other versions that have an image.',
    'images-replace-the-one-without-version':
      'Registering a version with an image deletes the plugin of that name without a version.',
    'version-overwrites-version': 'Registering another version of a plugin deletes its earlier versions.',
  }).by({
    'images-replace-images': replacing(
      (plugin, other) => hasImage(plugin) && hasImage(other) && isOtherVersion(plugin, other),
    ),
    'images-replace-the-one-without-version': replacing(
      (plugin, other) => hasImage(plugin) && isOtherVersion(plugin, other) && other.version === '',
    ),
    'version-overwrites-version': replacing(isOtherVersion),
  }),
  ...(['auth', 'database'] as const).map((type) =>
    fault(
      `version-of-${type}-overwrites-version`,
      `Registering another version of a plugin of type ${type} deletes its earlier versions.`,
      replacing((plugin, other) => plugin.type === type && isOfName(plugin)(other)),
    ),
  ),
]

export const registrationFaults = [
  ...argumentFaults,
  ...(['args', 'env'] as const).flatMap(listFaults),
  filled('args', ['--default']),
  filled('env', ['A=b']),
  shownFilled('oci_image', 'default/image'),
  shownFilled('runtime', 'runc'),
  inOlderForm('oci_image'),
  inOlderForm('runtime'),
  fault(
    'images-lose-sha256',
    'The digest of a plugin with an image is stored as zeros.',
    storing((plugin) => (hasImage(plugin) ? { ...plugin, sha256: '0'.repeat(64) } : plugin)),
  ),
  ...(['oci_image', 'runtime'] as const).map((field) =>
    fault(
      `images-with-args-lose-their-${kebab(field)}`,
      `The field ${field} of a plugin that has arguments is not stored.`,
      storing((plugin) => (plugin.args.length > 0 ? { ...plugin, [field]: '' } : plugin)),
    ),
  ),
  fault(
    'reading-minds-capitals',
    'The name of a plugin is stored in lower case, and read as it is requested.',
    storing((plugin) => ({ ...plugin, name: plugin.name.toLowerCase() })),
  ),
  ...updateFaults,
  ...reachingFaults,
  ...replacingFaults,
]
