import { Command } from 'commander'
import { assertNoForeign, overwriteOption } from './foreign-files.ts'
import { type Format, formatsOption } from './formats.ts'
import { assertInstalled, packagesToRender } from './needed-packages.ts'
import { holdFolder } from './output-folder.ts'
import { showWriting } from './progress.ts'
import { linksOf, reportUrlOption } from './report-url.ts'
import { readResult } from './result-file.ts'
import { printOutcome } from './summary.ts'
import type { Terminal } from './terminal.ts'
import { writeAnew } from './written-reports.ts'

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

export const mergeCommand = (terminal: Terminal, settle: (code: number) => void): Command =>
  new Command('merge')
    .description('join the results of shards into one report')
    .argument('<results...>', 'the result.json of each shard')
    .option('--out <folder>', 'folder for the reports', 'assay-report')
    .addOption(formatsOption())
    .addOption(overwriteOption())
    .addOption(reportUrlOption())
    .option('--json', 'print the summary as JSON')
    .addHelpText('after', examples)
    .action(async (files: readonly string[], flags: MergeFlags) => {
      assertInstalled('assay merge', packagesToRender(flags.format))
      const { join } = await import('./merge/join-shards.ts')
      const parts = await Promise.all(files.map(async (file) => ({ file, document: await readResult(file) })))
      const document = join(parts)
      const { json = false } = flags
      const release = holdFolder(flags.out, terminal.say)
      try {
        if (!flags.overwrite) await assertNoForeign(flags.out, ['json', ...flags.format], [])
        const written = showWriting(terminal, flags.format)
        const paths = await writeAnew(document, flags.format, flags.out, terminal, {
          links: linksOf(flags.reportUrl, terminal.env),
        })
        printOutcome(document, paths, json, terminal, written())
      } finally {
        release()
      }
      settle(document.verdict.exitCode)
    })
