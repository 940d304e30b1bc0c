import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ResultDocument } from '../../harness/vocabulary/index.ts'
import { sourceWords } from '../render/wording.ts'
import { replayed } from './replayed.ts'
import { writeResults } from './results.ts'
import { quieten, writeReport } from './single-file.ts'

/** Writes `allure-results/` and the single-file `allure-report.html`; returns both paths. */
export async function writeAllure(document: ResultDocument, outDir: string): Promise<string[]> {
  const draft = path.join(outDir, `.allure-${randomBytes(6).toString('hex')}`)
  const results = path.join(draft, 'results')
  const report = path.join(draft, 'report')
  const { register } = document
  const statements = new Map(
    register.requirements.map((one) => [one.id, `${one.level}: ${one.says} (${sourceWords(one.source, register)})`]),
  )
  await mkdir(results, { recursive: true })
  try {
    await writeResults(
      document,
      document.checks.map((check) => replayed(check, statements)),
      results,
    )
    await writeReport(document, results, report)
    const final = { results: path.join(outDir, 'allure-results'), report: path.join(outDir, 'allure-report.html') }
    const html = path.join(draft, 'report.html')
    await writeFile(html, quieten(await readFile(path.join(report, 'index.html'), 'utf8')))
    await rm(final.results, { recursive: true, force: true })
    await rename(results, final.results)
    await rename(html, final.report)
    return [final.results, final.report]
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
