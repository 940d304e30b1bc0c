/** These are the mutants of the paths of EGPs, and of what RGPs govern. The file is long because each rule about a path has its own fault. */
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

/** After an update, the latest text acts on paths made of the earlier and the given ones. */
const onPaths =
  (choose: (before: Paths, given: Paths) => Paths) =>
  (history: History): readonly Written[] => {
    const [before, latest] = history.slice(-2)
    return before && latest ? [{ ...latest, paths: choose(before.paths, latest.paths) }] : []
  }

/** After a deletion, the latest text still acts on one of its paths. */
const stillOn =
  (choose: (paths: Paths) => Paths) =>
  (history: History): readonly Written[] =>
    history.slice(-1).flatMap((latest) => (latest.paths.length > 1 ? [{ ...latest, paths: choose(latest.paths) }] : []))

/** These are the mutants of the paths of EGPs, and of what RGPs govern. */
export const pathFaults: readonly Mutant<PoliciesTables>[] = [
  mutant(
    'egp-update-keeps-paths',
    'Updating an EGP keeps the earlier paths, as stored and in effect.',
    inField('egp', 'paths', { update: (before) => before }),
  ),
  mutant(
    'egp-update-adds-paths',
    'Updating an EGP adds the new paths to the earlier ones, as stored and in effect.',
    inField('egp', 'paths', { update: join }),
  ),
  mutant(
    'egp-update-governs-old-paths',
    'After an update an EGP still governs its earlier paths in addition to the new ones.',
    inActs('egp', { updated: onPaths(join) }),
  ),
  mutant(
    'egp-update-misses-new-paths',
    'After an update an EGP governs only those of its paths that it had before.',
    inActs('egp', { updated: onPaths(common) }),
  ),
  mutant(
    'egp-list-has-no-keys',
    'LIST of EGPs answers with name_path_map and without keys.',
    inKind('egp', () => ({ keys: () => undefined })),
  ),
  mutant('egp-map-omits-names', 'LIST of EGPs answers with an empty name_path_map.', inPaths({ mapped: [] })),
  mutant('egp-map-shows-first-path-only', 'name_path_map shows only the first of several paths of an EGP.', (tables) =>
    inPaths({ map: (paths, history) => tables.paths.map(first(paths), history) })(tables),
  ),
  mutant(
    'egp-map-hides-glob',
    'name_path_map shows a glob path like an exact one, without its star.',
    inPaths({ map: (paths) => paths.map((path) => ({ path: path.replace(/\*$/, ''), glob: false })) }),
  ),
  mutant(
    'egp-map-keeps-deleted',
    'name_path_map still has the names of deleted EGPs.',
    inPaths({ mapped: ['written', 'deleted'] }),
  ),
  mutant(
    'egp-array-keeps-first',
    'Of paths given as an array only the first is stored and governed.',
    inPaths({ fromList: first }),
  ),
  mutant(
    'egp-array-keeps-last',
    'Of paths given as an array only the last is stored and governed.',
    inPaths({ fromList: last }),
  ),
  mutant(
    'egp-comma-list-is-one-path',
    'Paths given as a text are stored as one path with commas in it.',
    inPaths({ fromText: (text) => [text] }),
  ),
  mutant(
    'egp-comma-list-keeps-first',
    'Of paths given as a text with commas only the first is stored and governed.',
    inPaths({ fromText: (text) => first(text.split(',')) }),
  ),
  mutant(
    'egp-comma-list-keeps-last',
    'Of paths given as a text with commas only the last is stored and governed.',
    inPaths({ fromText: (text) => last(text.split(',')) }),
  ),
  mutant(
    'egp-array-keeps-two',
    'Of paths given as an array only the first two are stored and governed.',
    inPaths({ fromList: (paths) => paths.slice(0, 2) }),
  ),
  mutant(
    'egp-comma-list-keeps-two',
    'Of paths given as a text with commas only the first two are stored and governed.',
    inPaths({ fromText: (text) => text.split(',').slice(0, 2) }),
  ),
  mutant(
    'egp-array-keeps-ten',
    'Of paths given as an array only the first ten are stored and governed.',
    inPaths({ fromList: (paths) => paths.slice(0, 10) }),
  ),
  mutant(
    'egp-comma-list-keeps-ten',
    'Of paths given as a text with commas only the first ten are stored and governed.',
    inPaths({ fromText: (text) => text.split(',').slice(0, 10) }),
  ),
  mutant(
    'egp-comma-list-drops-stars',
    'Of several paths given as a text with commas each is stored without its trailing *.',
    inPaths({
      fromText: (text) => text.split(',').map((path, _, all) => (all.length > 1 ? path.replace(/\*$/, '') : path)),
    }),
  ),
  mutant(
    'egp-map-marks-all-as-the-first',
    'name_path_map marks all paths of an EGP as globs, or none, by the first of them.',
    inPaths({ map: (paths) => paths.map((path) => ({ path, glob: paths[0]?.endsWith('*') ?? false })) }),
  ),
  mutant(
    'egp-delete-unmaps-others',
    'Deleting an EGP takes its paths out of name_path_map under the names of others, too.',
    inPaths({ unmaps: 'paths-of-every-name' }),
  ),
  mutant(
    'egp-update-changes-others-of-its-paths',
    'A write of an EGP gives its level to the other EGPs with the same paths, too.',
    inPaths({ updates: 'every-egp-of-its-paths' }),
  ),
  mutant(
    'egp-globs-spare-logins',
    'An EGP whose path is a glob does not govern logins.',
    inPaths({ logins: 'spared-by-globs' }),
  ),
  mutant('egp-spares-logins-at-its-path', 'Only the single path * governs logins.', inPaths({ logins: 'spared' })),
  mutant(
    'egp-glob-governs-its-parent',
    'A trailing * behind a slash governs the path before that slash, too.',
    inPaths({ isGlob: (stem, asked) => asked.startsWith(stem) || `${asked}/` === stem }),
  ),
  mutant(
    'egp-paths-are-compared-as-sent',
    'The paths of EGPs are compared with that of a request before its percent escapes are decoded.',
    inPaths({ spelling: 'as-sent' }),
  ),
  mutant(
    'egp-glob-needs-a-slash',
    'A trailing * governs nothing where no slash is before it.',
    inPaths({ isGlob: (stem, asked) => stem.includes('/') && asked.startsWith(stem) }),
  ),
  mutant(
    'egp-paths-are-compared-in-lower-case',
    'An EGP governs its exact paths in lower case only, however they were written.',
    inPaths({ isExact: (path, asked) => asked === path.toLowerCase() }),
  ),
  mutant('egp-map-shows-two-paths', 'name_path_map shows two of several paths of an EGP.', (tables) =>
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
    'An EGP that is created again also governs its paths from before its deletion.',
    inActs('egp', { recreated: onPaths(join) }),
  ),
  mutant(
    'egp-glob-as-the-last-path-alone',
    'A trailing * is taken literally in all paths of an EGP but the last.',
    inPaths({ globs: (paths) => globs(last(paths)) }),
  ),
  mutant(
    'egp-exact-path-governs-below',
    'A path without a glob governs what is below it, too.',
    inPaths({ isExact: (path, asked) => asked === path || asked.startsWith(`${path}/`) }),
  ),
  mutant(
    'egp-star-spares-lists',
    'The single path * governs everything but lists.',
    inPaths({ starVerbs: ['GET', 'POST', 'PATCH', 'DELETE'] }),
  ),
  mutant(
    'egp-star-spares-deletions',
    'The single path * governs everything but deletions.',
    inPaths({ starVerbs: ['GET', 'LIST', 'POST', 'PATCH'] }),
  ),
  mutant(
    'egp-star-spares-writes',
    'The single path * governs logins, and of other requests everything but writes.',
    inPaths({ starVerbs: ['GET', 'LIST', 'DELETE'] }),
  ),
  mutant(
    'egp-star-in-an-array-is-literal',
    'The single path * in an array is a path like any other.',
    inPaths({ fromList: (paths) => paths.map((path) => (path === '*' ? '*/' : path)) }),
  ),
  mutant(
    'egp-first-of-star-alone',
    'Of the EGPs with the single path * only the first is asked.',
    inPaths({ everywhere: (all) => all.slice(0, 1) }),
  ),
  mutant(
    'egp-read-omits-paths',
    'GET of an EGP answers without paths.',
    inKind('egp', ({ shown }) => ({ shown: shown.filter((field) => field !== 'paths') })),
  ),
  mutant(
    'egp-paths-optional',
    'Creating an EGP without paths succeeds, with no paths.',
    inField('egp', 'paths', { absentOnCreate: { value: [] } }),
  ),
  mutant(
    'egp-update-keeps-missing-paths',
    'Updating an EGP without paths succeeds and keeps the earlier ones.',
    inField('egp', 'paths', { absentOnUpdate: 'kept' }),
  ),
  mutant(
    'egp-delete-keeps-first-path',
    'A deleted EGP of several paths goes on governing the first of them.',
    inActs('egp', { deleted: stillOn(first) }),
  ),
  mutant(
    'egp-delete-keeps-last-path',
    'A deleted EGP of several paths goes on governing the last of them.',
    inActs('egp', { deleted: stillOn(last) }),
  ),
  mutant(
    'egp-map-shows-earlier-paths',
    'After an update name_path_map shows the paths of before.',
    inPaths({ mappedOf: (history) => history.at(-2) ?? history.at(-1) }),
  ),
  mutant(
    'egp-glob-as-the-first-path-alone',
    'A trailing * is taken literally in all paths of an EGP but the first.',
    inPaths({ globs: (paths) => globs(first(paths)) }),
  ),
  mutant(
    'egp-delete-keeps-several-with-a-glob',
    'A deleted EGP of several paths goes on governing all of them if one is a glob.',
    inActs('egp', {
      deleted: (history) => history.slice(-1).filter(({ paths }) => paths.length > 1 && globs(paths).length > 0),
    }),
  ),
  mutant(
    'egp-delete-keeps-globs',
    'A deleted EGP goes on governing those of its paths that are globs.',
    inActs('egp', {
      deleted: (history) => history.slice(-1).map((latest) => ({ ...latest, paths: globs(latest.paths) })),
    }),
  ),
  mutant(
    'egp-update-keeps-globs',
    'After an update an EGP still governs those of its earlier paths that are globs.',
    inActs('egp', { updated: onPaths((before, given) => join(globs(before), given)) }),
  ),
  mutant(
    'egp-first-of-a-path-alone',
    'Of the EGPs that govern a path only the first is asked.',
    inPaths({ several: (all) => all.slice(0, 1) }),
  ),
  mutant(
    'egp-last-of-a-path-alone',
    'Of the EGPs that govern a path only the last is asked.',
    inPaths({ several: (all) => all.slice(-1) }),
  ),
  mutant(
    'egp-delete-frees-others',
    'Deleting an EGP removes other EGPs from its paths, too.',
    inPaths({ deletion: 'every-egp' }),
  ),
  mutant(
    'egp-paths-in-an-object-is-taken',
    'The paths of an EGP are taken out of an object.',
    inPaths({ objects: 'taken' }),
  ),
  mutant('rgp-first-of-a-token-alone', 'Of the RGPs of a token only the first is asked.', (tables) => ({
    ...tables,
    rgps: (all) => all.slice(0, 1),
  })),
  mutant('rgp-last-of-a-token-alone', 'Of the RGPs of a token only the last is asked.', (tables) => ({
    ...tables,
    rgps: (all) => all.slice(-1),
  })),
  mutant('rgp-spares-lists', 'RGPs are not asked of listing.', (tables) => ({
    ...tables,
    rgpVerbs: ['GET', 'POST', 'PATCH', 'DELETE'],
  })),
  mutant('rgp-spares-deletions', 'RGPs are not asked of deletions.', (tables) => ({
    ...tables,
    rgpVerbs: ['GET', 'LIST', 'POST', 'PATCH'],
  })),
  mutant('rgp-spares-writes', 'RGPs are not asked of writes.', (tables) => ({
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
    'A trailing * behind a prefix is taken literally.',
    inPaths({ isGlob: (stem, asked) => asked === `${stem}*` }),
  ),
  mutant(
    'egp-glob-stops-at-a-slash',
    'A trailing * matches the rest of one segment only.',
    inPaths({ isGlob: (stem, asked) => asked.startsWith(stem) && !asked.slice(stem.length).includes('/') }),
  ),
  mutant('egp-spares-lists', 'EGPs are not asked of listing.', inPaths({ verbs: ['GET', 'POST', 'PATCH', 'DELETE'] })),
  mutant('egp-governs-reads-only', 'EGPs are asked of reading and listing only.', inPaths({ verbs: ['GET', 'LIST'] })),
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
