/** Makes the result document of a run: at its end, and at its beginning for the case that it does not come to its end. */

import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { unmetKnown } from '../../acceptance/accepted-file.ts'
import { applyAccepted } from '../../acceptance/apply.ts'
import type { KnownList } from '../../acceptance/known.ts'
import type { Redactor } from '../../redaction/redaction.ts'
import { redactDocument, redactJudgement } from '../../run/redact-document.ts'
import type { SessionPlan } from '../../run/session-plan.ts'
import { timingsOf } from '../../run/timings.ts'
import type { SelectedCheck } from '../../select/select.ts'
import type { Probe } from '../../targets/probe.ts'
import { regressedSince, regressionFinding } from '../../verdict/baseline.ts'
import { assemble } from '../../verdict/document.ts'
import { toldOnce } from '../../verdict/told-once.ts'
import { defined } from '../../vocabulary/defined.ts'
import type { AcceptedEntry, LeftOut, ResultDocument } from '../../vocabulary/index.ts'
import { cleanCommandFor } from '../clean/clean-command.ts'
import type { CatalogSelection } from '../selection.ts'
import { suiteCommit, suiteVersion } from '../version.ts'
import { conditionsOf, type Input } from './conditions.ts'
import type { RunFlags } from './flags.ts'
import type { Grounds } from './grounds.ts'
import type { Judged } from './judging.ts'
import type { Probed } from './probing.ts'

/** Everything that is read and checked before anything is sent. */
export interface Order {
  readonly flags: RunFlags
  readonly selection: CatalogSelection
  /** The operator accepts these findings. Those that are known of a product are added once the target is known. */
  readonly accepted: readonly AcceptedEntry[]
  /** Each `--known` has these lists, of which one is taken. */
  readonly known: readonly (readonly [KnownList, ...KnownList[]])[]
  readonly baseline: ResultDocument | undefined
  readonly inputs: readonly Input[]
  /** The key that signs the attestation of the result. */
  readonly key: KeyObject | undefined
}

/** What is known of a run before its first check is judged. */
export interface Begun {
  readonly plan: SessionPlan
  /** The checks of the run, and (in `above`) those above its ceiling. */
  readonly reached: readonly SelectedCheck[]
  readonly above: readonly LeftOut[]
  readonly startedAt: number
  readonly probed: Probed
  readonly seen: Probe
  /** Knows the configured secrets, and those that the run has seen so far. */
  readonly redactor: Redactor
  readonly order: Order
}

/** Returns the document, in which only the exchanges are not redacted again. */
export function documentOf(
  { plan, reached, above, startedAt, probed, seen, redactor, order }: Begun,
  judged: Judged,
  grounds: Grounds,
): ResultDocument {
  const { flags, accepted, baseline } = order
  // Fingerprints are computed from what the reports will show, so that `assay accept` computes the same ones.
  const { results, outdated } = applyAccepted(
    toldOnce(
      judged.results.map((result) => redactJudgement(result, redactor)),
      plan.requirements,
    ),
    accepted,
    { today: dayOf(startedAt), isShard: flags.shard !== undefined },
  )
  const regressed = baseline ? regressedSince(baseline, results) : []
  const finishedAt = Date.now()
  const { target } = plan
  const assembled = assemble({
    suite: { name: 'assay', version: suiteVersion, commit: suiteCommit() },
    requirements: plan.requirements,
    documents: order.selection.catalog.documents,
    paths: order.selection.catalog.paths,
    faults: grounds.faults,
    run: {
      id: plan.runId,
      startedAt: new Date(startedAt).toISOString(),
      finishedAt: new Date(finishedAt).toISOString(),
      durationMs: finishedAt - startedAt,
      judgingMs: judged.judgingMs,
      seed: plan.seed,
      jobs: plan.jobs,
      ...measuredIn(judged, flags, startedAt),
      safety: plan.ceiling,
      selection: selectionOf(reached, order),
      leftOut: [...order.selection.leftOut, ...above, ...inOtherShards(reached, judged, order)],
      ...(flags.failOn === 'should' ? { failOn: flags.failOn } : {}),
      ...(flags.shard ? { shard: flags.shard } : {}),
      interrupted: judged.interrupted,
      conditions: conditionsOf(plan, flags, order.inputs, redactor),
    },
    target: {
      url: target.url,
      name: target.name,
      ...(target.note === undefined ? {} : { note: target.note }),
      dialect: target.dialect,
      insecure: target.tls.insecure,
      declared: target.declared,
      observed: seen.observed,
      facts: seen.facts,
      evidence: seen.evidence,
      ...defined({ sealed: seen.sealed, clockSkewMs: seen.clockSkewMs }),
      absentAreas: plan.absentAreas ?? [],
      capabilities: seen.capabilities,
      probe: probed.exchanges,
    },
    findings: [
      ...seen.findings,
      ...judged.findings,
      ...unmetKnown(results, accepted),
      ...(baseline ? regressed.map((id) => regressionFinding(baseline, id)) : []),
    ],
    checks: results.map((result) => ({ ...result, ...grounds.of(result.id) })),
    accepted,
    outdated,
    leftBehind: judged.leftBehind,
    // Without these flags the target was the embedded server, which is gone with everything on it.
    // What was deleted in vain is in no journal any more, so it is found by the names of the run.
    cleanCommands:
      flags.target || flags.profile
        ? [redactor.redact(`${cleanCommandFor(flags, judged.activeUrl)} --run ${plan.runId}`)]
        : [],
    lacked: judged.lacked ?? [],
    resultFile: redactor.redact(join(flags.out, 'result.json')),
    defects: judged.defects,
    regressed,
  })
  return redactDocument(assembled, redactor)
}

const measuredIn = ({ adapted, measured }: Judged, { timings }: RunFlags, startedAt: number) => ({
  ...(adapted ? { adapted } : {}),
  ...(timings ? { timings: timingsOf(measured, startedAt) } : {}),
})

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** In an interrupted run, topics that were not reached have no result either, so the difference shows nothing about
 * shards. */
const inOtherShards = (
  reached: readonly SelectedCheck[],
  { results, interrupted }: Judged,
  { flags }: Order,
): LeftOut[] =>
  flags.shard && !interrupted && reached.length > results.length
    ? [{ cause: 'shard', checks: reached.length - results.length }]
    : []

const selectionOf = (reached: readonly SelectedCheck[], { selection, flags }: Order) => ({
  areas: [...new Set(selection.selected.map(({ topic }) => topic.area))],
  asked: selection.asked,
  checks: reached.map(({ address }) => address),
  level: flags.level,
})
