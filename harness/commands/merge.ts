import { assertNoForeign, overwriteFlag } from './foreign-files.ts'
import { type CommandTable, commandOf, type TabledCommand } from './options/flag.ts'
import { outFlag } from './options/options.ts'
import { type Format, formatsFlag } from './output/formats.ts'
import { assertInstalled, packagesToRender } from './output/needed-packages.ts'
import { holdFolder } from './output/output-folder.ts'
import { linksOf, reportUrlFlag } from './output/report-url.ts'
import { readResult } from './output/result-file.ts'
import { printOutcome } from './output/summary.ts'
import type { Terminal } from './output/terminal.ts'
import { tellingEarlier, writeAnew } from './output/written-reports.ts'
import { Progress } from './progress.ts'

interface MergeFlags {
  readonly out: string
  readonly format: readonly Format[]
  readonly json?: boolean
  readonly reportUrl?: string
  readonly overwrite?: boolean
}

const examples = `
Fails if a shard is missing, occurs twice or belongs to another run. The exit code is that of the whole run.

Examples:
  assay merge shard-1/result.json shard-2/result.json shard-3/result.json --out assay-report`

const table: CommandTable = {
  name: 'merge',
  says: 'join the results of shards into one report',
  words: { form: '<results...>', says: 'the result.json of each shard', values: 'files' },
  flags: {
    output: [
      outFlag('folder for the reports', 'assay-report'),
      formatsFlag,
      overwriteFlag,
      reportUrlFlag,
      { flag: '--json', says: 'print the summary as JSON' },
    ],
  },
  more: examples,
}

export const mergeCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<MergeFlags>(table, async (flags, files) => {
    assertInstalled('assay merge', packagesToRender(flags.format))
    const { join } = await import('./merge/join-shards.ts')
    const parts = await Promise.all(files.map(async (file) => ({ file, document: await readResult(file) })))
    const document = join(parts)
    const { json = false } = flags
    const release = holdFolder(flags.out, terminal.say)
    const progress = new Progress(terminal)
    try {
      if (!flags.overwrite) await assertNoForeign(flags.out, ['json', ...flags.format], [])
      const took = progress.writing(flags.format)
      const paths = await tellingEarlier(flags.out, terminal, () =>
        writeAnew(document, flags.format, flags.out, terminal, {
          links: linksOf(flags.reportUrl, terminal.env),
          written: progress.wrote,
          slowBegins: progress.slowBegins,
        }),
      )
      printOutcome(document, paths, json, terminal, took())
    } finally {
      progress.end()
      release()
    }
    settle(document.verdict.exitCode)
  })
