/** Mutants of the single path `*`, and of several EGPs or paths that a request matches. */
import type { Mutant } from '../../../kernel/contracts.ts'
import type { History, Written } from '../store.ts'
import type { PoliciesTables } from '../tables.ts'
import { inActs, inPaths, mutant } from './cells.ts'

const isStar = ({ paths }: Written): boolean => paths.join() === '*'

/** After an update of the text, the latest text acts on one of the paths, and the earlier text on the others. */
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
  mutant(
    'egp-delete-keeps-the-star',
    'A deleted EGP with the single path * goes on acting.',
    inActs('egp', { deleted: (history) => history.slice(-1).filter(isStar) }),
  ),
  mutant(
    'egp-update-keeps-the-star',
    'An EGP that had the single path * goes on acting as before beside its update.',
    inActs('egp', { updated: (history) => [...history.slice(-2, -1).filter(isStar), ...history.slice(-1)] }),
  ),
  mutant(
    'egp-update-misses-the-star',
    'An EGP that gets the single path * by an update acts on the paths that it had before.',
    inActs('egp', {
      updated: (history) =>
        history.slice(-1).map((written) => (isStar(written) ? { ...written, paths: history[0].paths } : written)),
    }),
  ),
  mutant(
    'egp-of-a-path-alone-beside-the-star',
    'Where EGPs of its path and of the single path * match a request, the former alone are evaluated.',
    inPaths({ besideStar: 'the-others' }),
  ),
  mutant(
    'egp-of-the-star-alone-beside-a-path',
    'Where EGPs of its path and of the single path * match a request, the latter alone are evaluated.',
    inPaths({ besideStar: 'those-of-the-star' }),
  ),
  mutant(
    'egp-longest-glob-alone',
    'Of the EGPs whose globs match a request, those with the longest glob alone are evaluated.',
    inPaths({ ofGlobs: 'the-longest' }),
  ),
  mutant(
    'egp-update-reaches-its-first-path-alone',
    'The new text of an EGP acts on the first of its paths, and the earlier one on the others.',
    inActs('egp', { updated: onOnePath('first') }),
  ),
  mutant(
    'egp-update-reaches-its-last-path-alone',
    'The new text of an EGP acts on its paths behind the first, and the earlier one on that.',
    inActs('egp', { updated: onOnePath('last') }),
  ),
  mutant(
    'egp-spares-logged-in',
    'EGPs do not govern the requests of tokens that were issued by a login.',
    inPaths({ tokens: 'not-of-logins' }),
  ),
  mutant(
    'egp-map-keeps-glob-marks',
    'name_path_map marks the paths of an updated EGP as globs where those before the update were.',
    (tables) =>
      inPaths({
        map: (paths, history) =>
          tables.paths
            .map(paths, history)
            .map((one, at) => ({ ...one, glob: (history[0].paths[at] ?? one.path).endsWith('*') })),
      })(tables),
  ),
]
