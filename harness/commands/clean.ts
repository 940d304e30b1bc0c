import { existsSync, rmSync } from 'node:fs'
import { Command } from 'commander'
import { exitCodes } from '../vocabulary/index.ts'
import type { Strays } from './clean/journals.ts'
import { type TargetFlags, targetOptions } from './options.ts'
import { lock } from './output-folder.ts'
import type { Terminal } from './terminal.ts'
import { counted } from './wording.ts'

interface CleanFlags extends TargetFlags {
  readonly out: string
  readonly json?: boolean
}

const examples = `
A run keeps a journal beside its report until everything it made is gone. Only what a journal names is touched.

Examples:
  ASSAY_TOKEN=… assay clean                              the target that the journals in assay-report name
  ASSAY_TOKEN=… assay clean --out nightly
  assay clean --profile staging.yaml --out nightly`

export const cleanCommand = (terminal: Terminal, settle: (code: number) => void): Command =>
  targetOptions(new Command('clean'))
    .description('take back what an interrupted run left on a target')
    .option('--out <folder>', 'the output folder of the run', 'assay-report')
    .option('--json', 'print what was taken back and what is left as JSON')
    .addHelpText('after', examples)
    .action(async (flags: CleanFlags) => {
      const { clean, journalsIn, strays } = await import('./clean/journals.ts')
      const files = journalsIn(flags.out)
      const undone: string[] = []
      const left: string[] = []
      const { seen: unknown, unread }: Strays = files.length === 0 ? await strays(flags, terminal.env) : { seen: [] }
      // The journal of a run that goes on names what it still uses.
      const release = files.length > 0 ? lock(flags.out) : () => {}
      try {
        for (const file of files) {
          const cleaned = await clean(file, flags, terminal.env)
          undone.push(...cleaned.undone)
          left.push(...cleaned.left)
          if (cleaned.left.length === 0) rmSync(file)
        }
      } finally {
        release()
      }
      if (flags.json) terminal.json({ journals: files.length, undone, left, unknown }, 2)
      else {
        for (const words of left) terminal.out(`left behind: ${words}`)
        for (const words of unknown) terminal.out(`of a run whose journal is elsewhere: ${words}`)
        terminal.out(
          files.length === 0
            ? `nothing to clean: ${existsSync(flags.out) ? 'no journal in' : 'there is no folder'} ${flags.out}`
            : `${counted(undone.length, 'object')} taken back, ${left.length} left, ${counted(files.length, 'journal')}`,
        )
      }
      if (unread !== undefined) terminal.say(`assay: ${unread}`)
      const looked = unread === undefined ? exitCodes.conformant : exitCodes.incomplete
      settle(left.length + unknown.length > 0 ? exitCodes.leftBehind : looked)
    })
