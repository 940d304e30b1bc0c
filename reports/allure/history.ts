/** The history that Allure shows beside each test: a line a run, in a file that stays in the folder of the reports. */
import { readFile, writeFile } from 'node:fs/promises'
import type { ResultDocument } from '../../harness/vocabulary/index.ts'

export const historyFile = 'allure-history.jsonl'

/** Earlier runs that are kept. */
export const historyLimit = 20

type Point = { readonly uuid?: unknown; readonly testResults?: unknown }

/** Copies what is known of earlier runs. A report that is made again replaces its own line, and a line that cannot be read does
 * not cost the report. */
export async function copyHistory(from: string, to: string, { run }: ResultDocument): Promise<void> {
  const text = await readFile(from, 'utf8').catch(() => '')
  const earlier = text.split('\n').filter((line) => {
    const point = pointIn(line)
    return point !== undefined && point.uuid !== run.id
  })
  await writeFile(to, earlier.map((line) => `${line}\n`).join(''), { mode: 0o600 })
}

/** Allure has added a line for this report, with an id drawn by chance and the time of now. */
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
