/** Conducts a run, from its flags to its exit code. */
import { createPrivateKey, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Known, loadAccepted } from '../../acceptance/accepted-file.ts'
import { knownListsOf } from '../../acceptance/known.ts'
import { mainCluster } from '../../run/clusters.ts'
import { type EventStream, eventsName } from '../../run/event-stream.ts'
import { blockedBy } from '../../run/outcome.ts'
import { openSession, type Session, type SessionParts } from '../../run/session.ts'
import { type SessionPlan, wayTo } from '../../run/session-plan.ts'
import { drainMeasured, timed } from '../../run/timings.ts'
import { findKey, stateFolderOf } from '../../safety/journal-key.ts'
import type { SelectedCheck } from '../../select/select.ts'
import { callerRulesFor } from '../../spelling/circumstances.ts'
import type { Spread } from '../../spelling/spellings.ts'
import { spreadOver } from '../../spelling/spread.ts'
import { loadDialect } from '../../targets/dialects/index.ts'
import { knownFacts } from '../../targets/features.ts'
import { clustersFor, referenceName } from '../../targets/mock.ts'
import type { Probe } from '../../targets/probe.ts'
import { resolveTarget } from '../../targets/resolve.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { baselineFindings } from '../../verdict/baseline.ts'
import { defined } from '../../vocabulary/defined.ts'
import { type Area, advised, type Dialect, exitCodes } from '../../vocabulary/index.ts'
import { isInterrupted, whyStopped } from '../../way/interruptions.ts'
import { matchGlob, withinCeiling } from '../catalog.ts'
import { cleanCommandFor } from '../clean/clean-command.ts'
import { journalFile, journalsIn } from '../clean/journals.ts'
import { assertNoForeignRun } from '../foreign-files.ts'
import { limitCommand } from '../options/time-limit.ts'
import { keyIn } from '../output/attestation-file.ts'
import { assertInstalled, packagesToJudge, packagesToRender } from '../output/needed-packages.ts'
import { holdFolder, prepareFolder } from '../output/output-folder.ts'
import { readResult } from '../output/result-file.ts'
import type { Terminal } from '../output/terminal.ts'
import { counted } from '../output/wording.ts'
import { tellingEarlier } from '../output/written-reports.ts'
import { Progress } from '../progress.ts'
import { selectChecks } from '../selection.ts'
import { publishedFolder } from '../version.ts'
import { type AreasFound, absenceLines, findAbsentAreas } from './absent-areas.ts'
import { beginEvents } from './begin-events.ts'
import { blockedResults } from './blocked-results.ts'
import { ceilingOf, refuseIdleAllowance, wishedCeiling, withinReach } from './ceiling.ts'
import { inputsOf } from './conditions.ts'
import { type EmbeddedOrder, openTarget, ownTargetOf } from './embedded.ts'
import type { RunFlags } from './flags.ts'
import { groundsOf } from './grounds.ts'
import { intentLines } from './intent.ts'
import { type Judged, judgeAll } from './judging.ts'
import { knownFor } from './known-for.ts'
import { Opened } from './opened.ts'
import { findOptionalParts } from './optional-parts.ts'
import { areasOf, type Probed, probeTarget } from './probing.ts'
import { isProviderNeeded, withProvider } from './provider-stub.ts'
import { report } from './report.ts'
import { type Begun, dayOf, type Order } from './run-document.ts'
import { standbyRefusal } from './standby-refusal.ts'
import { assertToken, judgedPartly, sentOnlyBy } from './without-token.ts'

export const conduct = (flags: RunFlags, terminal: Terminal): Promise<number> =>
  tellingEarlier(flags.out, terminal, () => conductWith(flags, terminal))

async function conductWith(flags: RunFlags, terminal: Terminal): Promise<number> {
  // Discards the measurements of an earlier run in this process that ended before it reported them.
  drainMeasured()
  // Everything opened from here on is closed in reverse order, however the run ends.
  await using opened = new Opened()
  const progress = new Progress(terminal)
  opened.defer(() => progress.end())
  progress.step('reading the checks')
  const { named, order } = await timed(flags.timings, 'read what the run was given', () => orderOf(flags, terminal))
  assertInstalled('assay run', [
    ...packagesToJudge(areasOf(order.selection.selected), named === undefined),
    ...packagesToRender(flags.format),
  ])
  opened.defer(holdFolder(flags.out, terminal.say))
  if (flags.record !== undefined) prepareFolder(flags.record, '--record')
  if (flags.history !== undefined) prepareFolder(flags.history, '--history')
  if (!flags.overwrite) await assertNoForeignRun(flags)
  const limit = limitCommand(named?.maxDurationSeconds ?? flags.maxDuration, terminal, [
    `what was judged becomes reports by: ${advised.render(flags.out)}`,
    ...(named ? [`what it left on the target is taken back by: ${cleanCommandFor(flags)}`] : []),
  ])
  opened.defer(() => limit.close())
  if (named) warnOfJournals(flags, terminal)
  const embedded = embeddedFor(order)
  const { target, close } = named ? await withProvider(named, order.selection.selected) : await openTarget(embedded)
  opened.defer(close)
  const stoppable = { ...terminal, signal: limit.signal }
  return await conductOn(target, order, named ? undefined : embedded, stoppable, opened, progress)
}

