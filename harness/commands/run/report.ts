/** Ends a run: makes the document, the reports and the exit code from what was judged. */
import type { KeyObject } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { unmetKnown } from '../../acceptance/accepted-file.ts'
import { applyAccepted } from '../../acceptance/apply.ts'
import { compactOf } from '../../compare/compact.ts'
import { historyOf } from '../../history/history.ts'
import { readHistory, writeHistory } from '../../history/history-folder.ts'
import { regressedSince, regressionFinding } from '../../run/baseline.ts'
import { assemble } from '../../run/document.ts'
import { redactDocument, redactExchanges, redactJudgement } from '../../run/redact-document.ts'
import type { SessionPlan } from '../../run/session-plan.ts'
import { drainMeasured, timingsOf } from '../../run/timings.ts'
import { toldOnce } from '../../run/told-once.ts'
import type { Redactor } from '../../safety/redaction.ts'
import type { SelectedCheck } from '../../select/select.ts'
import type { Probe } from '../../targets/probe.ts'
import { UsageError } from '../../targets/usage-error.ts'
import type { AcceptedEntry, LeftOut, ResultDocument } from '../../vocabulary/index.ts'
import { attestationFile, writeAttestation } from '../attestation-file.ts'
import type { CatalogSelection } from '../catalog.ts'
import { cleanCommandFor } from '../clean/clean-command.ts'
import { showWriting } from '../progress.ts'
import { linksOf } from '../report-url.ts'
import { printJson, printReport, printSummary } from '../summary.ts'
import type { Terminal } from '../terminal.ts'
import { suiteCommit, suiteVersion } from '../version.ts'
import { systemWords, writeAnew } from '../written-reports.ts'
import { conditionsOf, type Input } from './conditions.ts'
import type { RunFlags } from './flags.ts'
import type { Grounds } from './grounds.ts'
import type { Judged } from './judging.ts'
import type { Probed } from './probing.ts'

/** Everything that is read and checked before anything is sent. */
export interface Order {
  readonly flags: RunFlags
  readonly selection: CatalogSelection
  readonly accepted: readonly AcceptedEntry[]
  readonly baseline: ResultDocument | undefined
  readonly inputs: readonly Input[]
  /** The key that signs the attestation of the result. */
  readonly key: KeyObject | undefined
}

interface Ended {
  readonly plan: SessionPlan
  /** The checks of the run, and (in `above`) those above its ceiling. */
  readonly reached: readonly SelectedCheck[]
  readonly above: readonly LeftOut[]
  readonly startedAt: number
  readonly probed: Probed
  readonly seen: Probe
  readonly judged: Judged
  readonly grounds: Grounds
  /** Knows the configured secrets, and those that the probe has seen. */
  readonly redactor: Redactor
  readonly order: Order
  readonly terminal: Terminal
}

/** Returns the exit code. */
export async function report({
  plan,
  reached,
  above,
  startedAt,
  probed,
  seen,
  judged,
  grounds,
  redactor,
  order,
  terminal,
}: Ended): Promise<number> {
  const { flags, accepted, baseline } = order
  const { json = false } = flags
  const written = showWriting(terminal, flags.format)
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
      ...(seen.sealed === undefined ? {} : { sealed: seen.sealed }),
      ...(seen.clockSkewMs === undefined ? {} : { clockSkewMs: seen.clockSkewMs }),
      absentAreas: plan.absentAreas ?? [],
      capabilities: seen.capabilities,
      probe: probed.exchanges,
    },
    findings: [
      ...seen.findings,
      ...unmetKnown(results, accepted),
      ...(baseline ? regressed.map((id) => regressionFinding(baseline, id)) : []),
    ],
    checks: results.map((result) => ({ ...result, ...grounds.of(result.id) })),
    accepted,
    outdated,
    leftBehind: judged.leftBehind,
    // Without these flags the target was the embedded server, which is gone with everything on it.
    cleanCommands: flags.target || flags.profile ? [redactor.redact(cleanCommandFor(flags))] : [],
    defects: judged.defects,
    regressed,
  })
  const shown = withHistory(redactDocument(assembled, redactor), flags.history, terminal)
  // Readers wait for the verdict, so it is printed before the exchanges are redacted and written, which takes longer.
  if (!json) printSummary(shown, terminal)
  const document = redactExchanges(shown, redactor)
  const paths = await writeAnew(document, flags.format, flags.out, terminal, {
    links: linksOf(flags.reportUrl, terminal.env),
  })
  if (order.key) attest(document, paths, order.key, terminal)
  if (flags.record !== undefined) await record(document, flags.record, terminal)
  if (json) printJson(document, paths, terminal)
  else printReport(paths, terminal, written())
  return document.verdict.exitCode
}

const measuredIn = ({ adapted, measured }: Judged, { timings }: RunFlags, startedAt: number) => ({
  ...(adapted ? { adapted } : {}),
  ...(timings ? { timings: timingsOf([...drainMeasured(), ...measured], startedAt) } : {}),
})

/** An unusable history only causes a warning, so that the run keeps its verdict. */
function withHistory(document: ResultDocument, folder: string | undefined, terminal: Terminal): ResultDocument {
  if (folder === undefined || document.run.interrupted) return document
  const now = compactOf(document)
  try {
    const history = historyOf(now, readHistory(folder))
    terminal.say(`history written to ${writeHistory(folder, now)}`)
    return { ...document, history }
  } catch (error) {
    const why = error instanceof UsageError ? error.message : systemWords(error)
    terminal.say(`WARNING: the history in ${folder} cannot be used (${why})`)
    return document
  }
}

/** An attestation that cannot be written only causes a warning, so that the run keeps its verdict. */
function attest(document: ResultDocument, paths: readonly string[], key: KeyObject, terminal: Terminal): void {
  const result = paths.find((path) => basename(path) === 'result.json')
  if (result === undefined) {
    terminal.say('WARNING: no result was written, so there is nothing to sign')
    return
  }
  const out = join(dirname(result), attestationFile)
  try {
    writeAttestation(document, result, out, key)
    terminal.say(`signature written to ${out}`)
  } catch (error) {
    terminal.say(`WARNING: the result is not signed (${systemWords(error)})`)
  }
}

/** A recording that cannot be written only causes a warning, so that the run keeps its verdict. */
async function record(document: ResultDocument, folder: string, terminal: Terminal): Promise<void> {
  const { writeRecording } = await import('./recording.ts')
  try {
    terminal.say(`recording written to ${writeRecording(folder, document)}`)
  } catch (error) {
    terminal.say(`WARNING: the recording cannot be written to ${folder} (${systemWords(error)})`)
  }
}

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
