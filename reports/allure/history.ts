/** Maintains the history that Allure shows beside each test. It has one line for each run, in a file that stays in the
 * folder of the reports. */
import { FileFault, readText, replaceFile } from '../../harness/safety/files.ts'
import type { ResultDocument } from '../../harness/vocabulary/index.ts'

export const historyFile = 'allure-history.jsonl'

/** The number of earlier runs in the history. */
export const historyLimit = 20

type Point = { readonly uuid?: unknown; readonly testResults?: unknown }

const expected = {
  what: 'a history of Allure',
  // Twenty runs of all suites have less than half of this.
  most: 128 * 1024 * 1024,
  mend: `remove it, and the next report begins a new history`,
  own: true,
  mayBeEmpty: true,
}

/** Copies the lines of other runs. The line of this run is dropped, so that rendering a report again replaces it. Lines
 * that cannot be parsed are dropped too. */
export function copyHistory(from: string, to: string, { run }: ResultDocument): void {
  const earlier = earlierText(from)
    .split('\n')
    .filter((line) => {
      const point = pointIn(line)
      return point !== undefined && point.uuid !== run.id
    })
  replaceFile(to, earlier.map((line) => `${line}\n`).join(''))
}

/** What cannot be read is replaced by a new history. */
function earlierText(file: string): string {
  try {
    return readText(file, expected)
  } catch (error) {
    if (error instanceof FileFault) return ''
    throw error
  }
}

/** Gives the line that Allure has just added the id and the time of the run, instead of a random id and the current
 * time. */
export function nameRun(file: string, { run }: ResultDocument): void {
  const lines = readText(file, expected)
    .split('\n')
    .filter((line) => line !== '')
  const last = pointIn(lines.at(-1) ?? '')
  if (!last) return
  const named = JSON.stringify({ ...last, uuid: run.id, timestamp: Date.parse(run.finishedAt) })
  replaceFile(file, [...lines.slice(0, -1), named].map((line) => `${line}\n`).join(''))
}

function pointIn(line: string): Point | undefined {
  try {
    const point = JSON.parse(line) as Point | null
    return typeof point?.testResults === 'object' ? point : undefined
  } catch {
    return undefined
  }
}
