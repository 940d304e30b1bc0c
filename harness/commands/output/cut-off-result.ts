/** Makes a result of the events that a run left when it was killed. */
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { applyAccepted } from '../../acceptance/apply.ts'
import { eventsName, eventsSchema, type RunEvent } from '../../run/event-stream.ts'
import { readText } from '../../safety/files.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { assemble, derivedCodes } from '../../verdict/document.ts'
import { toldOnce } from '../../verdict/told-once.ts'
import { type CheckResult, type Finding, type ResultDocument, sizeBounds } from '../../vocabulary/index.ts'
import { readResult } from './result-file.ts'

type Started = Extract<RunEvent, { event: 'started' }>
type Grounds = Extract<RunEvent, { event: 'grounds' }>

interface Left {
  readonly started: Started | undefined
  readonly run: string | undefined
  readonly grounds: Grounds | undefined
  readonly judged: ReadonlyMap<string, CheckResult>
}

/** Reads the result of a run: a result.json, the events of a run, or the folder of a run, whose events count if it was
 * cut off. Throws `UsageError`. */
export async function readRun(path: string): Promise<ResultDocument> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isFolder && !path.endsWith('.jsonl')) return readResult(path)
  const [events, result] = isFolder
    ? [join(path, eventsName), join(path, 'result.json')]
    : [path, join(dirname(path), 'result.json')]
  if (isFolder && !existsSync(events)) {
    if (existsSync(result)) return readResult(result)
    throw new UsageError(`${path} has no result.json and no ${eventsName}: give the folder of a run`)
  }
  const left = leftIn(events)
  const written = existsSync(result) ? await readResult(result).catch(unreadable) : undefined
  if (written && written.run.id === left.run) return written
  if (!left.started)
    throw new UsageError(`${events} does not tell how its run began, and its result.json is not beside it: run again`)
  const { validateResult } = await import('../../../reports/formats.ts')
  const assertResult = (document: ResultDocument): ResultDocument => {
    const [fault] = validateResult(document)
    if (fault !== undefined) throw new UsageError(`${events} does not hold the events of a run: ${fault}`)
    return document
  }
  return assertResult(cutOff(assertResult(withJudged(assertResult(left.started.document), left)), left))
}

/** Returns the document with each result that was written while the run went on. */
const withJudged = (document: ResultDocument, { judged, grounds }: Left): ResultDocument => ({
  ...document,
  checks: document.checks.map((check) => ({ ...(judged.get(check.id) ?? check), ...grounds?.checks[check.id] })),
})

/** An earlier result that cannot be read is not the result of this run. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof UsageError)) throw error
}

/** The last line may be incomplete, and so may any other after a disk was full; such lines are not used. */
function leftIn(file: string): Left {
  const mend = `give the ${eventsName} of a run`
  const most = sizeBounds.resultFile.value
  const events = readText(file, { what: 'a stream of events', most, mend, own: true }).split('\n').flatMap(eventIn)
  const begun = events.find(({ event }) => event === 'started') as (Started & { readonly run?: string }) | undefined
  if (begun?.schema !== eventsSchema)
    throw new UsageError(`${file} is not a stream of events of ${eventsSchema}: ${mend}`)
  const results = events.flatMap((one) => (one.event === 'check' && one.result ? [one.result] : []))
  return {
    started: begun.document ? begun : undefined,
    run: begun.document?.run?.id ?? begun.run,
    grounds: events.find((one) => one.event === 'grounds'),
    judged: new Map(results.map((result) => [result.id, result])),
  }
}

function eventIn(line: string): readonly RunEvent[] {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'event' in value ? [value as RunEvent] : []
  } catch {
    return []
  }
}

/** The last moment of a date of JavaScript. In a file, moments and durations may be anything. */
const lastMoment = 8.64e15

function cutOff(document: ResultDocument, { judged, grounds }: Left): ResultDocument {
  const { suite, register, run, target, accepted, checks: known } = document
  const { results } = applyAccepted(toldOnce(known, register.requirements), accepted, {
    today: run.startedAt.slice(0, 10),
    isShard: run.shard !== undefined,
  })
  const ends = known
    .filter(({ id }) => judged.has(id))
    .map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs)
  // A leap second is valid in a file, but is not a date of JavaScript.
  const begin = Date.parse(run.startedAt) || 0
  const moments = ends.filter((one) => one <= lastMoment)
  const end = moments.reduce((latest, one) => Math.max(latest, one), begin)
  const finding: Finding = {
    severity: 'error',
    code: 'cut-off',
    text: `the run was cut off: ${judged.size} of ${known.length} checks were judged, and what it left on the target is only in its journal`,
  }
  return assemble({
    ...{ suite, target, accepted },
    ...{ requirements: register.requirements, documents: register.documents, paths: register.paths },
    faults: grounds?.faults,
    run: {
      ...{ ...run, interrupted: true, durationMs: end - begin, judgingMs: end - begin },
      finishedAt: new Date(end).toISOString(),
    },
    findings: [...document.findings.filter(({ code }) => !derivedCodes.includes(code)), finding],
    checks: results,
    leftBehind: [],
  })
}
