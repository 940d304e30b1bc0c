/** Faults of the paths of EGPs: how they are stored, shown and kept. */
import { mapped, pathsIn } from '../../engines/policies/handlers.ts'
import type { Fields } from '../../engines/policies/store.ts'
import {
  type Asked,
  accepting,
  after,
  faults,
  type Here,
  inEffectWhen,
  inKind,
  inPaths,
  isStar,
  listing,
  mapping,
  type PathMap,
  pastOf,
  pastsOf,
  remembers,
  stored,
  writing,
} from './policy-operations.ts'

type Paths = readonly string[]

const first = (paths: Paths): Paths => paths.slice(0, 1)
const last = (paths: Paths): Paths => paths.slice(-1)
const join = (before: Paths, given: Paths): Paths => [...new Set([...before, ...given])]
const globs = (paths: Paths): Paths => paths.filter((path) => path.length > 1 && path.endsWith('*'))
const none: Paths = []

const givenIn = ({ call }: Asked, { context }: Pick<Here, 'context'>): Paths | undefined => {
  try {
    return pathsIn(call.body, context.rules.paths)
  } catch {
    return undefined
  }
}
const isMissing = ({ call }: Asked): boolean => {
  const { paths } = call.body
  return paths === undefined || paths === null || paths === '' || (Array.isArray(paths) && paths.length === 0)
}
const isList = ({ call }: Asked): boolean =>
  Array.isArray(call.body.paths) && call.body.paths.every((path) => typeof path === 'string')
const textsOf = (value: unknown): Paths =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.values(value).filter((one) => typeof one === 'string')
    : []

const lists = (change: (paths: Paths) => Paths) =>
  writing('egp', isList, ({ call }) => ({ paths: change(call.body.paths as Paths) }))
const texts = (fromText: (paths: Paths) => Paths) => inPaths({ fromText: (text) => fromText(text.split(',')) })

/** After an update or a creation, the new text is in effect on the paths that `choose` makes of the earlier and the new
 * ones. */
const onPaths = (state: 'updated' | 'recreated', choose: (before: Paths, given: Paths) => Paths) =>
  inEffectWhen('egp', state, ({ before, now }) => [{ ...now, paths: choose(before?.paths ?? none, now.paths) }])

/** After a deletion, the latest text stays in effect on the chosen paths. */
const stillOn = (choose: (paths: Paths) => Paths) =>
  inEffectWhen('egp', 'deleted', ({ now }) => {
    const paths = choose(now.paths)
    return paths.length > 0 ? [{ ...now, paths }] : []
  })
const ofSeveral = (choose: (paths: Paths) => Paths) => stillOn((paths) => (paths.length > 1 ? choose(paths) : none))

/** After an update of the text alone, the new text is in effect on the chosen path, and the earlier text on the others. */
const onOnePath = (chosen: 'first' | 'last') =>
  inEffectWhen('egp', 'updated', ({ before, now }) => {
    if (!before || now.paths.length < 2 || before.paths.join() !== now.paths.join()) return [now]
    const [own, others] = [now.paths.slice(0, 1), now.paths.slice(1)]
    const [late, early] = chosen === 'first' ? [own, others] : [others, own]
    return [
      { ...now, paths: late },
      { ...before, paths: early },
    ]
  })

const deletedPaths = (here: Here): Paths =>
  pastsOf('egp', here).flatMap(({ state, now }) => (state === 'deleted' ? now.paths : []))
const wasStar = (fields: Fields | undefined): readonly Fields[] => (fields && isStar(fields) ? [fields] : [])
const withoutStar = (path: string): string => path.replace(/\*$/, '')
const update = (change: (before: Paths, given: Paths) => Paths) =>
  writing(
    'egp',
    (what, here) => what.found !== undefined && givenIn(what, here) !== undefined,
    (what, here) => ({ paths: change(what.found?.paths ?? none, givenIn(what, here) ?? none) }),
  )

