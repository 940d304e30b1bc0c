/** Mutants of the paths of EGPs, and of what RGPs govern. */
import type { Mutant } from '../../../kernel/contracts.ts'
import type { History, Written } from '../store.ts'
import type { PoliciesTables } from '../tables.ts'
import { inActs, inField, inKind, inPaths, mutant } from './cells.ts'

type Paths = readonly string[]

const first = (paths: Paths): Paths => paths.slice(0, 1)
const last = (paths: Paths): Paths => paths.slice(-1)
const join = (before: Paths, given: Paths): Paths => [...new Set([...before, ...given])]
const globs = (paths: Paths): Paths => paths.filter((path) => path.length > 1 && path.endsWith('*'))
const common = (before: Paths, given: Paths): Paths => given.filter((path) => before.includes(path))

/** After an update, the new text is in effect on the paths that `choose` makes of the earlier and the new ones. */
const onPaths =
  (choose: (before: Paths, given: Paths) => Paths) =>
  (history: History): readonly Written[] => {
    const [before, latest] = history.slice(-2)
    return before && latest ? [{ ...latest, paths: choose(before.paths, latest.paths) }] : []
  }

/** After a deletion, the latest text stays in effect on the chosen paths if the EGP had several. */
const stillOn =
  (choose: (paths: Paths) => Paths) =>
  (history: History): readonly Written[] =>
    history.slice(-1).flatMap((latest) => (latest.paths.length > 1 ? [{ ...latest, paths: choose(latest.paths) }] : []))

