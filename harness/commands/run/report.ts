/** Ends a run: makes the document, the reports and the exit code from what was judged. */
import type { KeyObject } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { compactOf } from '../../compare/compact.ts'
import { historyOf } from '../../history/history.ts'
import { readHistory, writeHistory } from '../../history/history-folder.ts'
import { type EventStream, endEvents, eventsName } from '../../run/event-stream.ts'
import { redactExchanges } from '../../run/redact-document.ts'
import { drainMeasured } from '../../run/timings.ts'
import { UsageError } from '../../targets/usage-error.ts'
import type { ResultDocument } from '../../vocabulary/index.ts'
import { attestationFile, writeAttestation } from '../output/attestation-file.ts'
import { linksOf } from '../output/report-url.ts'
import { printJson, printReport, printSummary } from '../output/summary.ts'
import type { Terminal } from '../output/terminal.ts'
import { systemWords, writeAnew } from '../output/written-reports.ts'
import type { Progress } from '../progress.ts'
import type { Grounds } from './grounds.ts'
import type { Judged } from './judging.ts'
import { type Begun, documentOf } from './run-document.ts'

interface Ended {
  readonly begun: Begun
  readonly judged: Judged
  readonly grounds: Grounds
  readonly events: EventStream
  readonly terminal: Terminal
  readonly progress: Progress
}

/** Returns the exit code. */
export async function report({ begun, judged, grounds, events, terminal, progress }: Ended): Promise<number> {
  const { redactor, order } = begun
  const { flags } = order
  const { json = false } = flags
  const took = progress.writing(flags.format)
  const ended = { ...judged, measured: [...drainMeasured(), ...judged.measured] }
  const shown = withHistory(documentOf(begun, ended, grounds), flags.history, terminal)
  // Readers wait for the verdict, so it is printed before the exchanges are redacted and written, which takes longer.
  if (!json) printSummary(shown, terminal)
  const document = redactExchanges(shown, redactor)
  const paths = await writeAnew(document, flags.format, flags.out, terminal, {
    links: linksOf(flags.reportUrl, terminal.env),
    written: progress.wrote,
    slowBegins: progress.slowBegins,
  })
  events.close()
  endStream(document, paths, flags.out)
  if (order.key) attest(document, paths, order.key, terminal)
  if (flags.record !== undefined) await record(document, flags.record, terminal)
  if (json) printJson(document, paths, terminal)
  else printReport(paths, terminal, took())
  return document.verdict.exitCode
}

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

/** If the result was written elsewhere or not at all, the events stay as they are. */
function endStream(document: ResultDocument, paths: readonly string[], out: string): void {
  if (!paths.includes(join(out, 'result.json'))) return
  try {
    endEvents(join(out, eventsName), document)
  } catch {
    // The disk may be full; the result is there.
  }
}
