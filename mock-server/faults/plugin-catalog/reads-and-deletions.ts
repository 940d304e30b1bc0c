/** Faults of reading and deleting a plugin. */
import { newest } from '../../engines/plugin-catalog/plugins/mounted-plugins.ts'
import type { Field, Fields, Registered } from '../../engines/plugin-catalog/store.ts'
import { refuse } from '../../kernel/http/refusal.ts'
import {
  around,
  at,
  deletedIn,
  deleting,
  fault,
  finding,
  hasImage,
  isAt,
  isOfName,
  kebab,
  keyOf,
  naming,
  putting,
  remembersDeleted,
  searching,
  showing,
  stored,
} from './catalog-operations.ts'

const altered = <Name extends Field>(field: Name, other: Fields[Name]) =>
  showing(
    `read-alters-${kebab(field)}`,
    `GET of a plugin that has ${field} shows ${JSON.stringify(other)} instead of the registered value.`,
    field,
    (plugin) => (plugin[field].length > 0 ? { [field]: other } : {}),
  )
const releaseOf = (version: string): string => version.replace(/-.*$/, '')
const deletedOf = (isMeant: (type: string) => boolean) =>
  searching((asked, found, _all, { memory }) =>
    isMeant(asked.type) ? (found ?? deletedIn(memory).find(isAt(asked))) : found,
  )

export const readFaults = [
  showing('read-alters-type', 'GET of a plugin shows another type.', 'type', ({ type }) => ({
    type: type === 'auth' ? 'secret' : 'auth',
  })),
  showing('read-shows-type-secret', 'GET of any plugin shows the type secret.', 'type', () => ({ type: 'secret' })),
  showing('read-alters-name', 'GET of a plugin shows another name.', 'name', ({ name }) => ({ name: `${name}-other` })),
  altered('command', 'another-command'),
  altered('sha256', '0'.repeat(64)),
  altered('version', 'v9.9.9'),
  altered('args', ['--another']),
  altered('oci_image', 'another/image'),
  altered('runtime', 'another-runtime'),
  showing(
    'read-hides-build-metadata',
    'GET of a plugin shows the version without its build metadata.',
    'version',
    ({ version }) => (version.includes('+') ? { version: version.replace(/\+.*$/, '') } : {}),
  ),
  finding(
    'images-without-version-are-not-read',
    'GET does not find a plugin with an image that was registered without a version.',
    ({ version }, found) => (found && hasImage(found) && version === '' ? undefined : found),
  ),
  finding(
    'images-are-read-without-their-version',
    'GET without version returns a version of a plugin with an image.',
    (asked, found, all) =>
      found ??
      (asked.version === '' ? all.findLast((plugin) => isOfName(asked)(plugin) && hasImage(plugin)) : undefined),
  ),
  finding(
    'version-of-a-longer-name-is-read',
    'GET with a version returns the last plugin whose name begins with the requested name and that has this version.',
    ({ name, type, version }, found, all) =>
      version === ''
        ? found
        : all.findLast((one) => one.type === type && one.name.startsWith(name) && one.version === version),
  ),
  finding(
    'read-takes-a-longer-name',
    'GET returns the last plugin of the type whose name begins with the requested name.',
    ({ name, type, version }, _found, all) =>
      all.findLast((one) => one.type === type && one.name.startsWith(name) && one.version === version),
  ),
  finding(
    'read-ignores-the-type',
    'GET also returns a plugin of another type than the requested one.',
    ({ name, version }, found, all) => found ?? all.find((one) => one.name === name && one.version === version),
  ),
  finding(
    'read-ignores-version',
    'GET with version returns the newest version of the plugin, whichever was requested.',
    (asked, found, all) => (asked.version === '' ? found : all.findLast(isOfName(asked))),
  ),
  finding(
    'read-takes-a-longer-version',
    'GET with a version that does not exist returns a version that begins with it.',
    (asked, found, all) =>
      found ??
      (asked.version === ''
        ? undefined
        : all.find((one) => isOfName(asked)(one) && one.version.startsWith(asked.version))),
  ),
  finding(
    'read-falls-back-to-no-version',
    'GET with a version that does not exist returns the plugin without a version.',
    (asked, found, all) => found ?? all.find(isAt({ ...asked, version: '' })),
  ),
  finding(
    'read-version-optional',
    'GET without version returns the newest version if every registration has a version.',
    (asked, found, all) => found ?? (asked.version === '' ? all.findLast(isOfName(asked)) : undefined),
  ),
  finding(
    'read-without-version-finds-the-newest',
    'GET without version returns the newest version although there is a plugin without a version.',
    (asked, found, all) =>
      (asked.version === '' ? all.findLast((one) => isOfName(asked)(one) && one.version !== '') : undefined) ?? found,
  ),
  fault(
    'delete-keeps-reading',
    'GET still returns a plugin after its deletion.',
    ...remembersDeleted,
    deletedOf(() => true),
  ),
  ...(['auth', 'database'] as const).map((type) =>
    fault(
      `delete-of-${type}-keeps-reading`,
      `GET still returns a plugin of type ${type} after its deletion.`,
      ...remembersDeleted,
      deletedOf((asked) => asked === type),
    ),
  ),
  fault(
    'versions-lose-their-pre-release',
    'The pre-release part of a version is ignored: a pre-release and its release are the same version.',
    putting((plugin) => ({ ...plugin, version: releaseOf(plugin.version) })),
    searching((asked, _found, all) => all.find(isAt({ ...asked, version: releaseOf(asked.version) }))),
  ),
  naming('long-names-are-cut', 'Only the first 120 characters of the name of a plugin count.', ({ name }) => ({
    name: name.slice(0, 120),
  })),
  naming('names-are-cut', 'Only the first 48 characters of the name of a plugin count.', ({ name }) => ({
    name: name.slice(0, 48),
  })),
  naming(
    'names-end-at-a-dot',
    'The last dot of the name of a plugin and everything after it are ignored.',
    ({ name }) => ({ name: name.replace(/\.[^.]*$/, '') }),
  ),
]