export const pathFaults = faults({
  'egp-update-keeps-paths':
    'After an update of an EGP, its earlier paths stay stored and in effect instead of the new ones.',
  'egp-update-adds-paths':
    'After an update of an EGP, its earlier paths stay stored and in effect in addition to the new ones.',
  'egp-update-governs-old-paths':
    'After an update, an EGP still governs its earlier paths in addition to the new ones, but shows only the new ones.',
  'egp-update-misses-new-paths':
    'After an update, an EGP governs only those of its new paths that it already had before.',
  'egp-list-has-no-keys': 'The reply to LIST of EGPs has name_path_map but no keys.',
  'egp-map-omits-names': 'The reply to LIST of EGPs has an empty name_path_map.',
  'egp-map-shows-first-path-only': 'name_path_map shows only the first of several paths of an EGP.',
  'egp-map-hides-glob': 'name_path_map shows a glob as an exact path, without its star.',
  'egp-map-keeps-deleted': 'name_path_map still contains deleted EGPs.',
  'egp-array-keeps-first': 'Only the first path of an array is stored and governed.',
  'egp-array-keeps-last': 'Only the last path of an array is stored and governed.',
  'egp-comma-list-is-one-path': 'A comma-separated string of paths is stored as one path with commas in it.',
  'egp-comma-list-keeps-first': 'Only the first path of a comma-separated string is stored and governed.',
  'egp-comma-list-keeps-last': 'Only the last path of a comma-separated string is stored and governed.',
  'egp-array-keeps-two': 'Only the first two paths of an array are stored and governed.',
  'egp-comma-list-keeps-two': 'Only the first two paths of a comma-separated string are stored and governed.',
  'egp-array-keeps-ten': 'Only the first ten paths of an array are stored and governed.',
  'egp-comma-list-keeps-ten': 'Only the first ten paths of a comma-separated string are stored and governed.',
  'egp-comma-list-drops-stars': 'If a comma-separated string has several paths, each is stored without its trailing *.',
  'egp-map-marks-all-as-the-first':
    'name_path_map marks all paths of an EGP as globs if the first one is a glob, and otherwise none.',
  'egp-delete-unmaps-others': 'Deleting an EGP also removes its paths from the entries of other EGPs in name_path_map.',
  'egp-update-changes-others-of-its-paths':
    'A write of an EGP also changes the level of the other EGPs with the same paths.',
  'egp-glob-governs-its-parent': 'A glob that ends in a slash and a star also governs the path before that slash.',
  'egp-glob-needs-a-slash': 'A trailing * governs nothing if there is no slash before it.',
  'egp-paths-are-compared-in-lower-case':
    'An EGP governs an exact path only in its lower-case spelling, even if the path has capitals.',
  'egp-map-shows-two-paths': 'name_path_map shows only the first two paths of an EGP.',
  'egp-paths-lose-capitals': 'The paths of an EGP are stored in lower case.',
  'egp-created-again-keeps-paths': 'An EGP that is created again has the paths from before its deletion.',
  'egp-created-again-governs-old-paths':
    'An EGP that is created again governs its paths from before its deletion in addition to the new ones.',
  'egp-exact-path-governs-below': 'A path without a glob also governs everything below it.',
  'egp-star-in-an-array-is-literal': 'The single path * has no special meaning if it is given in an array.',
  'egp-read-omits-paths': 'The reply to GET of an EGP lacks the field paths.',
  'egp-paths-optional': 'Creating an EGP without the field paths succeeds and stores no paths.',
  'egp-update-keeps-missing-paths': 'Updating an EGP without the field paths succeeds and keeps the earlier paths.',
  'egp-delete-keeps-first-path': 'A deleted EGP with several paths still governs the first of them.',
  'egp-delete-keeps-last-path': 'A deleted EGP with several paths still governs the last of them.',
  'egp-map-shows-earlier-paths': 'After an update, name_path_map shows the earlier paths.',
  'egp-delete-keeps-several-with-a-glob':
    'A deleted EGP with several paths still governs all of them if one is a glob.',
  'egp-delete-keeps-globs': 'A deleted EGP still governs those of its paths that are globs.',
  'egp-update-keeps-globs': 'After an update, an EGP still governs those of its earlier paths that are globs.',
  'egp-delete-frees-others': 'After the deletion of an EGP, other EGPs no longer govern its paths either.',
  'egp-paths-in-an-object-is-taken':
    'A write of an EGP accepts an object that contains the paths instead of the paths.',
  'egp-exact-path-as-prefix': 'A path without a glob governs every path that begins with it.',
  'egp-glob-is-literal': 'A trailing * after a prefix is literal.',
  'egp-glob-stops-at-a-slash': 'A trailing * matches the rest of one segment only.',
  'egp-glob-is-a-suffix': 'The part before a trailing * is compared with the end of the path.',
  'egp-glob-is-too-wide': 'The part before a trailing * is compared without its last character.',
  'egp-map-omits-the-star': 'name_path_map leaves out the paths of an EGP with the single path *.',
  'egp-map-has-25-names-at-most': 'name_path_map shows at most 25 EGPs.',
  'egp-delete-keeps-the-star': 'A deleted EGP with the single path * stays in effect.',
  'egp-update-keeps-the-star':
    'After an update of an EGP with the single path *, its earlier version stays in effect besides the new one.',
  'egp-update-misses-the-star': 'An EGP that gets the single path * by an update still governs its earlier paths only.',
  'egp-update-reaches-its-first-path-alone':
    'After an update of the text of an EGP, the new text is in effect on its first path only.',
  'egp-update-reaches-its-last-path-alone':
    'After an update of the text of an EGP, the earlier text stays in effect on its first path.',
  'egp-map-keeps-glob-marks':
    'After an update of the paths of an EGP, name_path_map keeps the glob marks of the earlier paths.',
}).by({
  'egp-update-keeps-paths': update((before) => before),
  'egp-update-adds-paths': update(join),
  'egp-update-governs-old-paths': onPaths('updated', join),
  'egp-update-misses-new-paths': onPaths('updated', (before, given) => given.filter((path) => before.includes(path))),
  'egp-list-has-no-keys': listing('egp', () => ({ keys: undefined as never })),
  'egp-map-omits-names': listing('egp', () => ({ name_path_map: {} })),
  'egp-map-shows-first-path-only': mapping((shown) => shown.slice(0, 1)),
  'egp-map-hides-glob': mapping((shown) => shown.map(({ path }) => ({ path: withoutStar(path), glob: false }))),
  'egp-map-keeps-deleted': [
    remembers('egp'),
    listing(
      'egp',
      ({ name_path_map: map }, here) => {
        const deleted = pastsOf('egp', here).filter(({ state }) => state === 'deleted')
        const gone = deleted.map(({ name, now }) => [name, now.paths.map(mapped)] as const)
        return { name_path_map: { ...map, ...Object.fromEntries(gone) } }
      },
      (here) => deletedPaths(here).length > 0,
    ),
  ],
  'egp-array-keeps-first': lists(first),
  'egp-array-keeps-last': lists(last),
  'egp-comma-list-is-one-path': texts((paths) => [paths.join()]),
  'egp-comma-list-keeps-first': texts(first),
  'egp-comma-list-keeps-last': texts(last),
  'egp-array-keeps-two': lists((paths) => paths.slice(0, 2)),
  'egp-comma-list-keeps-two': texts((paths) => paths.slice(0, 2)),
  'egp-array-keeps-ten': lists((paths) => paths.slice(0, 10)),
  'egp-comma-list-keeps-ten': texts((paths) => paths.slice(0, 10)),
  'egp-comma-list-drops-stars': texts((paths) => (paths.length > 1 ? paths.map(withoutStar) : paths)),
  'egp-map-marks-all-as-the-first': mapping((shown) => shown.map((one) => ({ ...one, glob: shown[0]?.glob ?? false }))),
  'egp-delete-unmaps-others': [
    remembers('egp'),
    mapping((shown, _, here) => shown.filter(({ path }) => !deletedPaths(here).includes(path))),
  ],
  'egp-update-changes-others-of-its-paths': after(
    'write',
    'egp',
    () => true,
    ({ name }, { context: { store } }) => {
      const written = store.find('egp', name)
      for (const other of store.all('egp'))
        if (written && other !== written && other.paths.join() === written.paths.join())
          store.put({ ...other, enforcement_level: written.enforcement_level })
    },
  ),
  'egp-glob-governs-its-parent': inPaths({ isGlob: (stem, asked) => asked.startsWith(stem) || `${asked}/` === stem }),
  'egp-glob-needs-a-slash': inPaths({ isGlob: (stem, asked) => stem.includes('/') && asked.startsWith(stem) }),
  'egp-paths-are-compared-in-lower-case': inPaths({ isExact: (path, asked) => asked === path.toLowerCase() }),
  'egp-map-shows-two-paths': mapping((shown) => shown.slice(0, 2)),
  'egp-paths-lose-capitals': writing(
    'egp',
    (what, here) => givenIn(what, here) !== undefined,
    (what, here) => ({ paths: (givenIn(what, here) ?? none).map((path) => path.toLowerCase()) }),
  ),
  'egp-created-again-keeps-paths': [
    remembers('egp'),
    writing(
      'egp',
      ({ name }, here) => pastOf('egp', name, here)?.state === 'deleted',
      ({ name }, here) => ({ paths: pastOf('egp', name, here)?.now.paths }),
    ),
  ],
  'egp-created-again-governs-old-paths': onPaths('recreated', join),
  'egp-exact-path-governs-below': inPaths({ isExact: (path, asked) => asked === path || asked.startsWith(`${path}/`) }),
  'egp-star-in-an-array-is-literal': lists((paths) => paths.map((path) => (path === '*' ? '*/' : path))),
  'egp-read-omits-paths': inKind('egp', ({ shown }) => ({ shown: shown.filter((field) => field !== 'paths') })),
  'egp-paths-optional': accepting(
    'egp',
    (what) => !what.found && isMissing(what),
    () => ({ paths: ['none'] }),
    () => ({ paths: [] }),
  ),
  'egp-update-keeps-missing-paths': writing(
    'egp',
    (what) => what.found !== undefined && isMissing(what),
    ({ found }) => ({ paths: found?.paths }),
  ),
  'egp-delete-keeps-first-path': ofSeveral(first),
  'egp-delete-keeps-last-path': ofSeveral(last),
  'egp-map-shows-earlier-paths': [
    remembers('egp'),
    mapping((shown, name, here) => pastOf('egp', name, here)?.before?.paths.map(mapped) ?? shown),
  ],
  'egp-delete-keeps-several-with-a-glob': ofSeveral((paths) => (globs(paths).length > 0 ? paths : none)),
  'egp-delete-keeps-globs': stillOn(globs),
  'egp-update-keeps-globs': onPaths('updated', (before, given) => join(globs(before), given)),
  'egp-delete-frees-others': [
    remembers('egp'),
    stored(
      'governing',
      'egps',
      (_given, next, here) =>
        next().map((policy) => ({
          ...policy,
          paths: policy.paths.filter((path) => path === '*' || !deletedPaths(here).includes(path)),
        })),
      (_, here) => deletedPaths(here).length > 0,
    ),
  ],
  'egp-paths-in-an-object-is-taken': writing(
    'egp',
    ({ call }) => textsOf(call.body.paths).length > 0,
    ({ call }) => ({ paths: textsOf(call.body.paths) }),
  ),
  'egp-exact-path-as-prefix': inPaths({ isExact: (path, asked) => asked.startsWith(path) }),
  'egp-glob-is-literal': inPaths({ isGlob: (stem, asked) => asked === `${stem}*` }),
  'egp-glob-stops-at-a-slash': inPaths({
    isGlob: (stem, asked) => asked.startsWith(stem) && !asked.slice(stem.length).includes('/'),
  }),
  'egp-glob-is-a-suffix': inPaths({ isGlob: (stem, asked) => asked.endsWith(stem) }),
  'egp-glob-is-too-wide': inPaths({ isGlob: (stem, asked) => asked.startsWith(stem.slice(0, -1)) }),
  'egp-map-omits-the-star': mapping((shown) => shown.filter(({ path }) => path !== '*')),
  'egp-map-has-25-names-at-most': listing(
    'egp',
    ({ name_path_map: map = {} }: { readonly name_path_map?: PathMap }) => ({
      name_path_map: Object.fromEntries(Object.entries(map).slice(0, 25)),
    }),
  ),
  'egp-delete-keeps-the-star': stillOn((paths) => (isStar({ paths }) ? paths : none)),
  'egp-update-keeps-the-star': inEffectWhen('egp', 'updated', ({ before, now }) => [...wasStar(before), now]),
  'egp-update-misses-the-star': inEffectWhen('egp', 'updated', ({ before, now }) => [
    isStar(now) ? { ...now, paths: before?.paths ?? now.paths } : now,
  ]),
  'egp-update-reaches-its-first-path-alone': onOnePath('first'),
  'egp-update-reaches-its-last-path-alone': onOnePath('last'),
  'egp-map-keeps-glob-marks': [
    remembers('egp'),
    mapping((shown, name, here) => {
      const before = pastOf('egp', name, here)?.before?.paths ?? none
      return shown.map((one, at) => ({ ...one, glob: (before[at] ?? one.path).endsWith('*') }))
    }),
  ],
})