/** Reads and checks everything that can be checked before anything is sent. */
async function orderOf(
  flags: RunFlags,
  terminal: Terminal,
): Promise<{ readonly named: ResolvedTarget | undefined; readonly order: Order }> {
  refuseIdleAllowance(flags)
  if (flags.history !== undefined && flags.shard)
    throw new UsageError(
      '--history keeps whole runs, but a shard is only a part of one: leave out --history or --shard',
    )
  if (flags.failOn === 'should' && flags.level === 'must')
    throw new UsageError('--level must leaves out all checks of level should: leave out --level or --fail-on should')
  const named = resolveTarget(flags, terminal.env)
  if (named && flags.literal)
    throw new UsageError(
      `--literal is for the embedded server: leave out the target, or start a server with "${advised.literal()}"`,
    )
  const selection = await selectChecks(flags)
  if (named) assertToken(named, withinCeiling(selection.selected, wishedCeiling(flags, false)), flags.tokenVariable)
  const known: Known = {
    match: (glob) => matchGlob(selection.outline, glob),
    selected: new Set(selection.selected.map(({ address }) => address)),
    today: dayOf(Date.now()),
  }
  const accepted = flags.accept ? loadAccepted(flags.accept, terminal.env, known) : []
  const lists = (flags.known ?? []).map((name) => knownListsOf(publishedFolder, name))
  const key = flags.sign === undefined ? undefined : keyIn(flags.sign, createPrivateKey)
  const baseline = flags.baseline ? await readResult(flags.baseline) : undefined
  return { named, order: { flags, selection, accepted, known: lists, baseline, inputs: inputsOf(flags), key } }
}

/** Returns the options of the reference servers for this run. */
function embeddedFor({ flags, selection: { selected } }: Order): EmbeddedOrder {
  const { seed, timeout, maxRps, literal = false } = flags
  const clusters = clustersFor(selected.map(({ check }) => check))
  return {
    reference: { seed, control: true, clusters, literal },
    limits: defined({ timeoutMs: timeout && timeout * 1000, maxRps }),
    needsProvider: isProviderNeeded(selected),
  }
}

function warnOfJournals(flags: RunFlags, terminal: Terminal): void {
  if (journalsIn(flags.out).length > 0)
    terminal.say(
      `${flags.out} has the journal of a run that did not finish; this command cleans up what it left: ${cleanCommandFor(flags)}`,
    )
}

/** Spreads are kept by dialect, seed and area, since several targets in a row are sent the same. */
const spreads = new Map<string, Spread>()

/** Returns the spellings of all checks of an area, so that a check is sent alike whatever else is selected. */
function spreadIn(area: Area, dialect: Dialect, { flags: { seed }, selection: { catalog } }: Order): Spread {
  const key = [dialect.id, seed, area].join(' ')
  const { spellings: sites, requirements } = catalog
  const all = () =>
    catalog.topics
      .filter(({ topic }) => topic.area === area)
      .flatMap(({ topic }) => topic.checks.map((check) => ({ topic, check })))
  const spread = spreads.get(key) ?? spreadOver(all(), { sites, dialect, requirements }, seed)
  spreads.set(key, spread)
  return spread
}

/** Returns the spellings of the selected checks. */
function spreadFor(target: ResolvedTarget, order: Order): Pick<SessionPlan, 'spread' | 'callerRules'> {
  const { flags, selection } = order
  if (flags.plain) return {}
  const dialect = loadDialect(target.dialect)
  const spread: Spread = Object.assign({}, ...areasOf(selection.selected).map((area) => spreadIn(area, dialect, order)))
  const chosen = selection.selected.map(({ address }) => [address, spread[address] ?? []] as const)
  return { spread: Object.fromEntries(chosen), callerRules: callerRulesFor(selection.selected, spread, dialect) }
}

