/** Writes the reports of a comparison. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../harness/safety/files.ts'
import type { Comparison } from '../../harness/vocabulary/index.ts'
import { renderComparisonHtml } from './html.ts'
import { renderComparisonMarkdown } from './markdown.ts'

const renderers = {
  html: { file: 'compare.html', render: renderComparisonHtml },
  markdown: { file: 'compare.md', render: renderComparisonMarkdown },
  json: { file: 'compare.json', render: (comparison: Comparison) => `${JSON.stringify(comparison)}\n` },
} as const

export type ComparisonFormat = keyof typeof renderers

/** Writes the reports and returns their paths. Only the current account can read them. */
export async function writeComparison(
  comparison: Comparison,
  formats: readonly ComparisonFormat[],
  folder: string,
): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const paths: string[] = []
  for (const format of new Set(formats)) {
    const path = join(folder, renderers[format].file)
    replaceFile(path, renderers[format].render(comparison))
    paths.push(path)
  }
  return paths
}
