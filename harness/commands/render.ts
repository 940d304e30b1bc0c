import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../targets/usage-error.ts'
import { exitCodes } from '../vocabulary/index.ts'
import { assertNoForeign, overwriteFlag } from './foreign-files.ts'
import { type CommandTable, commandOf, type TabledCommand } from './options/flag.ts'
import { readRun } from './output/cut-off-result.ts'
import { type Format, formatsFlag } from './output/formats.ts'
import { assertInstalled, packagesToRender } from './output/needed-packages.ts'
import { holdFolder } from './output/output-folder.ts'
import { linksOf, reportUrlFlag } from './output/report-url.ts'
import type { Terminal } from './output/terminal.ts'
import { systemWords } from './output/written-reports.ts'

interface RenderFlags {
  readonly format: readonly Format[]
  readonly out?: string
  readonly reportUrl?: string
  readonly overwrite?: boolean
}

const examples = `
Examples:
  assay render assay-report/result.json --format sarif      writes it beside the result
  assay render assay-report/result.json --format html,sarif --out site
  assay render assay-report                                 makes the reports of a run that was killed
  assay render merged/result.json --format badge --out .`

const table: CommandTable = {
  name: 'render',
  says: 'make reports from a result.json, or from what a killed run left',
  words: { form: '<result>', says: 'a result.json, the folder of a run, or its events.jsonl', values: 'files' },
  flags: {
    output: [
      formatsFlag,
      { flag: '--out <folder>', says: 'folder for the reports (default: that of the result)', values: 'folders' },
      overwriteFlag,
      reportUrlFlag,
    ],
  },
  more: examples,
}

export const renderCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<RenderFlags>(table, async (flags, [file = '']) => {
    assertInstalled('assay render', packagesToRender(flags.format))
    const document = await readRun(file)
    const out = flags.out ?? (isFolder(file) ? file : dirname(file))
    const release = holdFolder(out, terminal.say)
    try {
      if (!flags.overwrite) await assertNoForeign(out, flags.format, [])
      const { writeReports } = await import('../../reports/formats.ts')
      const links = linksOf(flags.reportUrl, terminal.env)
      const paths = await writeReports(document, flags.format, out, { links }).catch(refuseFolder(out))
      for (const path of paths) terminal.out(path)
    } finally {
      release()
    }
    settle(exitCodes.conformant)
  })

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

const refuseFolder = (folder: string) => (error: unknown) => {
  throw new UsageError(
    `the reports cannot be written to ${folder} (${systemWords(error)}): name another folder with --out`,
  )
}
