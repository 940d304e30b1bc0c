/** Removes the reports of an earlier run from the output folder, because a reader would mistake them for reports of
 * this run. */
import { open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { ReportFormat } from '../harness/vocabulary/report-formats.ts'

interface Report {
  readonly names: readonly string[]
  /** Matches text that only our reports contain, so that a file of someone else with the same name stays. */
  readonly mark: RegExp
  /** The file that holds the text; the first of `names` by default. */
  readonly within?: string
}

const reports: Readonly<Record<Exclude<ReportFormat, 'json'>, Report>> = {
  html: { names: ['report.html'], mark: /<meta name="generator" content="assay / },
  junit: { names: ['junit.xml'], mark: /<testsuites name="assay: / },
  markdown: { names: ['summary.md'], mark: /^\| \*\*Suite\*\* \| assay /m },
  sarif: { names: ['assay.sarif'], mark: /"driver":\s*\{\s*"name": "assay"/ },
  codequality: { names: ['gl-code-quality-report.json'], mark: /^\[\n(?:\]| {2}\{\n {4}"check_name": "assay\/)/ },
  github: { names: ['annotations.txt'], mark: /^::(?:error|notice) title=Assay – / },
  coverage: { names: ['coverage.md'], mark: /^\| document \| rows \| decided \| not decided \|/m },
  badge: { names: ['badge.svg'], mark: /<title id="title">API conformance: / },
  allure: {
    names: ['allure-results', 'allure-report.html'],
    mark: /^suite ?= ?assay /m,
    within: 'allure-results/environment.properties',
  },
}

export interface Stale {
  /** Formats whose reports of an earlier run were removed. */
  readonly removed: readonly ReportFormat[]
  /** Files that have the name of a report but may belong to someone else, so they were not removed. */
  readonly left: readonly string[]
}

export async function removeStale(folder: string, kept: readonly ReportFormat[]): Promise<Stale> {
  const removed: ReportFormat[] = []
  const left: string[] = []
  for (const [format, { names, mark, within = names[0] ?? '' }] of Object.entries(reports) as [
    ReportFormat,
    Report,
  ][]) {
    if (kept.includes(format)) continue
    const present = await existing(names.map((name) => path.join(folder, name)))
    if (present.length === 0) continue
    if (mark.test(await beginningOf(path.join(folder, within)))) {
      for (const file of present) await rm(file, { recursive: true, force: true })
      removed.push(format)
    } else left.push(...present)
  }
  return { removed, left }
}

async function existing(files: readonly string[]): Promise<string[]> {
  const found = await Promise.all(files.map((file) => stat(file).catch(() => undefined)))
  return files.filter((_, index) => found[index] !== undefined)
}

/** Returns the first 4 KiB, where all marks are; empty if the file does not exist. */
async function beginningOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => undefined)
  try {
    const { buffer, bytesRead } = (await handle?.read(Buffer.alloc(4096), 0, 4096)) ?? { bytesRead: 0 }
    return buffer?.toString('utf8', 0, bytesRead) ?? ''
  } catch {
    return ''
  } finally {
    await handle?.close()
  }
}
