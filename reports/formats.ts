/** Turns a result document into files. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { type Disk, draftFile } from '../harness/safety/files.ts'
import type { ResultDocument } from '../harness/vocabulary/index.ts'
import type { ReportFormat } from '../harness/vocabulary/report-formats.ts'
import { inBlocks } from './blocks.ts'
import type { Links } from './render/links.ts'
import type { Staged } from './staged.ts'

export type { Links } from './render/links.ts'
export { validateResult } from './validate.ts'

type Render = (document: ResultDocument, links: Links) => string | Iterable<string> | Promise<string>

interface Single {
  readonly file: string
  /** Who may read the file; only this account by default. */
  readonly mode?: number
  load(): Promise<Render>
}

/** Each renderer is loaded only when it is needed: a run that writes JUnit does not load the code of the HTML page. */
const single: Readonly<Record<Exclude<ReportFormat, 'allure'>, Single>> = {
  json: { file: 'result.json', load: async () => (await import('./render/json.ts')).renderJson },
  html: { file: 'report.html', load: async () => (await import('./render/html/report.ts')).renderHtml },
  junit: { file: 'junit.xml', load: async () => (await import('./render/junit.ts')).renderJunit },
  markdown: { file: 'summary.md', load: async () => (await import('./render/markdown.ts')).renderMarkdown },
  sarif: { file: 'assay.sarif', load: async () => (await import('./render/sarif.ts')).renderSarif },
  codequality: {
    file: 'gl-code-quality-report.json',
    load: async () => (await import('./render/code-quality.ts')).renderCodeQuality,
  },
  github: { file: 'annotations.txt', load: async () => (await import('./render/annotations.ts')).renderAnnotations },
  coverage: { file: 'coverage.md', load: async () => (await import('./render/coverage.ts')).renderCoverage },
  // The node exporter, which reads it, runs under another account.
  openmetrics: {
    file: 'assay.prom',
    mode: 0o644,
    load: async () => (await import('./render/openmetrics.ts')).renderOpenMetrics,
  },
  badge: { file: 'badge.svg', load: async () => (await import('./render/badge.ts')).renderBadge },
}

export const reportFormats = [...Object.keys(single), 'allure'] as readonly ReportFormat[]

/** Opens files. A test replaces it to simulate a full disk. */
export interface WriteOptions {
  readonly links?: Links
  readonly disk?: Disk
  /** Called with the name of each report as soon as it is written, even though it gets that name together with the
   * others. */
  readonly written?: (file: string) => void
}

/** Writes the reports into a folder, which is created if needed, and returns their paths in the requested order. Only
 * the current account can read them. All reports are first written under temporary names, so that the reports of an
 * earlier run stay intact if the disk is full. */
export async function writeReports(
  document: ResultDocument,
  formats: readonly ReportFormat[],
  outDir: string,
  { links = {}, disk, written = () => {} }: WriteOptions = {},
): Promise<string[]> {
  await mkdir(outDir, { recursive: true, mode: 0o700 })
  // The formats run in parallel: while one is compressed on another thread or synced to disk, the next one is rendered.
  const outcomes = await Promise.allSettled(
    [...new Set(formats)].map(async (format) => {
      const staged = await stage(document, format, outDir, links, disk)
      written(format === 'allure' ? 'allure-report.html' : single[format].file)
      return staged
    }),
  )
  const staged = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
  try {
    // A renderer that throws has a defect; the reports of the other formats are still written. An error of the system,
    // such as a full disk, concerns them all.
    const isOfSystem = (error: unknown): boolean => (error as NodeJS.ErrnoException).code !== undefined
    const paths = errors.some(isOfSystem) ? [] : await committed(staged)
    if (errors.length > 0) throw errors.find(isOfSystem) ?? errors[0]
    return paths
  } finally {
    await Promise.all(staged.map((one) => one.discard()))
  }
}

async function committed(staged: readonly Staged[]): Promise<string[]> {
  const paths: string[] = []
  for (const one of staged) paths.push(...(await one.commit()))
  return paths
}

async function stage(
  document: ResultDocument,
  format: ReportFormat,
  outDir: string,
  links: Links,
  disk: Disk | undefined,
): Promise<Staged> {
  if (format === 'allure') {
    const { stageAllure } = await import('./allure/write-allure.ts')
    return stageAllure(document, outDir)
  }
  const { file, load, mode } = single[format]
  const render = await load()
  const text = await render(document, links)
  const final = path.join(outDir, file)
  const content = typeof text === 'string' ? text : inBlocks(text)
  const draft = await draftFile(final, content, { ...(mode && { mode }), ...(disk && { disk }) })
  return {
    discard: async () => draft.discard(),
    async commit() {
      draft.commit()
      return [final]
    },
  }
}
