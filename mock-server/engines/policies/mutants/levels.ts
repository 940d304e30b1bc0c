import type { Mutant } from '../../../kernel/contracts.ts'
import { type History, type Level, levels, type Written } from '../store.ts'
import type { LevelTables, Outcome, PoliciesTables } from '../tables.ts'
import { inActs, inField, inKind, inLevels, mutant } from './cells.ts'

type GoverningKind = 'rgp' | 'egp'

const shows = (kind: GoverningKind, level: Level, as: Level): Mutant<PoliciesTables> =>
  mutant(
    `${kind}-shows-${level}-as-${as}`,
    `GET of an ${kind.toUpperCase()} shows the level ${level} as ${as}.`,
    inLevels(kind, ({ shown }) => ({ shown: { ...shown, [level]: as } })),
  )

const fails = (kind: GoverningKind, level: Level, cells: Partial<LevelTables['failed'][Level]>) =>
  inLevels(kind, ({ failed }) => ({ failed: { ...failed, [level]: { ...failed[level], ...cells } } }))

const always = (outcome: Outcome): LevelTables['failed'][Level] => ({ plain: outcome, overridden: outcome })

const ranks: readonly string[] = levels
const rankOf = ({ enforcement_level: level }: Written): number => ranks.indexOf(level)

const byTheLowerLevel = (history: History): readonly Written[] => {
  const [before, now] = history.slice(-2)
  if (!before || !now || rankOf(now) <= rankOf(before)) return history.slice(-1)
  return [{ ...now, enforcement_level: before.enforcement_level }]
}

/** Mutants of enforcement levels. */
export const levelFaults = (kind: GoverningKind): readonly Mutant<PoliciesTables>[] => {
  const noun = `an ${kind.toUpperCase()}`
  return [
    mutant(
      `${kind}-update-keeps-level`,
      `Updating ${noun} keeps the earlier enforcement_level.`,
      inField(kind, 'enforcement_level', { update: (before) => before }),
    ),
    mutant(
      `${kind}-read-omits-level`,
      `The reply to GET of ${noun} lacks the field enforcement_level.`,
      inKind(kind, ({ shown }) => ({ shown: shown.filter((field) => field !== 'enforcement_level') })),
    ),
    shows(kind, 'advisory', 'soft-mandatory'),
    shows(kind, 'soft-mandatory', 'hard-mandatory'),
    shows(kind, 'hard-mandatory', 'soft-mandatory'),
    mutant(
      `${kind}-keeps-any-level`,
      `An unknown enforcement_level of ${noun} is accepted and stored as given.`,
      inLevels(kind, () => ({ unknown: (level) => level })),
    ),
    mutant(
      `${kind}-unknown-level-becomes-advisory`,
      `An unknown enforcement_level of ${noun} is accepted and stored as advisory.`,
      inLevels(kind, () => ({ unknown: () => 'advisory' })),
    ),
    mutant(
      `${kind}-keeps-longer-levels`,
      `An unknown enforcement_level of ${noun} that begins with a valid level is accepted and stored as given.`,
      inLevels(kind, () => ({
        unknown: (level) => (levels.some((known) => level.startsWith(known)) ? level : undefined),
      })),
    ),
    mutant(
      `${kind}-update-with-unknown-level-keeps-level`,
      `Updating ${noun} with an unknown enforcement_level succeeds and keeps the earlier level.`,
      inLevels(kind, () => ({ unknown: (_, before) => before })),
    ),
    mutant(
      `${kind}-override-lasts`,
      `After a request that overrode ${noun}, later requests need no override.`,
      inLevels(kind, () => ({ override: 'of-all-later-ones' })),
    ),
    mutant(
      `${kind}-long-text-allows-everything`,
      `${noun.replace(/^a/, 'A')} with more than 1024 characters allows every request.`,
      inKind(kind, () => ({ text: (given) => (given.length > 1024 ? 'main = rule { true }' : given) })),
    ),
    mutant(
      `${kind}-long-base64-is-not-decoded`,
      `The document of ${noun} is not decoded from base64 if the base64 text has more than 1024 characters.`,
      inKind(kind, () => ({ longestEncoded: 1024 })),
    ),
    mutant(
      `${kind}-raised-level-lags`,
      `After an update of ${noun} that raises its level, the earlier level stays in effect.`,
      inActs(kind, { updated: byTheLowerLevel }),
    ),
    mutant(
      `${kind}-level-optional`,
      `Creating ${noun} without enforcement_level succeeds with the level advisory.`,
      inField(kind, 'enforcement_level', { absentOnCreate: { value: 'advisory' } }),
    ),
    mutant(
      `${kind}-update-keeps-missing-level`,
      `Updating ${noun} without enforcement_level succeeds and keeps the earlier level.`,
      inField(kind, 'enforcement_level', { absentOnUpdate: 'kept' }),
    ),
    mutant(
      `${kind}-advisory-denies`,
      `A failing advisory ${kind.toUpperCase()} denies the request.`,
      fails(kind, 'advisory', always('denied')),
    ),
    mutant(
      `${kind}-soft-mandatory-lets-pass`,
      `A failing soft-mandatory ${kind.toUpperCase()} does not deny the request.`,
      fails(kind, 'soft-mandatory', always('warned')),
    ),
    mutant(
      `${kind}-soft-mandatory-ignores-override`,
      `A failing soft-mandatory ${kind.toUpperCase()} denies the request even if the request asks for an override.`,
      fails(kind, 'soft-mandatory', { overridden: 'denied' }),
    ),
    mutant(
      `${kind}-hard-mandatory-yields-to-override`,
      `A failing hard-mandatory ${kind.toUpperCase()} does not deny the request if the request asks for an override.`,
      fails(kind, 'hard-mandatory', { overridden: 'warned' }),
    ),
  ]
}

export const deletedRoleFault: Mutant<PoliciesTables> = mutant(
  'rgp-deleted-denies-all',
  'Every request with a token that has the name of a deleted RGP is refused.',
  inActs('rgp', {
    deleted: (history) =>
      history.slice(-1).map((written) => ({
        ...written,
        enforcement_level: 'hard-mandatory',
        rules: { evaluate: () => ({ passes: false, printed: [] }) },
      })),
  }),
)