/** Returns the plan by which the target is asked what it is. */
function firstPlan(target: ResolvedTarget, order: Order, isEmbedded: boolean): SessionPlan {
  const { flags, selection } = order
  return {
    target,
    facts: knownFacts(target.declared),
    runId: randomBytes(4).toString('hex'),
    seed: flags.seed,
    ceiling: 'read-only',
    jobs: flags.jobs,
    adaptsJobs: !isEmbedded && !flags.shard && flags.adaptsJobs === true,
    level: flags.level,
    ...(isEmbedded ? { hasClustersAlone: true } : {}),
    ...defined({ timings: flags.timings, ground: flags.ground === 'own' ? flags.ground : undefined }),
    requirements: selection.catalog.requirements,
    lists: selection.catalog.lists,
    ...spreadFor(target, order),
  }
}

/** Says whom the run will judge, and what it intends. */
function announce(target: ResolvedTarget, { flags, selection }: Order, terminal: Terminal, progress: Progress): void {
  if (target.tls.insecure) terminal.say(`WARNING: the certificate of ${target.url} is NOT verified`)
  for (const line of intentLines(target, flags)) progress.say(line)
  progress.say(`${counted(selection.selected.length, 'check')} against ${target.name}`)
}

async function conductOn(
  target: ResolvedTarget,
  order: Order,
  embedded: EmbeddedOrder | undefined,
  terminal: Terminal,
  opened: Opened,
  progress: Progress,
): Promise<number> {
  const { flags, selection } = order
  const isEmbedded = embedded !== undefined
  announce(target, order, terminal, progress)
  const startedAt = Date.now()
  const first = firstPlan(target, order, isEmbedded)
  const parts = { signal: terminal.signal, waiting: progress.waiting }
  const session = await openSession(first, parts)
  opened.defer(() => session.close())
  const { timings } = flags
  progress.step('asking what the target is')
  const probed = await timed(timings, 'ask what the target is', () =>
    probeTarget(session, selection.selected, wishedCeiling(flags, isEmbedded)),
  )
  const redact = (text: string) => session.redactor.redact(text)
  const whyNot = whyNotJudged(probed.seen, target, flags)
  if (whyNot !== undefined || 'unreachable' in probed.seen) {
    terminal.say(`assay: ${redact(whyNot ?? '')}`)
    if (!('unreachable' in probed.seen)) return exitCodes.usage
    return isInterrupted(terminal.signal) ? exitCodes.interrupted : exitCodes.unreachable
  }
  session.knowNodes(probed.seen.facts)
  const known = knownFor(order, probed.seen.facts)
  const asked = {
    ...probed.seen,
    findings: [...probed.seen.findings, ...comparing(target, probed.seen, order), ...known.findings],
  }
  const knowing: Order = { ...order, accepted: [...known.entries, ...order.accepted] }
  const { facts, evidence, clusterId, hidden, observed } = asked
  const plan: SessionPlan = {
    ...{ ...first, facts, evidence, ...defined({ clusterId, hidden, version: observed.version }) },
    target: { ...first.target, provides: { ...first.target.provides, ...clustersOf(probed) } },
    ceiling: ceilingOf(flags, isEmbedded, clusterId),
    ...wayTo(session.client(mainCluster)),
    ...(isEmbedded ? {} : signedJournal(journalFile(flags.out, first.runId), stateFolderOf(terminal.env))),
  }
  if (clusterId !== undefined && plan.ceiling !== 'disruptive') session.knowCluster(clusterId)
  progress.step('asking for its areas')
  const found = await timed(timings, 'ask for its areas', () =>
    absentAreas(plan, asked, session, order, isEmbedded, parts),
  )
  for (const line of absenceLines(found.absent, selection.selected, selection.asked)) terminal.say(redact(line))
  progress.step('asking for its optional parts')
  const { seen, exchanges } = await timed(timings, 'ask for its optional parts', () =>
    withParts(plan, asked, found, session, order, isEmbedded, parts),
  )
  for (const { severity, text } of seen.findings) terminal.say(`${severity}: ${redact(text)}`)
  const applied: SessionPlan = {
    ...{ ...plan, absentAreas: found.absent, facts: seen.facts, evidence: seen.evidence },
    held: seen.capabilities,
    eventsFile: join(flags.out, eventsName),
  }
  const { reached, above } = withinReach(selection.selected, applied)
  // This process is idle while the other thread judges. An error is thrown where `grounds` is awaited, after judging.
  const grounds = groundsOf(reached)
  grounds.catch(() => {})
  const begun: Begun = {
    ...{ plan: applied, reached, above, startedAt, seen, order: knowing, redactor: session.redactor },
    probed: { ...probed, exchanges: [...probed.exchanges, ...found.exchanges, ...exchanges] },
  }
  const events = await timed(timings, 'begin the events', () => beginEvents(begun, session, grounds, terminal))
  opened.defer(() => events.close())
  const judged = await judgedOn(applied, seen, session, reached, knowing, embedded, terminal, progress, events)
  events.write({ event: 'phase', name: 'write', at: new Date().toISOString() })
  return await report({ begun, judged, grounds: await grounds, events, terminal, progress })
}

