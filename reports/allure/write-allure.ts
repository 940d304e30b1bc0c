import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { createFile, moveFile, readText, removeFolder } from '../../harness/safety/files.ts'
import type { ResultDocument } from '../../harness/vocabulary/index.ts'
import { sourceWords } from '../render/wording.ts'
import type { Staged } from '../staged.ts'
import { copyHistory, historyFile, nameRun } from './history.ts'
import { replayed, verdictReplayed } from './replayed.ts'
import { writeResults } from './results.ts'
import { quieten, writeReport } from './single-file.ts'

/** The largest page that can be a string in Node. */
const madePage = {
  what: 'the page that Allure made',
  most: 512 * 1024 * 1024 - 32,
  mend: 'write fewer checks',
  own: true,
}

/** Makes `allure-results/` and the single-file `allure-report.html` under temporary names, and extends the history in
 * the folder. */
export async function stageAllure(document: ResultDocument, outDir: string): Promise<Staged> {
  const draft = path.join(outDir, `.allure-${randomBytes(6).toString('hex')}`)
  const results = path.join(draft, 'results')
  const report = path.join(draft, 'report')
  const history = path.join(draft, historyFile)
  const { register } = document
  const statements = new Map(
    register.requirements.map((one) => [one.id, `${one.level}: ${one.says} (${sourceWords(one.source, register)})`]),
  )
  const discard = async () => removeFolder(draft)
  // Allure writes files with its own modes, so the mode of the folder keeps other accounts out.
  await mkdir(draft, { mode: 0o700 })
  try {
    await mkdir(results)
    await writeResults(
      document,
      [verdictReplayed(document), ...document.checks.map((check) => replayed(check, statements, document))],
      results,
    )
    const final = {
      results: path.join(outDir, 'allure-results'),
      report: path.join(outDir, 'allure-report.html'),
      history: path.join(outDir, historyFile),
    }
    copyHistory(final.history, history, document)
    await writeReport(document, { results, output: report, history })
    nameRun(history, document)
    const html = path.join(draft, 'report.html')
    createFile(html, quieten(readText(path.join(report, 'index.html'), madePage)))
    await closeToOthers(results)
    return {
      discard,
      async commit() {
        const old = path.join(draft, 'old-results')
        moveIfPresent(final.results, old)
        moveFile(results, final.results)
        moveFile(html, final.report)
        moveFile(history, final.history)
        return [final.results, final.report]
      },
    }
  } catch (error) {
    await discard()
    throw error
  }
}

async function closeToOthers(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) await closeToOthers(file)
    else await chmod(file, 0o600)
  }
}

function moveIfPresent(from: string, to: string): void {
  try {
    moveFile(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
