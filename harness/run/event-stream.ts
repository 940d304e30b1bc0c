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
  /** Writes the event of a check, from the JSON of its result. */
  judged(json: string): void
  close(): void
}

/** Opens the stream for appending. Each line is handed to the operating system in one call, so that it outlives the process.
 * A run never ends because of its events: `lost` is called once with the error of the system, and nothing more is
 * written. */
export function openEvents(file: string, lost: (error: Error) => void): EventStream {
  let to: Appending | undefined
  const attempt = (work: () => void) => {
    try {
      work()
    } catch (error) {
      to?.close()
      to = undefined
      lost(error as Error)
    }
  }
  attempt(() => {
    to = openForAppending(file, 'a stream of events')
  })
  const append = (line: string) => {
    if (to) attempt(() => to?.append(`${line}\n`))
  }
  return {
    write: (event) => append(JSON.stringify(event)),
    judged: (json) => append(`{"event":"check","result":${json}}`),
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
