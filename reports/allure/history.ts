/** Maintains the history that Allure shows beside each test. It has one line for each run, in a file that stays in the
 * folder of the reports. */
import { readFile, writeFile } from 'node:fs/promises'
import type { ResultDocument } from '../../harness/vocabulary/index.ts'

export const historyFile = 'allure-history.jsonl'

/** The number of earlier runs in the history. */
export const historyLimit = 20

type Point = { readonly uuid?: unknown; readonly testResults?: unknown }

/** Copies the lines of other runs. The line of this run is dropped, so that rendering a report again replaces it. Lines
 * that cannot be parsed are dropped too. */
export async function copyHistory(from: string, to: string, { run }: ResultDocument): Promise<void> {
  const text = await readFile(from, 'utf8').catch(() => '')
  const earlier = text.split('\n').filter((line) => {
    const point = pointIn(line)
    return point !== undefined && point.uuid !== run.id
  })
  await writeFile(to, earlier.map((line) => `${line}\n`).join(''), { mode: 0o600 })
}

/** Gives the line that Allure has just added the id and the time of the run, instead of a random id and the current
 * time. */
export async function nameRun(file: string, { run }: ResultDocument): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  const last = pointIn(lines.at(-1) ?? '')
  if (!last) return
  const named = JSON.stringify({ ...last, uuid: run.id, timestamp: Date.parse(run.finishedAt) })
  await writeFile(file, [...lines.slice(0, -1), named].map((line) => `${line}\n`).join(''))
}

function pointIn(line: string): Point | undefined {
  try {
    const point = JSON.parse(line) as Point | null
    return typeof point?.testResults === 'object' ? point : undefined
  } catch {
    return undefined
  }
}
