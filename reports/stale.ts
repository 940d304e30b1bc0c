/** Tells our reports from files of somebody else with the same names, and removes the reports of an earlier run from the
 * output folder, because a reader would mistake them for reports of this run. */
import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { beginningOf, removeFolder } from '../harness/safety/files.ts'
import type { ReportFormat } from '../harness/vocabulary/report-formats.ts'

interface Report {
  readonly names: readonly string[]
  /** Matches text that only our reports contain, so that a file of someone else with the same name stays. */
  readonly mark: RegExp
  /** The file that holds the text; the first of `names` by default. */
  readonly within?: string
}

const reports: Readonly<Record<ReportFormat, Report>> = {
  json: { names: ['result.json'], mark: /^\{\s*"schema": ?"assay\/result\// },
  html: { names: ['report.html'], mark: /<meta name="generator" content="assay / },
  junit: { names: ['junit.xml'], mark: /<testsuites name="assay: / },
  markdown: { names: ['summary.md'], mark: /^\| \*\*Suite\*\* \| assay /m },
  sarif: { names: ['assay.sarif'], mark: /"driver":\s*\{\s*"name": "assay"/ },
  codequality: { names: ['gl-code-quality-report.json'], mark: /^\[\n(?:\]| {2}\{\n {4}"check_name": "assay\/)/ },
  github: { names: ['annotations.txt'], mark: /^::(?:error|notice) title=Assay – / },
  coverage: { names: ['coverage.md'], mark: /^\| document \| rows \| decided \| not decided \|/m },
  openmetrics: { names: ['assay.prom'], mark: /^# HELP assay_run_verdict / },
  badge: { names: ['badge.svg'], mark: /<title id="title">API conformance: / },
  allure: {
    names: ['allure-results', 'allure-report.html'],
    mark: /^suite ?= ?assay /m,
    within: 'allure-results/environment.properties',
  },
}

/** Files beside the reports that a run extends or replaces. */
const others: readonly Report[] = [
  { names: ['events.jsonl'], mark: /^\{"event":"started"/ },
  { names: ['recording.json'], mark: /^\{"schema":"assay\/recording\// },
  { names: ['compare.html'], mark: /<meta name="generator" content="assay compare">/ },
  { names: ['compare.md'], mark: /^## How these results were made$/m },
  { names: ['compare.json'], mark: /^\{"schema":"assay\/comparison\// },
]
/** The ids of our runs have eight digits, and those of other users of Allure are longer. */
const history: Report = { names: ['allure-history.jsonl'], mark: /"uuid":"[0-9a-f]{8}"/ }

/** Returns the paths of files and folders that writing these reports, or these other files, would overwrite or delete,
 * although they do not carry the mark of this program. An empty file or folder is nobody's. */
export async function foreignFiles(
  folder: string,
  formats: readonly ReportFormat[],
  more: readonly string[] = [],
): Promise<readonly string[]> {
  const written = [
    ...formats.map((format) => reports[format]),
    ...(formats.includes('allure') ? [history] : []),
    ...others.filter(({ names }) => names.some((name) => more.includes(name))),
  ]
  const found = await Promise.all(
    written.map(async (report) => {
      const { present, isOurs } = await presentOf(report, folder)
      if (isOurs) return []
      const isEmpty = await Promise.all(present.map(isEmptyAt))
      return present.filter((_, index) => !isEmpty[index])
    }),
  )
  return found.flat()
}

async function presentOf({ names, mark, within = names[0] ?? '' }: Report, folder: string) {
  const present = await existing(names.map((name) => path.join(folder, name)))
  return { present, isOurs: present.length === 0 || mark.test(beginningOf(path.join(folder, within))) }
}

async function isEmptyAt(file: string): Promise<boolean> {
  const stat = await lstat(file)
  return stat.isDirectory() ? (await readdir(file)).length === 0 : stat.isFile() && stat.size === 0
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
  const formats = Object.entries(reports) as [ReportFormat, Report][]
  for (const [format, report] of formats.filter(([name]) => name !== 'json' && !kept.includes(name))) {
    const { present, isOurs } = await presentOf(report, folder)
    if (!isOurs) left.push(...present)
    else if (present.length > 0) removed.push(format)
    for (const file of isOurs ? present : []) removeFolder(file)
  }
  return { removed, left }
}

async function existing(files: readonly string[]): Promise<string[]> {
  const found = await Promise.all(files.map((file) => lstat(file).catch(() => undefined)))
  return files.filter((_, index) => found[index] !== undefined)
}
