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
  faults,
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
  fault(
    `read-alters-${kebab(field)}`,
    `GET of a plugin that has ${field} shows ${JSON.stringify(other)} instead of the registered value.`,
    showing(field, (plugin) => (plugin[field].length > 0 ? { [field]: other } : {})),
  )
const releaseOf = (version: string): string => version.replace(/-.*$/, '')
const deletedOf = (isMeant: (type: string) => boolean) =>
  searching((asked, found, _all, { memory }) =>
    isMeant(asked.type) ? (found ?? deletedIn(memory).find(isAt(asked))) : found,
  )

export const readFaults = [
  ...faults({
    'read-alters-type': 'GET of a plugin shows another type.',
    'read-shows-type-secret': 'GET of any plugin shows the type secret.',
    'read-alters-name': 'GET of a plugin shows another name.',
    'read-hides-build-metadata': 'GET of a plugin shows the version without its build metadata.',
    'images-without-version-are-not-read':
      'GET does not find a plugin with an image that was registered without a version.',
    'images-are-read-without-their-version': 'GET without version returns a version of a plugin with an image.',
    'version-of-a-longer-name-is-read':
      'GET with a version returns the last plugin whose name begins with the requested name and that has this version.',
    'read-takes-a-longer-name': 'GET returns the last plugin of the type whose name begins with the requested name.',
    'read-ignores-the-type': 'GET also returns a plugin of another type than the requested one.',
    'read-ignores-version': 'GET with version returns the newest version of the plugin, whichever was requested.',
    'read-takes-a-longer-version': 'GET with a version that does not exist returns a version that begins with it.',
    'read-falls-back-to-no-version': 'GET with a version that does not exist returns the plugin without a version.',
    'read-version-optional': 'GET without version returns the newest version if every registration has a version.',
    'read-without-version-finds-the-newest':
      'GET without version returns the newest version although there is a plugin without a version.',
    'delete-keeps-reading': 'GET still returns a plugin after its deletion.',
    'versions-lose-their-pre-release':
      'The pre-release part of a version is ignored: a pre-release and its release are the same version.',
    'long-names-are-cut': 'Only the first 120 characters of the name of a plugin count.',
    'names-are-cut': 'Only the first 48 characters of the name of a plugin count.',
    'names-end-at-a-dot': 'The last dot of the name of a plugin and everything after it are ignored.',
  }).by({
    'read-alters-type': showing('type', ({ type }) => ({ type: type === 'auth' ? 'secret' : 'auth' })),
    'read-shows-type-secret': showing('type', () => ({ type: 'secret' })),
    'read-alters-name': showing('name', ({ name }) => ({ name: `${name}-other` })),
    'read-hides-build-metadata': showing('version', ({ version }) =>
      version.includes('+') ? { version: version.replace(/\+.*$/, '') } : {},
    ),
    'images-without-version-are-not-read': finding(({ version }, found) =>
      found && hasImage(found) && version === '' ? undefined : found,
    ),
    'images-are-read-without-their-version': finding(
      (asked, found, all) =>
        found ??
        (asked.version === '' ? all.findLast((plugin) => isOfName(asked)(plugin) && hasImage(plugin)) : undefined),
    ),
    'version-of-a-longer-name-is-read': finding(({ name, type, version }, found, all) =>
      version === ''
        ? found
        : all.findLast((one) => one.type === type && one.name.startsWith(name) && one.version === version),
    ),
    'read-takes-a-longer-name': finding(({ name, type, version }, _found, all) =>
      all.findLast((one) => one.type === type && one.name.startsWith(name) && one.version === version),
    ),
    'read-ignores-the-type': finding(
      ({ name, version }, found, all) => found ?? all.find((one) => one.name === name && one.version === version),
    ),
    'read-ignores-version': finding((asked, found, all) =>
      asked.version === '' ? found : all.findLast(isOfName(asked)),
    ),
    'read-takes-a-longer-version': finding(
      (asked, found, all) =>
        found ??
        (asked.version === ''
          ? undefined
          : all.find((one) => isOfName(asked)(one) && one.version.startsWith(asked.version))),
    ),
    'read-falls-back-to-no-version': finding((asked, found, all) => found ?? all.find(isAt({ ...asked, version: '' }))),
    'read-version-optional': finding(
      (asked, found, all) => found ?? (asked.version === '' ? all.findLast(isOfName(asked)) : undefined),
    ),
    'read-without-version-finds-the-newest': finding(
      (asked, found, all) =>
        (asked.version === '' ? all.findLast((one) => isOfName(asked)(one) && one.version !== '') : undefined) ?? found,
    ),
    'delete-keeps-reading': [remembersDeleted, deletedOf(() => true)],
    'versions-lose-their-pre-release': [
      putting((plugin) => ({ ...plugin, version: releaseOf(plugin.version) })),
      searching((asked, _found, all) => all.find(isAt({ ...asked, version: releaseOf(asked.version) }))),
    ],
    'long-names-are-cut': naming(({ name }) => ({ name: name.slice(0, 120) })),
    'names-are-cut': naming(({ name }) => ({ name: name.slice(0, 48) })),
    'names-end-at-a-dot': naming(({ name }) => ({ name: name.replace(/\.[^.]*$/, '') })),
  }),
  altered('command', 'another-command'),
  altered('sha256', '0'.repeat(64)),
  altered('version', 'v9.9.9'),
  altered('args', ['--another']),
  altered('oci_image', 'another/image'),
  altered('runtime', 'another-runtime'),
  ...(['auth', 'database'] as const).map((type) =>
    fault(
      `delete-of-${type}-keeps-reading`,
      `GET still returns a plugin of type ${type} after its deletion.`,
      ...remembersDeleted,
      deletedOf((asked) => asked === type),
    ),
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
).flatMap(([type, other]) =>
  faults({
    [`delete-of-${type}-takes-type-${other}`]: `DELETE of a plugin of type ${type} also removes the plugin of type ${other} with the same name and version.`,
    [`delete-of-a-version-of-${type}-takes-every-version`]: `DELETE of a version of a plugin of type ${type} removes every version of the plugin.`,
    [`delete-of-versions-of-${type}-ignored`]: `DELETE of a version of a plugin of type ${type} succeeds but removes nothing.`,
  }).by({
    [`delete-of-${type}-takes-type-${other}`]: deleting((named, all, asked) =>
      asked.type === type
        ? acrossTypes(all, asked).filter((plugin) => plugin.type === type || plugin.type === other)
        : named,
    ),
    [`delete-of-a-version-of-${type}-takes-every-version`]: deleting((named, all, asked) =>
      asked.type === type && asked.version !== '' ? all.filter(isOfName(asked)) : named,
    ),
    [`delete-of-versions-of-${type}-ignored`]: deleting((named, _all, asked) =>
      named.filter((plugin) => plugin.type !== type || asked.version === ''),
    ),
  }),
)

export const deletionFaults = [
  ...faults({
    'delete-of-images-ignored': 'DELETE of a plugin with an image succeeds but removes nothing.',
    'delete-of-an-image-takes-every-version': 'DELETE of a version with an image removes every version of the plugin.',
    'deletion-minds-capitals': 'DELETE of a name with capitals succeeds but removes nothing.',
    'delete-falls-to-another-type':
      'If the type in the URL has no such plugin, DELETE removes the plugins of the other types with that name.',
    'delete-of-a-missing-version-takes-others':
      'DELETE of a version that is not registered removes the versions that are.',
    'second-deletion-ignored':
      'Deleting a plugin that was deleted before and registered again succeeds but removes nothing.',
    'delete-of-versions-takes-every-type':
      'DELETE with a version removes this version of the plugins of every type with the same name.',
    'delete-takes-every-type': 'DELETE removes the plugins of every type with the same name and version.',
    'delete-ignores-version': 'DELETE with a version succeeds but removes the plugin without a version instead.',
    'delete-without-version-takes-the-newest': 'DELETE without version removes the newest version.',
    'delete-of-build-metadata-ignored':
      'DELETE reads a plus sign in a version as a space: it succeeds but removes nothing.',
    'delete-takes-longer-names': 'DELETE also removes plugins whose names begin with the requested name.',
    'delete-takes-every-version': 'DELETE removes every version of the plugin.',
    'delete-answers-a-refusal': 'DELETE removes the plugin, but the reply is a refusal.',
  }).by({
    'delete-of-images-ignored': deleting((named) => named.filter((plugin) => !hasImage(plugin))),
    'delete-of-an-image-takes-every-version': deleting((named, all, asked) =>
      named.some(hasImage) ? all.filter(isOfName(asked)) : named,
    ),
    'deletion-minds-capitals': deleting((_n, all, asked) =>
      all.filter(isAt({ ...asked, name: asked.name.toLowerCase() })),
    ),
    'delete-falls-to-another-type': deleting((named, all, asked) =>
      named.length > 0 ? named : acrossTypes(all, asked),
    ),
    'delete-of-a-missing-version-takes-others': deleting((named, all, asked) =>
      named.length > 0 || asked.version === ''
        ? named
        : all.filter((plugin) => isOfName(asked)(plugin) && plugin.version !== ''),
    ),
    'second-deletion-ignored': [
      stored(
        'catalog',
        'put',
        ([plugin], next, { memory }) => {
          if (memory.get(keyOf(plugin)) === 'deleted') memory.set(keyOf(plugin), 'again')
          else memory.delete(keyOf(plugin))
          next(plugin)
        },
        ([plugin], { memory }) => memory.has(keyOf(plugin)),
      ),
      stored(
        'catalog',
        'remove',
        ([asked], next, { memory }) => {
          if (memory.get(keyOf(asked)) === 'again') return
          memory.set(keyOf(asked), 'deleted')
          next(asked)
        },
        ([asked], { context }) => at(context.catalog, asked) !== undefined,
      ),
    ],
    'delete-of-versions-takes-every-type': deleting((named, all, asked) =>
      asked.version === '' ? named : acrossTypes(all, asked),
    ),
    'delete-takes-every-type': deleting((_named, all, asked) => acrossTypes(all, asked)),
    'delete-ignores-version': deleting((_named, all, asked) => all.filter(isAt({ ...asked, version: '' }))),
    'delete-without-version-takes-the-newest': deleting((named, all, asked) => {
      const latest = newest(all.filter((plugin) => isOfName(asked)(plugin) && plugin.version !== ''))
      return asked.version === '' && latest ? [latest] : named
    }),
    'delete-of-build-metadata-ignored': deleting((named, _all, asked) => (asked.version.includes('+') ? [] : named)),
    'delete-takes-longer-names': deleting((_named, all, { name, type, version }) =>
      all.filter((plugin) => plugin.type === type && plugin.name.startsWith(name) && plugin.version === version),
    ),
    'delete-takes-every-version': deleting((_named, all, asked) => all.filter(isOfName(asked))),
    'delete-answers-a-refusal': around('DELETE :type/:name', {
      async does(call, next) {
        await next(call)
        return refuse(`plugin ${call.params.name} was not deleted`)
      },
    }),
  }),
  ...ofTypes,
]
