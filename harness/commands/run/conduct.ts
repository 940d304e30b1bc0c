/** A run, from its flags to its exit code. */
import { randomBytes } from 'node:crypto'
import { baselineFindings, regressions } from '../../deviations/baseline.ts'
import { applyDeviations, type Deviation, loadDeviations, strict } from '../../deviations/deviations.ts'
import { assemble } from '../../run/document.ts'
import { redactDocument } from '../../run/redact-document.ts'
import { openSession, type Session, type SessionPlan } from '../../run/session.ts'
import { createRedactor, type Redactor } from '../../safety/redaction.ts'
import { clustersFor, referenceName, referenceTarget, startReference } from '../../targets/mock.ts'
import type { Probe } from '../../targets/probe.ts'
import { resolveTarget } from '../../targets/resolve.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import { exitCodes, type ResultDocument } from '../../vocabulary/index.ts'
import { type Choice, type Chosen, choose, matchGlob, withinCeiling } from '../catalog.ts'
import { journalFile, journalsIn } from '../clean/journals.ts'
import { oneLine } from '../one-line.ts'
import { holdFolder } from '../output-folder.ts'
import { readResult } from '../result-file.ts'
import type { RunFlags } from '../run.ts'
import { printOutcome } from '../summary.ts'
import type { Terminal } from '../terminal.ts'
import { suiteCommit, suiteVersion } from '../version.ts'
import { counted } from '../wording.ts'
import { warnOfEarlier, writeAnew } from '../written-reports.ts'
import { type AreasFound, absenceSaid, findAbsentAreas } from './absent-areas.ts'
import { blockedResults } from './blocked.ts'
import { ceilingOf, refuseIdleAllowance, wishedCeiling } from './ceiling.ts'
import { type Judged, judgeAll } from './judging.ts'
import { areasOf, type Probed, probeTarget } from './probing.ts'
import { withProvider } from './providing.ts'
import { assertToken, judgedPartly, withoutToken } from './tokenless.ts'

/** Everything that is read and checked before anything is sent. */
interface Order {
  readonly flags: RunFlags
  readonly choice: Choice
  readonly deviations: readonly Deviation[]
  readonly baseline: ResultDocument | undefined
}

export async function conduct(flags: RunFlags, terminal: Terminal): Promise<number> {
  refuseIdleAllowance(flags)
  const named = resolveTarget(flags, terminal.env)
  const choice = await choose(flags)
  if (named) assertToken(named, withinCeiling(choice.chosen, wishedCeiling(flags, false)))
  const find = (glob: string) => matchGlob(choice.catalog, glob)
  const order: Order = {
    flags,
    choice,
    deviations: flags.deviations ? loadDeviations(flags.deviations, terminal.env, find) : [],
    baseline: flags.baseline ? await readResult(flags.baseline) : undefined,
  }
  const release = holdFolder(flags.out)
  try {
    return await conductHeld(named, order, terminal)
  } finally {
    release()
  }
}

async function conductHeld(named: ResolvedTarget | undefined, order: Order, terminal: Terminal): Promise<number> {
  const { flags } = order
  if (named) {
    warnOfJournals(flags.out, terminal)
    return conductOn(named, order, false, terminal)
  }
  const clusters = clustersFor(order.choice.chosen.map(({ check }) => check))
  const server = await startReference({ seed: flags.seed, control: true, clusters })
  try {
    return await conductOn(embedded(referenceTarget(server), flags), order, true, terminal)
  } finally {
    await server.close()
  }
}

const embedded = (target: ResolvedTarget, { timeout, maxRps }: RunFlags): ResolvedTarget => ({
  ...target,
  ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
  ...(maxRps === undefined ? {} : { maxRps }),
})

function warnOfJournals(out: string, terminal: Terminal): void {
  if (journalsIn(out).length > 0)
    terminal.say(
      `${out} holds the journal of a run that was cut short: "assay clean --out ${out}" takes back what it left`,
    )
}

async function conductOn(bare: ResolvedTarget, order: Order, isEmbedded: boolean, terminal: Terminal): Promise<number> {
  const { target, close } = await withProvider(bare, order.choice.chosen, isEmbedded)
  try {
    return await conductWith(target, order, isEmbedded, terminal)
  } finally {
    await close()
  }
}

async function conductWith(
  target: ResolvedTarget,
  order: Order,
  isEmbedded: boolean,
  terminal: Terminal,
): Promise<number> {
  const { flags, choice } = order
  if (target.tls.insecure) terminal.say(`WARNING: the certificate of ${target.url} is NOT verified`)
  terminal.say(`${counted(choice.chosen.length, 'check')} against ${target.name}`)
  const startedAt = Date.now()
  const first: SessionPlan = {
    target,
    facts: target.declared,
    runId: randomBytes(4).toString('hex'),
    seed: flags.seed,
    ceiling: 'read-only',
    jobs: flags.jobs,
    level: flags.level,
    requirements: choice.catalog.requirements,
  }
  const session = await openSession(first)
  try {
    const probed = await probeTarget(session, withinCeiling(choice.chosen, wishedCeiling(flags, isEmbedded)))
    const redact = (text: string) => session.redactor.redact(text)
    if ('unreachable' in probed.seen) {
      terminal.say(`assay: ${redact(probed.seen.unreachable)}`)
      warnOfEarlier(flags.out, terminal)
      return exitCodes.unreachable
    }
    const seen = { ...probed.seen, findings: [...probed.seen.findings, ...comparing(target, probed.seen, order)] }
    const plan: SessionPlan = {
      ...first,
      target: {
        ...first.target,
        provides: { ...first.target.provides, ...clustersOf(probed) },
      },
      facts: seen.facts,
      evidence: seen.evidence,
      ...(seen.clusterId ? { clusterId: seen.clusterId } : {}),
      ceiling: ceilingOf(flags, isEmbedded, seen.clusterId && oneLine(redact(seen.clusterId))),
      ...(isEmbedded ? {} : { journalFile: journalFile(flags.out, first.runId) }),
    }
    const found = await absentAreas(plan, seen, session, order, isEmbedded)
    for (const line of absenceSaid(found.absent, choice.chosen, flags.area ?? [], session.dialect))
      terminal.say(redact(line))
    for (const { severity, text } of seen.findings) terminal.say(`${severity}: ${redact(text)}`)
    const applied = { ...plan, absentAreas: found.absent }
    const judged = await judgedOn(applied, seen, session, order, terminal)
    return await report({
      plan: applied,
      startedAt,
      probed: withMore(probed, found.exchanges),
      seen,
      judged,
      redactor: session.redactor,
      order,
      terminal,
    })
  } finally {
    await session.close()
  }
}

