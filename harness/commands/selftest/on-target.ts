/** Runs `assay selftest --faults` against a server that is not ours: the target is probed as in `assay run`, everything
 * is journaled, and then cleaned up. */
import { randomBytes } from 'node:crypto'
import { proveOnTarget, type TargetProof } from '../../faults/on-target.ts'
import { exitCodeOf, linesOf } from '../../faults/proof.ts'
import { mainCluster } from '../../run/clusters.ts'
import { openSession, type Session } from '../../run/session.ts'
import type { SessionPlan } from '../../run/session-plan.ts'
import { ofRun, takeBackNamed } from '../../safety/by-name.ts'
import { rememberNames, takeInventory } from '../../safety/inventory.ts'
import { findKey, stateFolderOf } from '../../safety/journal-key.ts'
import { acceptFor } from '../../safety/undo-shapes.ts'
import type { SelectedCheck } from '../../select/select.ts'
import { knownFacts } from '../../targets/features.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import { undoTemplates } from '../../targets/touches.ts'
import { type ExitCode, exitCodes } from '../../vocabulary/index.ts'
import { isInterrupted } from '../../way/interruptions.ts'
import { withinCeiling } from '../catalog.ts'
import { journalFile } from '../clean/journals.ts'
import { limitCommand } from '../options/time-limit.ts'
import { holdFolder } from '../output/output-folder.ts'
import type { Terminal } from '../output/terminal.ts'
import { counted } from '../output/wording.ts'
import { Progress, showTexts } from '../progress.ts'
import { absenceLines, findAbsentAreas } from '../run/absent-areas.ts'
import { withinReach } from '../run/ceiling.ts'
import { keyFor, takenBack } from '../run/judging.ts'
import { areasOf, probeTarget } from '../run/probing.ts'
import { withProvider } from '../run/provider-stub.ts'
import { assertToken } from '../run/without-token.ts'
import { type CatalogSelection, selectChecks } from '../selection.ts'
import type { SelftestFlags } from './flags.ts'

/** Checks up to this class touch only what they create. */
const ceiling = 'scoped'
const defaultFolder = 'assay-report'

export type Report = (proof: TargetProof) => void | Promise<void>

export async function proveOn(
  named: ResolvedTarget,
  flags: SelftestFlags,
  terminal: Terminal,
  tell: Report,
): Promise<number> {
  const selection = await selectChecks({ level: 'should', ...(flags.area ? { area: flags.area } : {}) })
  const selected = withinCeiling(selection.selected, ceiling)
  assertToken(named, selected)
  const out = flags.out ?? defaultFolder
  const release = holdFolder(out, terminal.say)
  const limit = limitCommand(named.maxDurationSeconds ?? flags.maxDuration, terminal, [])
  const { target, close } = await withProvider(named, selected)
  try {
    return await proveWith({ target, selection, selected, out, flags, tell }, { ...terminal, signal: limit.signal })
  } finally {
    await close()
    limit.close()
    release()
  }
}

interface Job {
  readonly target: ResolvedTarget
  readonly selection: CatalogSelection
  readonly selected: readonly SelectedCheck[]
  readonly out: string
  readonly flags: SelftestFlags
  readonly tell: Report
}

async function proveWith({ target, selection, selected, out, flags, tell }: Job, terminal: Terminal): Promise<number> {
  const runId = randomBytes(4).toString('hex')
  const first: SessionPlan = {
    ...{ target, facts: knownFacts(target.declared), runId, seed: 1, ceiling: 'read-only', jobs: 1, level: 'should' },
    requirements: selection.catalog.requirements,
    lists: selection.catalog.lists,
  }
  const progress = new Progress(terminal)
  progress.step('asking what the target is')
  const parts = { signal: terminal.signal, waiting: progress.waiting }
  const session = await openSession(first, parts)
  const redact = (text: string) => session.redactor.redact(text)
  try {
    const { seen } = await probeTarget(session, selected, ceiling)
    if ('unreachable' in seen) {
      terminal.say(`assay: ${redact(seen.unreachable)}`)
      return isInterrupted(terminal.signal) ? exitCodes.interrupted : exitCodes.unreachable
    }
    if (seen.blocker) {
      const { reason, mend = 'nothing can be proven on this target' } = seen.blocker
      terminal.say(`assay: ${redact(`${reason}: ${mend}`)}`)
      return seen.blocker.kind === 'permission' ? exitCodes.usage : exitCodes.incomplete
    }
    const stateFolder = stateFolderOf(terminal.env)
    findKey(stateFolder, 'make')
    const plan: SessionPlan = {
      ...{ ...first, facts: seen.facts, evidence: seen.evidence, held: seen.capabilities, ceiling, stateFolder },
      ...(seen.clusterId ? { clusterId: seen.clusterId } : {}),
      journalFile: journalFile(out, runId),
    }
    const { absent } = await findAbsentAreas(plan, areasOf(selected), seen.areas, session.dialect, parts)
    for (const line of absenceLines(absent, selected, selection.asked)) terminal.say(redact(line))
    const applied = { ...plan, absentAreas: absent }
    const { reached } = withinReach(selected, applied)
    const areas = new Set(areasOf(reached))
    const { faultExcuses, wireFaults } = await import('../../../suites/faults.ts')
    const before = await rememberNames(session.ask(mainCluster), session.dialect)
    progress.end()
    const proof = await proveOnTarget({
      plan: applied,
      faults: wireFaults(areas),
      excuses: faultExcuses,
      candidates: reached,
      signal: terminal.signal,
      onProgress: showTexts(terminal),
    })
    terminal.live('')
    await removeStrays(reached, applied, session)
    const tidying = { selected: reached, plan: applied, session, terminal, flags: { ...flags, out } }
    const { left } = await takenBack(tidying, before, keyFor(applied, terminal).key, proof.unsaved)
    for (const words of left) terminal.say(`left behind: ${redact(words)}`)
    await tell(proof)
    return exitCodeOn(proof, left, terminal.signal)
  } finally {
    progress.end()
    await session.close()
  }
}

/** Removes objects by their throw-away names, because a fault may create an object under another path than the journal
 * knows. */
async function removeStrays(
  reached: readonly SelectedCheck[],
  { runId }: SessionPlan,
  session: Session,
): Promise<void> {
  const { dialect } = session
  const ask = session.ask(mainCluster)
  const topics = [...new Set(reached.map(({ topic }) => topic))]
  const { found } = await ofRun(await takeInventory(ask, dialect), { runId, ask, dialect })
  await takeBackNamed(found, { runId, ask, dialect, accept: acceptFor(undoTemplates(topics, dialect), runId) })
}

/** Uses the same precedence as a run: what was left behind outweighs a fault that was not noticed. */
function exitCodeOn(proof: TargetProof, left: readonly string[], signal: AbortSignal): ExitCode {
  if (isInterrupted(signal)) return exitCodes.interrupted
  if (left.length > 0) return exitCodes.leftBehind
  // A check that does not pass on this target is about the server, not about the suite.
  const code = exitCodeOf({ ...proof, idle: [] })
  if (code !== exitCodes.conformant) return code
  const isPartial = signal.aborted || proof.idle.length > 0 || proof.rows.length === 0
  return isPartial ? exitCodes.incomplete : exitCodes.conformant
}

export const linesOn = (proof: TargetProof): readonly string[] => [
  ...linesOf(proof),
  ...(proof.unmet.length === 0
    ? []
    : [`${counted(proof.unmet.length, 'fault')} not counted, because nothing on this server can show them`]),
]
