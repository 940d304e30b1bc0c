/** From a result document to files. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { ResultDocument } from '../harness/vocabulary/index.ts'

export { removeStale } from './stale.ts'
export { validateResult } from './validate.ts'

type Render = (document: ResultDocument) => string

/** The renderers are loaded when asked for: a run that writes JUnit does not pay for the page. */
const single: Readonly<Record<string, { readonly file: string; load(): Promise<Render> }>> = {
  json: { file: 'result.json', load: async () => (await import('./render/json.ts')).renderJson },
  html: { file: 'report.html', load: async () => (await import('./render/html.ts')).renderHtml },
  junit: { file: 'junit.xml', load: async () => (await import('./render/junit.ts')).renderJunit },
  markdown: { file: 'summary.md', load: async () => (await import('./render/markdown.ts')).renderMarkdown },
  sarif: { file: 'assay.sarif', load: async () => (await import('./render/sarif.ts')).renderSarif },
  badge: { file: 'badge.svg', load: async () => (await import('./render/badge.ts')).renderBadge },
}

export const reportFormats = ['html', 'json', 'junit', 'markdown', 'sarif', 'badge', 'allure'] as const
export type ReportFormat = (typeof reportFormats)[number]

/** Writes the reports into a folder, which is made if needed, and returns their paths in the order asked for. A file is
 * either the whole new report or what was there before. */
export async function writeReports(
  document: ResultDocument,
  formats: readonly ReportFormat[],
  outDir: string,
): Promise<string[]> {
  await mkdir(outDir, { recursive: true })
  const paths: string[] = []
  for (const format of new Set(formats)) {
    const known = single[format]
    if (known) {
      const render = await known.load()
      paths.push(await writeWhole(path.join(outDir, known.file), render(document)))
    } else {
      const { writeAllure } = await import('./allure/write-allure.ts')
      paths.push(...(await writeAllure(document, outDir)))
    }
  }
  return paths
}

async function writeWhole(file: string, text: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    const handle = await open(draft, 'wx')
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return file
}
