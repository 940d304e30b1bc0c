/** Makes the compact form of a result. Pure. */
import { isDeepStrictEqual } from 'node:util'
import { definitionOf } from '../verdict/definitions.ts'
import {
  type CheckResult,
  type CompactCheck,
  type CompactResult,
  compactSchemaId,
  type Edition,
  editions,
  type Requirement,
  type ResultDocument,
} from '../vocabulary/index.ts'

export function compactOf(document: ResultDocument): CompactResult {
  const { suite, register, run, target, verdict, counts, causes } = document
  const rows = new Map(register.requirements.map((row) => [row.id, row]))
  const causeOf = new Map(causes.flatMap(({ checks }, index) => checks.map((id) => [id, index] as const)))
  return {
    schema: compactSchemaId,
    suite,
    register: { hash: register.hash },
    run: {
      id: run.id,
      startedAt: run.startedAt,
      durationMs: run.durationMs,
      seed: run.seed,
      safety: run.safety,
      level: run.selection.level,
      leftOut: run.leftOut,
      interrupted: run.interrupted,
    },
    target: {
      name: target.name,
      ...(target.note === undefined ? {} : { note: target.note }),
      dialect: target.dialect,
      facts: target.facts,
    },
    verdict: {
      word: verdict.word,
      exitCode: verdict.exitCode,
      title: verdict.title,
      headline: verdict.headline,
      notes: verdict.notes,
    },
    counts,
    causes: causes.map(({ checks: _, ...cause }) => cause),
    checks: Object.fromEntries(
      document.checks.map((check) => [check.id, compactCheck(check, causeOf.get(check.id), rows)]),
    ),
  }
}

function compactCheck(
  check: CheckResult,
  cause: number | undefined,
  rows: ReadonlyMap<string, Requirement>,
): CompactCheck {
  return {
    verdict: check.verdict,
    definition: definitionOf(check, rows),
    rows: check.requirements,
    ...(check.breaks && !isDeepStrictEqual(check.breaks, check.requirements) ? { breaks: check.breaks } : {}),
    ...(cause === undefined ? {} : { cause }),
    ...(check.accepted ? { was: check.accepted.was } : {}),
    ...(check.verdict === 'not-applicable' && targetLacks(check) ? { lacks: true } : {}),
  }
}

/** Returns the definition hash of each check, by its address. Two results of a check can be compared only if these
 * hashes are equal. */
export function definitionsOf({ checks, register }: ResultDocument): ReadonlyMap<string, string> {
  const rows = new Map(register.requirements.map((row) => [row.id, row]))
  return new Map(checks.map((check) => [check.id, definitionOf(check, rows)]))
}

/** Tells whether a check is not applicable because the target lacks an area, a feature or a higher edition. A check
 * for another version, a lower edition, or targets without a feature does not count. */
function targetLacks({ blocker }: CheckResult): boolean {
  const { wanted = '', seen = '' } = (blocker?.facts ?? {}) as { wanted?: string; seen?: string }
  switch (blocker?.kind) {
    case 'area':
    case 'optional':
      return true
    case 'feature':
      return !wanted.startsWith('targets without ')
    case 'edition':
      return editions.filter((edition) => wanted.includes(edition)).every((edition) => rank(edition) > rank(seen))
    default:
      return false
  }
}

const rank = (edition: string): number => editions.indexOf(edition as Edition)