export const pathFaults: readonly Mutant<PoliciesTables>[] = [
  mutant(
    'egp-update-keeps-paths',
    'After an update of an EGP, its earlier paths stay stored and in effect instead of the new ones.',
    inField('egp', 'paths', { update: (before) => before }),
  ),
  mutant(
    'egp-update-adds-paths',
    'After an update of an EGP, its earlier paths stay stored and in effect in addition to the new ones.',
    inField('egp', 'paths', { update: join }),
  ),
  mutant(
    'egp-update-governs-old-paths',
    'After an update, an EGP still governs its earlier paths in addition to the new ones, but shows only the new ones.',
    inActs('egp', { updated: onPaths(join) }),
  ),
  mutant(
    'egp-update-misses-new-paths',
    'After an update, an EGP governs only those of its new paths that it already had before.',
    inActs('egp', { updated: onPaths(common) }),
  ),
  mutant(
    'egp-list-has-no-keys',
    'The reply to LIST of EGPs has name_path_map but no keys.',
    inKind('egp', () => ({ keys: () => undefined })),
  ),
  mutant('egp-map-omits-names', 'The reply to LIST of EGPs has an empty name_path_map.', inPaths({ mapped: [] })),
  mutant('egp-map-shows-first-path-only', 'name_path_map shows only the first of several paths of an EGP.', (tables) =>
    inPaths({ map: (paths, history) => tables.paths.map(first(paths), history) })(tables),
  ),
  mutant(
    'egp-map-hides-glob',
    'name_path_map shows a glob as an exact path, without its star.',
    inPaths({ map: (paths) => paths.map((path) => ({ path: path.replace(/\*$/, ''), glob: false })) }),
  ),
  mutant(
    'egp-map-keeps-deleted',
    'name_path_map still contains deleted EGPs.',
    inPaths({ mapped: ['written', 'deleted'] }),
  ),
  mutant(
    'egp-array-keeps-first',
    'Only the first path of an array is stored and governed.',
    inPaths({ fromList: first }),
  ),
  mutant('egp-array-keeps-last', 'Only the last path of an array is stored and governed.', inPaths({ fromList: last })),
  mutant(
    'egp-comma-list-is-one-path',
    'A comma-separated string of paths is stored as one path with commas in it.',
    inPaths({ fromText: (text) => [text] }),
  ),
  mutant(
    'egp-comma-list-keeps-first',
    'Only the first path of a comma-separated string is stored and governed.',
    inPaths({ fromText: (text) => first(text.split(',')) }),
  ),
  mutant(
    'egp-comma-list-keeps-last',
    'Only the last path of a comma-separated string is stored and governed.',
    inPaths({ fromText: (text) => last(text.split(',')) }),
  ),
  mutant(
    'egp-array-keeps-two',
    'Only the first two paths of an array are stored and governed.',
    inPaths({ fromList: (paths) => paths.slice(0, 2) }),
  ),
  mutant(
    'egp-comma-list-keeps-two',
    'Only the first two paths of a comma-separated string are stored and governed.',
    inPaths({ fromText: (text) => text.split(',').slice(0, 2) }),
  ),
  mutant(
    'egp-array-keeps-ten',
    'Only the first ten paths of an array are stored and governed.',
    inPaths({ fromList: (paths) => paths.slice(0, 10) }),
  ),
  mutant(
    'egp-comma-list-keeps-ten',
    'Only the first ten paths of a comma-separated string are stored and governed.',
    inPaths({ fromText: (text) => text.split(',').slice(0, 10) }),
  ),
  mutant(
    'egp-comma-list-drops-stars',
    'If a comma-separated string has several paths, each is stored without its trailing *.',
    inPaths({
      fromText: (text) => text.split(',').map((path, _, all) => (all.length > 1 ? path.replace(/\*$/, '') : path)),
    }),
  ),
  mutant(
    'egp-map-marks-all-as-the-first',
    'name_path_map marks all paths of an EGP as globs if the first one is a glob, and otherwise none.',
    inPaths({ map: (paths) => paths.map((path) => ({ path, glob: paths[0]?.endsWith('*') ?? false })) }),
  ),
  mutant(
    'egp-delete-unmaps-others',
    'Deleting an EGP also removes its paths from the entries of other EGPs in name_path_map.',
    inPaths({ unmaps: 'paths-of-every-name' }),
  ),
  mutant(
    'egp-update-changes-others-of-its-paths',
    'A write of an EGP also changes the level of the other EGPs with the same paths.',
    inPaths({ updates: 'every-egp-of-its-paths' }),
  ),
  mutant(
    'egp-globs-spare-logins',
    'An EGP whose path is a glob does not govern logins.',
    inPaths({ logins: 'spared-by-globs' }),
  ),
  mutant(
    'egp-spares-logins-at-its-path',
    'EGPs do not govern logins, unless their only path is *.',
    inPaths({ logins: 'spared' }),
  ),
  mutant(
    'egp-glob-governs-its-parent',
    'A glob that ends in a slash and a star also governs the path before that slash.',
    inPaths({ isGlob: (stem, asked) => asked.startsWith(stem) || `${asked}/` === stem }),
  ),
  mutant(
    'egp-paths-are-compared-as-sent',
    'The paths of EGPs are compared with the path of a request before its percent-encoding is decoded.',
    inPaths({ spelling: 'as-sent' }),
  ),
  mutant(
    'egp-glob-needs-a-slash',
    'A trailing * governs nothing if there is no slash before it.',
    inPaths({ isGlob: (stem, asked) => stem.includes('/') && asked.startsWith(stem) }),
  ),
  mutant(
    'egp-paths-are-compared-in-lower-case',
    'An EGP governs an exact path only in its lower-case spelling, even if the path has capitals.',
    inPaths({ isExact: (path, asked) => asked === path.toLowerCase() }),
  ),
  mutant('egp-map-shows-two-paths', 'name_path_map shows only the first two paths of an EGP.', (tables) =>
    inPaths({ map: (paths, history) => tables.paths.map(paths.slice(0, 2), history) })(tables),
  ),
  mutant(
    'egp-paths-lose-capitals',
    'The paths of an EGP are stored in lower case.',
    inPaths({
      fromList: (paths) => paths.map((path) => path.toLowerCase()),
      fromText: (text) => text.toLowerCase().split(','),
    }),
  ),
  mutant(
    'egp-created-again-keeps-paths',
    'An EGP that is created again has the paths from before its deletion.',
    inKind('egp', () => ({ revived: ['paths'] })),
  ),
  mutant(
    'egp-created-again-governs-old-paths',
    'An EGP that is created again governs its paths from before its deletion in addition to the new ones.',
    inActs('egp', { recreated: onPaths(join) }),
  ),
  mutant(
    'egp-glob-as-the-last-path-alone',
    'A trailing * is literal in all paths of an EGP except the last.',
    inPaths({ globs: (paths) => globs(last(paths)) }),
  ),
  mutant(
    'egp-exact-path-governs-below',
    'A path without a glob also governs everything below it.',
    inPaths({ isExact: (path, asked) => asked === path || asked.startsWith(`${path}/`) }),
  ),
  mutant(
    'egp-star-spares-lists',
    'The single path * governs everything except lists.',
    inPaths({ starVerbs: ['GET', 'POST', 'PATCH', 'DELETE'] }),
  ),
  mutant(
    'egp-star-spares-deletions',
    'The single path * governs everything except deletions.',
    inPaths({ starVerbs: ['GET', 'LIST', 'POST', 'PATCH'] }),
  ),
  mutant(
    'egp-star-spares-writes',
    'The single path * governs everything except writes other than logins.',
    inPaths({ starVerbs: ['GET', 'LIST', 'DELETE'] }),
  ),
  mutant(
    'egp-star-in-an-array-is-literal',
    'The single path * has no special meaning if it is given in an array.',
    inPaths({ fromList: (paths) => paths.map((path) => (path === '*' ? '*/' : path)) }),
  ),
  mutant(
    'egp-first-of-star-alone',
    'Only the first of several EGPs with the single path * is evaluated.',
    inPaths({ everywhere: (all) => all.slice(0, 1) }),
  ),
  mutant(
    'egp-read-omits-paths',
    'The reply to GET of an EGP lacks the field paths.',
    inKind('egp', ({ shown }) => ({ shown: shown.filter((field) => field !== 'paths') })),
  ),
  mutant(
    'egp-paths-optional',
    'Creating an EGP without the field paths succeeds and stores no paths.',
    inField('egp', 'paths', { absentOnCreate: { value: [] } }),
  ),
  mutant(
    'egp-update-keeps-missing-paths',
    'Updating an EGP without the field paths succeeds and keeps the earlier paths.',
    inField('egp', 'paths', { absentOnUpdate: 'kept' }),
  ),
  mutant(
    'egp-delete-keeps-first-path',
    'A deleted EGP with several paths still governs the first of them.',
    inActs('egp', { deleted: stillOn(first) }),
  ),
  mutant(
    'egp-delete-keeps-last-path',
    'A deleted EGP with several paths still governs the last of them.',
    inActs('egp', { deleted: stillOn(last) }),
  ),
  mutant(
    'egp-map-shows-earlier-paths',
    'After an update, name_path_map shows the earlier paths.',
    inPaths({ mappedOf: (history) => history.at(-2) ?? history.at(-1) }),
  ),
  mutant(
    'egp-glob-as-the-first-path-alone',
    'A trailing * is literal in all paths of an EGP except the first.',
    inPaths({ globs: (paths) => globs(first(paths)) }),
  ),
  mutant(
    'egp-delete-keeps-several-with-a-glob',
    'A deleted EGP with several paths still governs all of them if one is a glob.',
    inActs('egp', {
      deleted: (history) => history.slice(-1).filter(({ paths }) => paths.length > 1 && globs(paths).length > 0),
    }),
  ),
  mutant(
    'egp-delete-keeps-globs',
    'A deleted EGP still governs those of its paths that are globs.',
    inActs('egp', {
      deleted: (history) => history.slice(-1).map((latest) => ({ ...latest, paths: globs(latest.paths) })),
    }),
  ),
  mutant(
    'egp-update-keeps-globs',
    'After an update, an EGP still governs those of its earlier paths that are globs.',
    inActs('egp', { updated: onPaths((before, given) => join(globs(before), given)) }),
  ),
  mutant(
    'egp-first-of-a-path-alone',
    'Only the first of several EGPs that govern a path is evaluated.',
    inPaths({ several: (all) => all.slice(0, 1) }),
  ),
  mutant(
    'egp-last-of-a-path-alone',
    'Only the last of several EGPs that govern a path is evaluated.',
    inPaths({ several: (all) => all.slice(-1) }),
  ),
  mutant(
    'egp-delete-frees-others',
    'After the deletion of an EGP, other EGPs no longer govern its paths either.',
    inPaths({ deletion: 'every-egp' }),
  ),
  mutant(
    'egp-paths-in-an-object-is-taken',
    'A write of an EGP accepts an object that contains the paths instead of the paths.',
    inPaths({ objects: 'taken' }),
  ),
  mutant('rgp-first-of-a-token-alone', 'Only the first of several RGPs of a token is evaluated.', (tables) => ({
    ...tables,
    rgps: (all) => all.slice(0, 1),
  })),
  mutant('rgp-last-of-a-token-alone', 'Only the last of several RGPs of a token is evaluated.', (tables) => ({
    ...tables,
    rgps: (all) => all.slice(-1),
  })),
  mutant('rgp-spares-lists', 'RGPs are not evaluated for lists.', (tables) => ({
    ...tables,
    rgpVerbs: ['GET', 'POST', 'PATCH', 'DELETE'],
  })),
  mutant('rgp-spares-deletions', 'RGPs are not evaluated for deletions.', (tables) => ({
    ...tables,
    rgpVerbs: ['GET', 'LIST', 'POST', 'PATCH'],
  })),
  mutant('rgp-spares-writes', 'RGPs are not evaluated for writes.', (tables) => ({
    ...tables,
    rgpVerbs: ['GET', 'LIST', 'DELETE'],
  })),
  mutant('rgp-spares-logged-in', 'RGPs do not govern tokens that were issued by a login.', (tables) => ({
    ...tables,
    rgpTokens: 'not-of-logins',
  })),
  mutant(
    'egp-exact-path-as-prefix',
    'A path without a glob governs every path that begins with it.',
    inPaths({ isExact: (path, asked) => asked.startsWith(path) }),
  ),
  mutant(
    'egp-glob-is-literal',
    'A trailing * after a prefix is literal.',
    inPaths({ isGlob: (stem, asked) => asked === `${stem}*` }),
  ),
  mutant(
    'egp-glob-stops-at-a-slash',
    'A trailing * matches the rest of one segment only.',
    inPaths({ isGlob: (stem, asked) => asked.startsWith(stem) && !asked.slice(stem.length).includes('/') }),
  ),
  mutant(
    'egp-spares-lists',
    'EGPs are not evaluated for lists.',
    inPaths({ verbs: ['GET', 'POST', 'PATCH', 'DELETE'] }),
  ),
  mutant('egp-governs-reads-only', 'EGPs are evaluated only for reads and lists.', inPaths({ verbs: ['GET', 'LIST'] })),
  mutant(
    'egp-glob-is-a-suffix',
    'The part before a trailing * is compared with the end of the path.',
    inPaths({ isGlob: (stem, asked) => asked.endsWith(stem) }),
  ),
  mutant(
    'egp-glob-is-too-wide',
    'The part before a trailing * is compared without its last character.',
    inPaths({ isGlob: (stem, asked) => asked.startsWith(stem.slice(0, -1)) }),
  ),
  mutant(
    'egp-star-spares-authenticated',
    'The single path * governs login requests only.',
    inPaths({ star: ['login'] }),
  ),
  mutant(
    'egp-star-spares-logins',
    'The single path * governs authenticated requests only.',
    inPaths({ star: ['authenticated'] }),
  ),
]