/** Where no check can have a verdict of its own, none is known to be absent. An embedded server has every area. */
const absentAreas = async (
  plan: SessionPlan,
  { blocker, areas }: Probe,
  { dialect }: Session,
  { choice: { chosen } }: Order,
  isEmbedded: boolean,
): Promise<AreasFound> =>
  blocker || isEmbedded ? { absent: [], exchanges: [] } : findAbsentAreas(plan, areasOf(chosen), areas, dialect)

const withMore = (probed: Probed, exchanges: Probed['exchanges']): Probed => ({
  ...probed,
  exchanges: [...probed.exchanges, ...exchanges],
})

const comparing = ({ url, name }: ResolvedTarget, { facts }: Probe, { baseline, choice }: Order) =>
  baseline
    ? baselineFindings(baseline, {
        url,
        name,
        facts,
        checks: choice.chosen.map(({ address }) => address),
        embeddedName: referenceName,
      })
    : []

async function judgedOn(
  plan: SessionPlan,
  { blocker, sealed }: Probe,
  session: Session,
  { choice: { chosen }, flags }: Order,
  terminal: Terminal,
): Promise<Judged> {
  const judge = (some: readonly Chosen[]) => judgeAll({ chosen: some, plan, session, shard: flags.shard, terminal })
  if (!blocker) return judge(chosen)
  const isOpen = plan.target.token === undefined && !sealed
  const judged = await judgedPartly(chosen, isOpen ? withoutToken(chosen, plan.target) : [], judge, (others) =>
    blockedResults(others, blocker, { ...session, plan }),
  )
  return { ...judged, interrupted: terminal.signal.aborted }
}

/** Without any that can be used, no check may believe that there are some. */
const clustersOf = ({ clusters }: Probed): object => ({ clusters: clusters.length > 0 ? clusters : undefined })

interface Ended {
  readonly plan: SessionPlan
  readonly startedAt: number
  readonly probed: Probed
  readonly seen: Probe
  readonly judged: Judged
  /** Knows what was configured, and what the probe has seen. */
  readonly redactor: Redactor
  readonly order: Order
  readonly terminal: Terminal
}

async function report({ plan, startedAt, probed, seen, judged, redactor, order, terminal }: Ended): Promise<number> {
  const { flags, deviations, baseline } = order
  const { json = false } = flags
  const applied = applyDeviations(judged.results, deviations, new Date(startedAt).toISOString().slice(0, 10))
  const regressed = baseline ? regressions(baseline, applied.results) : []
  const finishedAt = Date.now()
  const { target } = plan
  const assembled = assemble({
    suite: { name: 'assay', version: suiteVersion, commit: suiteCommit() },
    requirements: plan.requirements,
    documents: order.choice.catalog.documents,
    run: {
      id: plan.runId,
      startedAt: new Date(startedAt).toISOString(),
      finishedAt: new Date(finishedAt).toISOString(),
      durationMs: finishedAt - startedAt,
      judgingMs: judged.judgingMs,
      seed: plan.seed,
      jobs: plan.jobs,
      safety: plan.ceiling,
      selection: selectionOf(order),
      ...(flags.shard ? { shard: flags.shard } : {}),
      interrupted: judged.interrupted,
    },
    target: {
      url: target.url,
      name: target.name,
      dialect: target.dialect,
      insecure: target.tls.insecure,
      declared: target.declared,
      observed: seen.observed,
      facts: seen.facts,
      evidence: seen.evidence,
      ...(seen.sealed === undefined ? {} : { sealed: seen.sealed }),
      ...(seen.clockSkewMs === undefined ? {} : { clockSkewMs: seen.clockSkewMs }),
      capabilities: seen.capabilities,
      probe: probed.exchanges,
    },
    findings: [...seen.findings, ...applied.findings, ...regressed],
    checks: applied.results,
    leftBehind: judged.leftBehind,
    defects: judged.defects,
    regressions: regressed.length,
  })
  const document = redactDocument(strict(assembled), createRedactor([...redactor.values(), ...judged.secrets]))
  const paths = await writeAnew(document, flags.format, flags.out, terminal)
  printOutcome(document, paths, json, terminal)
  return document.exitCode
}

const selectionOf = ({ choice, flags }: Order) => ({
  areas: [...new Set(choice.chosen.map(({ topic }) => topic.area))],
  checks: choice.chosen.map(({ address }) => address),
  level: flags.level,
})
