/** Faults of enforcement levels. */
import { type GoverningKind, isLevel, type PoliciesRules } from '../../engines/policies/rules.ts'
import { type Level, levels } from '../../engines/policies/store.ts'
import { harmless, textIn, undecoded } from './each-kind.ts'
import {
  type Asked,
  accepting,
  fault,
  faults,
  inEffectWhen,
  inKind,
  nounOf,
  on,
  rule,
  stored,
  withData,
  writing,
} from './policy-operations.ts'

const levelIn = ({ call }: Asked): unknown => call.body.enforcement_level || undefined
const isUnknown = (what: Asked): boolean => {
  const level = levelIn(what)
  return typeof level === 'string' && !isLevel(level)
}

const shows = (kind: GoverningKind, level: Level, as: Level) =>
  fault(
    `${kind}-shows-${level}-as-${as}`,
    `GET of an ${kind.toUpperCase()} shows the level ${level} as ${as}.`,
    on(
      'read',
      kind,
      ({ found }) => found?.enforcement_level === level,
      async (_, next) => withData(await next(), (data) => ({ ...data, enforcement_level: as })),
    ),
  )

const denies = (kind: GoverningKind, changed: Partial<PoliciesRules['levels'][GoverningKind]>) =>
  rule(({ levels: all }) => ({ levels: { ...all, [kind]: { ...all[kind], ...changed } } }))

const ranks: readonly string[] = levels

export const levelFaults = (kind: GoverningKind) => {
  const noun = nounOf[kind]
  /** Stores an unknown level as it was given. */
  const keepsUnknown = (isKept: (level: string) => boolean) =>
    accepting(
      kind,
      (what) => isUnknown(what) && isKept(String(levelIn(what))),
      () => ({ enforcement_level: 'advisory' }),
      (what) => ({ enforcement_level: levelIn(what) }),
    )
  return [
    ...faults({
      [`${kind}-update-keeps-level`]: `Updating ${noun} keeps the earlier enforcement_level.`,
      [`${kind}-read-omits-level`]: `The reply to GET of ${noun} lacks the field enforcement_level.`,
      [`${kind}-keeps-any-level`]: `An unknown enforcement_level of ${noun} is accepted and stored as given.`,
      [`${kind}-unknown-level-becomes-advisory`]: `An unknown enforcement_level of ${noun} is accepted and stored as advisory.`,
      [`${kind}-keeps-longer-levels`]: `An unknown enforcement_level of ${noun} that begins with a valid level is accepted and stored as given.`,
      [`${kind}-update-with-unknown-level-keeps-level`]: `Updating ${noun} with an unknown enforcement_level succeeds and keeps the earlier level.`,
      [`${kind}-override-lasts`]: `After a request that overrode ${noun}, later requests need no override.`,
      [`${kind}-long-text-allows-everything`]: `${noun.replace(/^a/, 'A')} with more than 1024 characters allows every request.`,
      [`${kind}-long-base64-is-not-decoded`]: `The document of ${noun} is not decoded from base64 if the base64 text has more than 1024 characters.`,
      [`${kind}-raised-level-lags`]: `After an update of ${noun} that raises its level, the earlier level stays in effect.`,
      [`${kind}-level-optional`]: `Creating ${noun} without enforcement_level succeeds with the level advisory.`,
      [`${kind}-update-keeps-missing-level`]: `Updating ${noun} without enforcement_level succeeds and keeps the earlier level.`,
      [`${kind}-advisory-denies`]: `A failing advisory ${kind.toUpperCase()} denies the request.`,
      [`${kind}-soft-mandatory-lets-pass`]: `A failing soft-mandatory ${kind.toUpperCase()} does not deny the request.`,
      [`${kind}-soft-mandatory-ignores-override`]: `A failing soft-mandatory ${kind.toUpperCase()} denies the request even if the request asks for an override.`,
      [`${kind}-hard-mandatory-yields-to-override`]: `A failing hard-mandatory ${kind.toUpperCase()} does not deny the request if the request asks for an override.`,
    }).by({
      [`${kind}-update-keeps-level`]: writing(
        kind,
        (what) => what.found !== undefined && levelIn(what) !== undefined && !isUnknown(what),
        ({ found }) => ({ enforcement_level: found?.enforcement_level }),
      ),
      [`${kind}-read-omits-level`]: inKind(kind, ({ shown }) => ({
        shown: shown.filter((field) => field !== 'enforcement_level'),
      })),
      [`${kind}-keeps-any-level`]: keepsUnknown(() => true),
      [`${kind}-unknown-level-becomes-advisory`]: writing(kind, isUnknown, () => ({ enforcement_level: 'advisory' })),
      [`${kind}-keeps-longer-levels`]: keepsUnknown((level) => levels.some((known) => level.startsWith(known))),
      [`${kind}-update-with-unknown-level-keeps-level`]: writing(
        kind,
        (what) => what.found !== undefined && isUnknown(what),
        ({ found }) => ({ enforcement_level: found?.enforcement_level }),
      ),
      [`${kind}-override-lasts`]: stored(
        'governing',
        'denies',
        ([policy, request], next, { memory }) => {
          const key = `${policy.name} ${policy.policy}`
          if (policy.kind === kind && request.overridden) memory.set(key, true)
          const isOverridden = policy.kind === kind && memory.has(key)
          return next(policy, isOverridden ? Object.assign(Object.create(request), { overridden: true }) : request)
        },
        ([policy]) => policy.kind === kind,
      ),
      [`${kind}-long-text-allows-everything`]: writing(
        kind,
        ({ call }) => textIn(call).length > 1024,
        () => ({ policy: harmless(kind) }),
      ),
      [`${kind}-long-base64-is-not-decoded`]: undecoded(kind, ({ call }) => String(call.body.policy).length > 1024),
      [`${kind}-raised-level-lags`]: inEffectWhen(kind, 'updated', ({ before, now }) => {
        const isRaised = before && ranks.indexOf(now.enforcement_level) > ranks.indexOf(before.enforcement_level)
        return [isRaised ? { ...now, enforcement_level: before.enforcement_level } : now]
      }),
      [`${kind}-level-optional`]: writing(
        kind,
        (what) => !what.found && levelIn(what) === undefined,
        () => ({ enforcement_level: 'advisory' }),
      ),
      [`${kind}-update-keeps-missing-level`]: writing(
        kind,
        (what) => what.found !== undefined && levelIn(what) === undefined,
        ({ found }) => ({ enforcement_level: found?.enforcement_level }),
      ),
      [`${kind}-advisory-denies`]: denies(kind, { advisory: 'always' }),
      [`${kind}-soft-mandatory-lets-pass`]: denies(kind, { 'soft-mandatory': 'never' }),
      [`${kind}-soft-mandatory-ignores-override`]: denies(kind, { 'soft-mandatory': 'always' }),
      [`${kind}-hard-mandatory-yields-to-override`]: denies(kind, { 'hard-mandatory': 'unless-overridden' }),
    }),
    shows(kind, 'advisory', 'soft-mandatory'),
    shows(kind, 'soft-mandatory', 'hard-mandatory'),
    shows(kind, 'hard-mandatory', 'soft-mandatory'),
  ]
}
