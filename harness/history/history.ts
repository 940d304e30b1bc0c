/** Compares a run with earlier runs on the same target. Pure. */
import type { CompactCheck, CompactResult, History, HistoryEntry } from '../vocabulary/index.ts'

/** The most runs that the report shows. */
const mostEntries = 60

/** `earlier` may be in any order. Results of other targets in it are ignored. */
export function historyOf(now: CompactResult, earlier: readonly CompactResult[]): History {
  const past = earlier
    .filter(({ target, run }) => target.name === now.target.name && run.id !== now.run.id)
    .toSorted((one, other) => (one.run.startedAt < other.run.startedAt ? -1 : 1))
  const all = [...past, now]
  const before = past.at(-1)
  const changed = before ? changesSince(before, now) : []
  const same = changed.filter(({ was, is }) => was.definition === is.definition)
  return {
    entries: all.slice(-mostEntries).map(entryOf),
    newSince: same.filter(({ is }) => is.verdict === 'fail').map(({ id }) => id),
    fixedSince: same.filter(({ was, is }) => was.verdict === 'fail' && is.verdict === 'pass').map(({ id }) => id),
    flaky: Object.keys(now.checks).filter((id) => isFlaky(id, all)),
    redefined: changed.filter(({ was, is }) => was.definition !== is.definition).map(({ id }) => id),
  }
}

interface Changed {
  readonly id: string
  readonly was: CompactCheck
  readonly is: CompactCheck
}

function changesSince(before: CompactResult, now: CompactResult): Changed[] {
  return Object.entries(now.checks).flatMap(([id, is]) => {
    const was = before.checks[id]
    return was && was.verdict !== is.verdict ? [{ id, was, is }] : []
  })
}

/** A check is flaky only if it passed and failed on the same version of the target by the same definition.
 * After a change of either, another verdict is legitimate. */
function isFlaky(id: string, all: readonly CompactResult[]): boolean {
  const seen = new Set<string>()
  for (const { checks, target } of all) {
    const check = checks[id]
    if (check?.verdict === 'pass' || check?.verdict === 'fail')
      seen.add(JSON.stringify([target.facts.version, check.definition, check.verdict]))
  }
  const opposite = { pass: 'fail', fail: 'pass' } as const
  return [...seen].some((one) => {
    const [version, definition, verdict] = JSON.parse(one) as [string, string, 'pass' | 'fail']
    return seen.has(JSON.stringify([version, definition, opposite[verdict]]))
  })
}

const entryOf = ({ run, verdict, counts, suite, target }: CompactResult): HistoryEntry => ({
  run: run.id,
  startedAt: run.startedAt,
  word: verdict.word,
  counts,
  suite: suite.commit ? `${suite.version}, commit ${suite.commit.slice(0, 10)}` : suite.version,
  ...(target.facts.version === undefined ? {} : { targetVersion: target.facts.version }),
})