/** Returns why the target cannot be judged, or undefined if it can. */
const whyNotJudged = (seen: Probed['seen'], target: ResolvedTarget, flags: RunFlags): string | undefined =>
  'unreachable' in seen ? seen.unreachable : (standbyRefusal(seen, target, flags) ?? tokenRefusal(seen, target))

const tokenRefusal = ({ blocker }: Probe, { token }: ResolvedTarget): string | undefined =>
  blocker?.kind === 'permission' && token !== undefined ? `${blocker.reason}: ${blocker.mend}` : undefined

/** If no check can have a verdict of its own, no area is looked for. An embedded server has every area. */
const absentAreas = async (
  plan: SessionPlan,
  { blocker, areas }: Probe,
  { dialect }: Session,
  { selection: { selected } }: Order,
  isEmbedded: boolean,
  parts: SessionParts,
): Promise<AreasFound> =>
  blocker || isEmbedded
    ? { absent: [], exchanges: [] }
    : findAbsentAreas(plan, areasOf(selected), areas, dialect, parts)

/** Asks the target about the optional parts of its areas, unless the profile declares them. */
async function withParts(
  plan: SessionPlan,
  seen: Probe,
  { absent }: AreasFound,
  { dialect }: Session,
  { selection: { selected } }: Order,
  isEmbedded: boolean,
  parts: SessionParts,
): Promise<{ readonly seen: Probe; readonly exchanges: Probed['exchanges'] }> {
  if (seen.blocker || isEmbedded) return { seen, exchanges: [] }
  const areas = areasOf(selected).filter((area) => !absent.some((one) => one.area === area))
  const { exchanges, findings, ...known } = await findOptionalParts(plan, areas, seen, dialect, parts)
  return { seen: { ...seen, ...known, findings: [...seen.findings, ...findings] }, exchanges }
}

/** Creates the signing key. The journal begins with the first attempt for an area, and its lines have to be signed,
 * too. */
function signedJournal(file: string, stateFolder: string): Pick<SessionPlan, 'journalFile' | 'stateFolder'> {
  findKey(stateFolder, 'make')
  return { journalFile: file, stateFolder }
}

const comparing = ({ url, name }: ResolvedTarget, { facts }: Probe, { baseline, selection }: Order) =>
  baseline
    ? baselineFindings(baseline, {
        url,
        name,
        facts,
        checks: selection.selected.map(({ address }) => address),
        embeddedName: referenceName,
      })
    : []

async function judgedOn(
  plan: SessionPlan,
  { blocker, sealed, replaced }: Probe,
  session: Session,
  selected: readonly SelectedCheck[],
  { flags, accepted }: Order,
  embedded: EmbeddedOrder | undefined,
  terminal: Terminal,
  progress: Progress,
  events: EventStream,
): Promise<Judged> {
  const own = embedded && ownTargetOf(embedded, selected.length)
  const judge = (some: readonly SelectedCheck[]) =>
    judgeAll({
      selected: some,
      plan,
      session,
      own,
      shard: flags.shard,
      terminal,
      progress,
      events,
      flags,
      ...endOf(flags, accepted),
    })
  const stopped = terminal.signal.aborted ? blockedBy(whyStopped(terminal.signal)).blocker : undefined
  const obstacle = stopped ?? blocker ?? replaced
  if (!obstacle) return judge(selected)
  const only = obstacle === replaced ? 'operator' : 'nobody'
  const isOpen = obstacle === replaced || (plan.target.token === undefined && !sealed && !stopped)
  const judged = await judgedPartly(selected, isOpen ? sentOnlyBy(only, selected, plan.target) : [], judge, (others) =>
    blockedResults(others, obstacle, { ...session, plan }),
  )
  return { ...judged, interrupted: isInterrupted(terminal.signal) }
}

/** A finding that may be accepted does not end a run. */
function endOf(
  { failFast, failOn }: RunFlags,
  accepted: Order['accepted'],
): Pick<Parameters<typeof judgeAll>[0], 'endsWith'> {
  if (!failFast) return {}
  const mayFail = new Set(accepted.flatMap(({ checks }) => checks))
  const ends: ReadonlySet<string> = new Set(failOn === 'should' ? ['fail', 'warn'] : ['fail'])
  return { endsWith: ({ id, verdict }) => ends.has(verdict) && !mayFail.has(id) }
}

/** Leaves only usable clusters in the plan, so that no check relies on others. */
const clustersOf = ({ clusters }: Probed): object => ({ clusters: clusters.length > 0 ? clusters : undefined })
