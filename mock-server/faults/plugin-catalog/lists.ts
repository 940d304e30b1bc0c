/** Faults of LIST, and of GET of the catalog. */
import { type PluginType, types } from '../../engines/plugin-catalog/rules.ts'
import type { Registered } from '../../engines/plugin-catalog/store.ts'
import {
  at,
  deletedIn,
  fault,
  faults,
  type Here,
  hasImage,
  isOfName,
  keyOf,
  remembersDeleted,
  seeing,
  stored,
} from './catalog-operations.ts'

type View = Parameters<typeof seeing>[1]
type Filter = (plugin: Registered, deleted: readonly Registered[]) => boolean

const only =
  (type: PluginType, view: View): View =>
  (asked, own, here) =>
    asked === type ? view(asked, own, here) : own
const nothing: View = () => []
const everyType: View = (_type, _own, { context }) => context.catalog.all()
const those =
  (isShown: Filter): View =>
  (_type, own, { memory }) =>
    own.filter((plugin) => isShown(plugin, deletedIn(memory)))
const alsoDeleted =
  (isShown: (plugin: Registered) => boolean = () => true): View =>
  (type, own, { memory }) => [...own, ...deletedIn(memory).filter((plugin) => plugin.type === type && isShown(plugin))]

const ofLatestType: View = (_type, own, { context }) => {
  const latest = new Map(context.catalog.all().map(({ name, type }) => [name, type]))
  return own.filter(({ name, type }) => latest.get(name) === type)
}

const listed = (view: View) => seeing('LIST :type', view)
const catalog = (view: View) => seeing('GET ', view)
const afterDeletion = (operation: 'LIST :type' | 'GET ', view: View) => [remembersDeleted, seeing(operation, view)]

const listFaults = (type: PluginType) =>
  faults({
    [`${type}-list-omits`]: `LIST of type ${type} leaves out registered plugins.`,
    [`${type}-list-keeps-deleted`]: `LIST of type ${type} still names deleted plugins.`,
    [`${type}-list-shows-every-type`]: `LIST of type ${type} names registered plugins of every type.`,
    [`catalog-omits-${type}`]: `GET of the catalog leaves out registered plugins of type ${type}.`,
  }).by({
    [`${type}-list-omits`]: listed(only(type, nothing)),
    [`${type}-list-keeps-deleted`]: afterDeletion('LIST :type', only(type, alsoDeleted())),
    [`${type}-list-shows-every-type`]: listed(only(type, everyType)),
    [`catalog-omits-${type}`]: catalog(only(type, nothing)),
  })

const hasNoVersion: Filter = ({ version }) => version === ''
const hasNoDeletedVersion: Filter = (plugin, deleted) => !deleted.some(isOfName(plugin))

/** Remembers the plugins that were updated, or registered again after a deletion. */
const remembersAgain = [
  stored(
    'catalog',
    'put',
    ([plugin], next, { context, memory }) => {
      const isAgain = at(context.catalog, plugin) !== undefined || memory.has(keyOf(plugin))
      if (isAgain) memory.set(keyOf(plugin), 'again')
      next(plugin)
    },
    ([plugin], { context, memory }) => at(context.catalog, plugin) !== undefined || memory.has(keyOf(plugin)),
  ),
  stored(
    'catalog',
    'remove',
    ([asked], next, { memory }) => {
      memory.set(keyOf(asked), 'deleted')
      next(asked)
    },
    ([asked], { context }) => at(context.catalog, asked) !== undefined,
  ),
]
const isNotAgain =
  ({ memory }: Here) =>
  (plugin: Registered): boolean =>
    memory.get(keyOf(plugin)) !== 'again'

export const viewFaults = [
  ...faults({
    'catalog-keeps-deleted': 'GET of the catalog still shows deleted plugins.',
    'list-drops-names-with-a-deleted-version': 'LIST of type secret leaves out plugins of which a version was deleted.',
    'catalog-drops-names-with-a-deleted-version':
      'GET of the catalog leaves out plugins of which a version was deleted.',
    'list-omits-versions': 'LIST of type secret leaves out plugins that were registered with a version.',
    'catalog-omits-versions': 'GET of the catalog leaves out plugins that were registered with a version.',
    'catalog-mixes-types': 'GET of the catalog shows every registered plugin under every type.',
    'lists-omit-images': 'LIST leaves out plugins with an image.',
    'catalog-omits-images': 'GET of the catalog leaves out plugins with an image.',
    'lists-name-the-latest-type-only': 'LIST names a plugin only under the type under which it was registered last.',
    'catalog-shows-the-latest-type-only':
      'GET of the catalog shows a plugin only under the type under which it was registered last.',
    'secret-list-names-25-at-most': 'LIST of type secret names at most 25 plugins.',
    'catalog-names-25-of-type-secret-at-most': 'GET of the catalog names at most 25 plugins of type secret.',
  }).by({
    'catalog-keeps-deleted': afterDeletion('GET ', alsoDeleted()),
    'list-drops-names-with-a-deleted-version': afterDeletion('LIST :type', only('secret', those(hasNoDeletedVersion))),
    'catalog-drops-names-with-a-deleted-version': afterDeletion('GET ', those(hasNoDeletedVersion)),
    'list-omits-versions': listed(only('secret', those(hasNoVersion))),
    'catalog-omits-versions': catalog(those(hasNoVersion)),
    'catalog-mixes-types': catalog(everyType),
    'lists-omit-images': listed(those((plugin) => !hasImage(plugin))),
    'catalog-omits-images': catalog(those((plugin) => !hasImage(plugin))),
    'lists-name-the-latest-type-only': listed(ofLatestType),
    'catalog-shows-the-latest-type-only': catalog(ofLatestType),
    'secret-list-names-25-at-most': listed(only('secret', (_type, own) => own.slice(0, 25))),
    'catalog-names-25-of-type-secret-at-most': catalog(only('secret', (_type, own) => own.slice(0, 25))),
  }),
  ...types.flatMap(listFaults),
  ...(
    [
      ['LIST :type', 'LIST', 'lists-drop-versions-beside-a-deleted-one', 'lists-keep-deleted-versions'],
      ['GET ', 'GET of the catalog', 'catalog-drops-versions-beside-a-deleted-one', 'catalog-keeps-deleted-versions'],
    ] as const
  ).flatMap(([operation, noun, dropping, keeping]) => [
    fault(
      dropping,
      `${noun} leaves out the versions of a plugin of which another version was deleted.`,
      afterDeletion(
        operation,
        those((plugin, deleted) => plugin.version === '' || hasNoDeletedVersion(plugin, deleted)),
      ),
    ),
    fault(
      keeping,
      `${noun} still names plugins whose versions were deleted.`,
      afterDeletion(
        operation,
        alsoDeleted(({ version }) => version !== ''),
      ),
    ),
  ]),
  ...(['list', 'catalog'] as const).map((view) =>
    fault(
      `${view}-omits-what-was-registered-again`,
      `${view === 'list' ? 'LIST of type secret' : 'GET of the catalog'} leaves out plugins that were updated, or registered again after a deletion.`,
      ...remembersAgain,
      seeing(
        view === 'list' ? 'LIST :type' : 'GET ',
        only('secret', (_type, own, here) => own.filter(isNotAgain(here))),
      ),
    ),
  ),
  ...(['auth', 'database'] as const).map((type) =>
    fault(
      `catalog-keeps-deleted-of-${type}`,
      `GET of the catalog still shows deleted plugins of type ${type}.`,
      afterDeletion('GET ', only(type, alsoDeleted())),
    ),
  ),
]
