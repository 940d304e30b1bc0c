/** Faults of enforcement levels. */
import { type GoverningKind, isLevel, type PoliciesRules } from '../../engines/policies/rules.ts'
import { type Level, levels } from '../../engines/policies/store.ts'
import { harmless, textIn, undecoded } from './each-kind.ts'
import {
  type Asked,
  accepting,
  fault,
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
    fault(
      `${kind}-update-keeps-level`,
      `Updating ${noun} keeps the earlier enforcement_level.`,
      writing(
        kind,
        (what) => what.found !== undefined && levelIn(what) !== undefined && !isUnknown(what),
        ({ found }) => ({ enforcement_level: found?.enforcement_level }),
      ),
    ),
    fault(
      `${kind}-read-omits-level`,
      `The reply to GET of ${noun} lacks the field enforcement_level.`,
      inKind(kind, ({ shown }) => ({ shown: shown.filter((field) => field !== 'enforcement_level') })),
    ),
    shows(kind, 'advisory', 'soft-mandatory'),
    shows(kind, 'soft-mandatory', 'hard-mandatory'),
    shows(kind, 'hard-mandatory', 'soft-mandatory'),
    fault(
      `${kind}-keeps-any-level`,
      `An unknown enforcement_level of ${noun} is accepted and stored as given.`,
      keepsUnknown(() => true),
    ),
    fault(
      `${kind}-unknown-level-becomes-advisory`,
      `An unknown enforcement_level of ${noun} is accepted and stored as advisory.`,
      writing(kind, isUnknown, () => ({ enforcement_level: 'advisory' })),
    ),
    fault(
      `${kind}-keeps-longer-levels`,
      `An unknown enforcement_level of ${noun} that begins with a valid level is accepted and stored as given.`,
      keepsUnknown((level) => levels.some((known) => level.startsWith(known))),
    ),
    fault(
      `${kind}-update-with-unknown-level-keeps-level`,
      `Updating ${noun} with an unknown enforcement_level succeeds and keeps the earlier level.`,
      writing(
        kind,
        (what) => what.found !== undefined && isUnknown(what),
        ({ found }) => ({ enforcement_level: found?.enforcement_level }),
      ),
    ),
    fault(
      `${kind}-override-lasts`,
      `After a request that overrode ${noun}, later requests need no override.`,
      stored(
        'governing',
        'denies',
        (next, { memory }) =>
          (policy, request) => {
            const key = `${policy.name} ${policy.policy}`
            if (policy.kind === kind && request.overridden) memory.set(key, true)
            const isOverridden = policy.kind === kind && memory.has(key)
            return next(policy, isOverridden ? Object.assign(Object.create(request), { overridden: true }) : request)
          },
        ([policy]) => policy.kind === kind,
      ),
    ),
    fault(
      `${kind}-long-text-allows-everything`,
      `${noun.replace(/^a/, 'A')} with more than 1024 characters allows every request.`,
      writing(
        kind,
        ({ call }) => textIn(call).length > 1024,
        () => ({ policy: harmless(kind) }),
      ),
    ),
    fault(
      `${kind}-long-base64-is-not-decoded`,
      `The document of ${noun} is not decoded from base64 if the base64 text has more than 1024 characters.`,
      undecoded(kind, ({ call }) => String(call.body.policy).length > 1024),
    ),
    fault(
      `${kind}-raised-level-lags`,
      `After an update of ${noun} that raises its level, the earlier level stays in effect.`,
      ...inEffectWhen(kind, 'updated', ({ before, now }) => {
        const isRaised = before && ranks.indexOf(now.enforcement_level) > ranks.indexOf(before.enforcement_level)
        return [isRaised ? { ...now, enforcement_level: before.enforcement_level } : now]
      }),
    ),
    fault(
      `${kind}-level-optional`,
      `Creating ${noun} without enforcement_level succeeds with the level advisory.`,
      writing(
        kind,
        (what) => !what.found && levelIn(what) === undefined,
        () => ({ enforcement_level: 'advisory' }),
      ),
    ),
    fault(
      `${kind}-update-keeps-missing-level`,
      `Updating ${noun} without enforcement_level succeeds and keeps the earlier level.`,
      writing(
        kind,
        (what) => what.found !== undefined && levelIn(what) === undefined,
        ({ found }) => ({ enforcement_level: found?.enforcement_level }),
      ),
    ),
    fault(
      `${kind}-advisory-denies`,
      `A failing advisory ${kind.toUpperCase()} denies the request.`,
      denies(kind, { advisory: 'always' }),
    ),
    fault(
      `${kind}-soft-mandatory-lets-pass`,
      `A failing soft-mandatory ${kind.toUpperCase()} does not deny the request.`,
      denies(kind, { 'soft-mandatory': 'never' }),
    ),
    fault(
      `${kind}-soft-mandatory-ignores-override`,
      `A failing soft-mandatory ${kind.toUpperCase()} denies the request even if the request asks for an override.`,
      denies(kind, { 'soft-mandatory': 'always' }),
    ),
    fault(
      `${kind}-hard-mandatory-yields-to-override`,
      `A failing hard-mandatory ${kind.toUpperCase()} does not deny the request if the request asks for an override.`,
      denies(kind, { 'hard-mandatory': 'unless-overridden' }),
    ),
  ]
}
