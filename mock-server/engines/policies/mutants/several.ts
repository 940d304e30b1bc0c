/** Mutants of the single path `*`, and of several EGPs or paths that a request matches. */
import type { Mutant } from '../../../kernel/contracts.ts'
import type { History, Written } from '../store.ts'
import type { PoliciesTables } from '../tables.ts'
import { inActs, inPaths, mutant } from './cells.ts'

const isStar = ({ paths }: Written): boolean => paths.join() === '*'

/** After an update of the text alone, the new text is in effect on some paths, and the earlier text on the others.
 * With `first`, the new text is in effect on the first path; with `last`, on all paths but the first. */
const onOnePath =
  (chosen: 'first' | 'last') =>
  (history: History): readonly Written[] => {
    const [before, now] = history.slice(-2)
    if (!before || !now || now.paths.length < 2 || before.paths.join() !== now.paths.join()) return history.slice(-1)
    const [own, others] = [now.paths.slice(0, 1), now.paths.slice(1)]
    const [late, early] = chosen === 'first' ? [own, others] : [others, own]
    return [
      { ...now, paths: late },
      { ...before, paths: early },
    ]
  }

export const severalFaults: readonly Mutant<PoliciesTables>[] = [
  mutant('egp-map-omits-the-star', 'name_path_map leaves out the paths of an EGP with the single path *.', (tables) =>
    inPaths({
      map: (paths, history) =>
        tables.paths.map(
          paths.filter((path) => path !== '*'),
          history,
        ),
    })(tables),
  ),
  mutant('egp-map-has-25-names-at-most', 'name_path_map shows at most 25 EGPs.', (tables) => ({
    ...tables,
    paths: { ...tables.paths, mappedMost: 25 },
  })),
  mutant(
    'egp-first-of-several-globs-alone',
    'A trailing * is literal in all paths of an EGP except the first that ends in one.',
    (tables) => inPaths({ globs: (paths) => tables.paths.globs(paths).slice(0, 1) })(tables),
  ),
  mutant(
    'egp-last-of-several-globs-alone',
    'A trailing * is literal in all paths of an EGP except the last that ends in one.',
    (tables) => inPaths({ globs: (paths) => tables.paths.globs(paths).slice(-1) })(tables),
  ),
  mutant(
    'egp-star-spares-puts',
    'The single path * does not govern requests with the method PUT.',
    inPaths({ spared: ({ method }, isStar) => isStar && method === 'PUT' }),
  ),
  mutant(
    'egp-star-spares-queries',
    'The single path * does not govern requests that have a query besides `list`.',
    inPaths({ spared: ({ query }, isStar) => isStar && [...query.keys()].some((name) => name !== 'list') }),
  ),
  ...(
    [
      ['lists-by-get', 'a list that is requested with GET', ({ method, verb }) => method === 'GET' && verb === 'LIST'],
      [
        'queries',
        'requests that have a query besides `list`',
        ({ query }) => [...query.keys()].some((name) => name !== 'list'),
      ],
      [
        'changes-below-sys',
        'writes and deletions below `sys/`',
        ({ path, verb }) => path.startsWith('sys/') && ['POST', 'DELETE'].includes(verb),
      ],
    ] as const satisfies readonly (readonly [string, string, PoliciesTables['rgpSpares']])[]
  ).map(([what, words, rgpSpares]) =>
    mutant(`rgp-spares-${what}`, `RGPs do not govern ${words}.`, (tables) => ({ ...tables, rgpSpares })),
  ),
  mutant('rgp-first-two-of-a-token-alone', 'Only the first two RGPs of a token are evaluated.', (tables) => ({
    ...tables,
    rgps: (all) => all.slice(0, 2),
  })),
  mutant(
    'egp-delete-keeps-the-star',
    'A deleted EGP with the single path * stays in effect.',
    inActs('egp', { deleted: (history) => history.slice(-1).filter(isStar) }),
  ),
  mutant(
    'egp-update-keeps-the-star',
    'After an update of an EGP with the single path *, its earlier version stays in effect besides the new one.',
    inActs('egp', { updated: (history) => [...history.slice(-2, -1).filter(isStar), ...history.slice(-1)] }),
  ),
  mutant(
    'egp-update-misses-the-star',
    'An EGP that gets the single path * by an update still governs its earlier paths only.',
    inActs('egp', {
      updated: (history) =>
        history.slice(-1).map((written) => (isStar(written) ? { ...written, paths: history[0].paths } : written)),
    }),
  ),
  mutant(
    'egp-of-a-path-alone-beside-the-star',
    'If a request matches EGPs with its path and EGPs with the single path *, only those with its path are evaluated.',
    inPaths({ besideStar: 'the-others' }),
  ),
  mutant(
    'egp-of-the-star-alone-beside-a-path',
    'If a request matches EGPs with its path and EGPs with the single path *, only those with * are evaluated.',
    inPaths({ besideStar: 'those-of-the-star' }),
  ),
  mutant(
    'egp-longest-glob-alone',
    'If the globs of several EGPs match a request, only the EGPs with the longest glob are evaluated.',
    inPaths({ ofGlobs: 'the-longest' }),
  ),
  mutant(
    'egp-update-reaches-its-first-path-alone',
    'After an update of the text of an EGP, the new text is in effect on its first path only.',
    inActs('egp', { updated: onOnePath('first') }),
  ),
  mutant(
    'egp-update-reaches-its-last-path-alone',
    'After an update of the text of an EGP, the earlier text stays in effect on its first path.',
    inActs('egp', { updated: onOnePath('last') }),
  ),
  mutant(
    'egp-spares-puts',
    'EGPs do not govern requests with the method PUT.',
    inPaths({ spared: ({ method }) => method === 'PUT' }),
  ),
  mutant(
    'egp-spares-lists-by-get',
    'EGPs do not govern a list that is requested with GET.',
    inPaths({ spared: ({ method, verb }) => method === 'GET' && verb === 'LIST' }),
  ),
  mutant(
    'egp-spares-queries',
    'EGPs do not govern requests that have a query besides `list`.',
    inPaths({ spared: ({ query }) => [...query.keys()].some((name) => name !== 'list') }),
  ),
  mutant(
    'egp-spares-changes-below-sys',
    'EGPs do not govern writes and deletions below `sys/`.',
    inPaths({ spared: ({ path, verb }) => path.startsWith('sys/') && ['POST', 'DELETE'].includes(verb) }),
  ),
  mutant(
    'egp-spares-paths-of-tokens',
    'EGPs with other paths than * do not govern requests below `auth/token/`.',
    inPaths({ spared: ({ path }, isStar) => !isStar && path.startsWith('auth/token/') }),
  ),
  mutant(
    'egp-star-spares-paths-of-tokens',
    'The single path * does not govern requests below `auth/token/`.',
    inPaths({ spared: ({ path }, isStar) => isStar && path.startsWith('auth/token/') }),
  ),
  mutant('rgp-spares-puts', 'RGPs do not govern requests with the method PUT.', (tables) => ({
    ...tables,
    rgpSpares: ({ method }) => method === 'PUT',
  })),
  mutant(
    'rgp-delete-spares-logged-in',
    'The deletion of an RGP has no effect on tokens that were issued by a login.',
    (tables) => ({ ...tables, deletedRgps: 'of-logins' }),
  ),
  mutant(
    'failing-advisory-ends-evaluation',
    'After a policy that failed without denying the request, no other policy is evaluated.',
    (tables) => ({ ...tables, afterWarning: 'allowed' }),
  ),
  mutant(
    'egp-spares-logged-in',
    'EGPs do not govern the requests of tokens that were issued by a login.',
    inPaths({ tokens: 'not-of-logins' }),
  ),
  mutant(
    'egp-map-keeps-glob-marks',
    'After an update of the paths of an EGP, name_path_map keeps the glob marks of the earlier paths.',
    (tables) =>
      inPaths({
        map: (paths, history) =>
          tables.paths
            .map(paths, history)
            .map((one, at) => ({ ...one, glob: (history[0].paths[at] ?? one.path).endsWith('*') })),
      })(tables),
  ),
]