type All = readonly Registered[]
const acrossTypes = (all: All, { name, version }: { readonly name: string; readonly version: string }): All =>
  all.filter((plugin) => plugin.name === name && plugin.version === version)

const ofTypes = (
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
        ? acrossTypes(all, asked).filter((plugin) => plugin.type === type || plugin.type === other)
        : named,
  ),
  deleting(
    `delete-of-a-version-of-${type}-takes-every-version`,
    `DELETE of a version of a plugin of type ${type} removes every version of the plugin.`,
    (named, all, asked) => (asked.type === type && asked.version !== '' ? all.filter(isOfName(asked)) : named),
  ),
  deleting(
    `delete-of-versions-of-${type}-ignored`,
    `DELETE of a version of a plugin of type ${type} succeeds but removes nothing.`,
    (named, _all, asked) => named.filter((plugin) => plugin.type !== type || asked.version === ''),
  ),
])

export const deletionFaults = [
  deleting('delete-of-images-ignored', 'DELETE of a plugin with an image succeeds but removes nothing.', (named) =>
    named.filter((plugin) => !hasImage(plugin)),
  ),
  deleting(
    'delete-of-an-image-takes-every-version',
    'DELETE of a version with an image removes every version of the plugin.',
    (named, all, asked) => (named.some(hasImage) ? all.filter(isOfName(asked)) : named),
  ),
  ...ofTypes,
  deleting(
    'deletion-minds-capitals',
    'DELETE of a name with capitals succeeds but removes nothing.',
    (_n, all, asked) => all.filter(isAt({ ...asked, name: asked.name.toLowerCase() })),
  ),
  deleting(
    'delete-falls-to-another-type',
    'If the type in the URL has no such plugin, DELETE removes the plugins of the other types with that name.',
    (named, all, asked) => (named.length > 0 ? named : acrossTypes(all, asked)),
  ),
  deleting(
    'delete-of-a-missing-version-takes-others',
    'DELETE of a version that is not registered removes the versions that are.',
    (named, all, asked) =>
      named.length > 0 || asked.version === ''
        ? named
        : all.filter((plugin) => isOfName(asked)(plugin) && plugin.version !== ''),
  ),
  fault(
    'second-deletion-ignored',
    'Deleting a plugin that was deleted before and registered again succeeds but removes nothing.',
    stored(
      'catalog',
      'put',
      (next, { memory }) =>
        (plugin) => {
          if (memory.get(keyOf(plugin)) === 'deleted') memory.set(keyOf(plugin), 'again')
          else memory.delete(keyOf(plugin))
          next(plugin)
        },
      ([plugin], { memory }) => memory.has(keyOf(plugin)),
    ),
    stored(
      'catalog',
      'remove',
      (next, { memory }) =>
        (asked) => {
          if (memory.get(keyOf(asked)) === 'again') return
          memory.set(keyOf(asked), 'deleted')
          next(asked)
        },
      ([asked], { context }) => at(context.catalog, asked) !== undefined,
    ),
  ),
  deleting(
    'delete-of-versions-takes-every-type',
    'DELETE with a version removes this version of the plugins of every type with the same name.',
    (named, all, asked) => (asked.version === '' ? named : acrossTypes(all, asked)),
  ),
  deleting(
    'delete-takes-every-type',
    'DELETE removes the plugins of every type with the same name and version.',
    (_named, all, asked) => acrossTypes(all, asked),
  ),
  deleting(
    'delete-ignores-version',
    'DELETE with a version succeeds but removes the plugin without a version instead.',
    (_named, all, asked) => all.filter(isAt({ ...asked, version: '' })),
  ),
  deleting(
    'delete-without-version-takes-the-newest',
    'DELETE without version removes the newest version.',
    (named, all, asked) => {
      const latest = newest(all.filter((plugin) => isOfName(asked)(plugin) && plugin.version !== ''))
      return asked.version === '' && latest ? [latest] : named
    },
  ),
  deleting(
    'delete-of-build-metadata-ignored',
    'DELETE reads a plus sign in a version as a space: it succeeds but removes nothing.',
    (named, _all, asked) => (asked.version.includes('+') ? [] : named),
  ),
  deleting(
    'delete-takes-longer-names',
    'DELETE also removes plugins whose names begin with the requested name.',
    (_named, all, { name, type, version }) =>
      all.filter((plugin) => plugin.type === type && plugin.name.startsWith(name) && plugin.version === version),
  ),
  deleting('delete-takes-every-version', 'DELETE removes every version of the plugin.', (_named, all, asked) =>
    all.filter(isOfName(asked)),
  ),
  fault(
    'delete-answers-a-refusal',
    'DELETE removes the plugin, but the reply is a refusal.',
    around('DELETE :type/:name', {
      async does(call, next) {
        await next(call)
        return refuse(`plugin ${call.params.name} was not deleted`)
      },
    }),
  ),
]
