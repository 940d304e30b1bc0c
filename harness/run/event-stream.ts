/** The events of a run: a file in the output folder with one line of JSON each, written while the run judges. A run that
 * is killed leaves it, and `assay render` makes every report of it. Progress is shown from the same stream. */
import { type Appending, openForAppending, replaceFile } from '../safety/files.ts'
import type { CheckResult, ResultDocument } from '../vocabulary/index.ts'

export const eventsName = 'events.jsonl'
export const eventsSchema = 'assay/events/1'

/** What a report shows about a check apart from its verdict. */
type Ground = Pick<CheckResult, 'provenBy' | 'definedAt'>

export type RunEvent =
  /** The result as it would be if no check were judged any more. */
  | { readonly event: 'started'; readonly schema: typeof eventsSchema; readonly document: ResultDocument }
  | {
      readonly event: 'grounds'
      readonly faults: ResultDocument['register']['faults']
      readonly checks: Readonly<Record<string, Ground>>
    }
  | { readonly event: 'phase'; readonly name: 'judge' | 'write'; readonly at: string }
  | { readonly event: 'check'; readonly result: CheckResult }

/** The same once the run has ended: `result.json` has the rest. Nothing in it was written before all secrets of the run
 * were known. */
type EndedEvent =
  | { readonly event: 'started'; readonly schema: typeof eventsSchema; readonly run: string; readonly at: string }
  | { readonly event: 'check'; readonly id: string; readonly verdict: CheckResult['verdict']; readonly at: string }
  | { readonly event: 'cause'; readonly says: string }
  | { readonly event: 'ended'; readonly at: string; readonly exitCode: number; readonly headline: string }

/** What is shown while a run judges. It is not written into the file. */
export type LiveEvent =
  | { readonly event: 'began'; readonly id: string }
  | { readonly event: 'judged'; readonly id: string; readonly verdict: CheckResult['verdict'] }
  /** Why nothing is sent to the target now, redacted; without `why`, it answers again. */
  | { readonly event: 'away'; readonly why?: string }

export interface EventStream {
  write(event: RunEvent): void
  began(id: string): void
  /** Writes the event of a check, from the JSON of its result. */
  judged(result: Pick<CheckResult, 'id' | 'verdict'>, json: string): void
  away(why: string | undefined): void
  close(): void
}

interface Listeners {
  readonly lost?: (error: Error) => void
  readonly live?: (event: LiveEvent) => void
}

/** Opens the stream for appending; several threads may do so. Each line is handed to the operating system in one call, so
 * that it outlives the process, and no lines mix. A run never ends because of its events: `lost` is called once with the
 * error of the system, and nothing more is written. Without a file, the events are only passed to `live`. */
export function openEvents(file: string | undefined, { lost, live }: Listeners = {}): EventStream {
  let to: Appending | undefined
  const attempt = (work: () => void) => {
    try {
      work()
    } catch (error) {
      to?.close()
      to = undefined
      lost?.(error as Error)
    }
  }
  attempt(() => {
    if (file !== undefined) to = openForAppending(file, 'a stream of events')
  })
  const append = (line: string) => {
    if (to) attempt(() => to?.append(`${line}\n`))
  }
  return {
    write: (event) => append(JSON.stringify(event)),
    began: (id) => live?.({ event: 'began', id }),
    judged({ id, verdict }, json) {
      append(`{"event":"check","result":${json}}`)
      live?.({ event: 'judged', id, verdict })
    },
    away: (why) => live?.({ event: 'away', ...(why === undefined ? {} : { why }) }),
    close() {
      to?.close()
      to = undefined
    },
  }
}

/** Replaces the stream of a run whose result has been written. */
export function endEvents(file: string, { run, checks, causes, verdict }: ResultDocument): void {
  const events: readonly EndedEvent[] = [
    { event: 'started', schema: eventsSchema, run: run.id, at: run.startedAt },
    ...checks.map(({ id, verdict: of, startedAt }) => ({ event: 'check', id, verdict: of, at: startedAt }) as const),
    ...causes.map(({ says }) => ({ event: 'cause', says }) as const),
    { event: 'ended', at: run.finishedAt, exitCode: verdict.exitCode, headline: verdict.headline },
  ]
  replaceFile(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''))
}
