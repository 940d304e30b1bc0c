import { Command, InvalidArgumentError } from 'commander'
import type { CleanFlags } from './clean/flags.ts'
import { targetOptions } from './options.ts'
import type { Terminal } from './terminal.ts'

const examples = `
A run keeps a journal beside its report until everything it made is gone. The token is sent only to the server that
--target or --profile names, and only requests that take back what that run made are sent. See that the run is over.

Examples:
  ASSAY_TOKEN=… assay clean --target https://vault.example:8200          works off the journals in assay-report
  assay clean --profile staging.yaml --out nightly --dry-run             shows what would be sent
  ASSAY_TOKEN=… assay clean --target https://vault.example:8200 --run 1f2e3d4c    finds what a run left by its names,
                                                                         where its journal is lost`

export const cleanCommand = (terminal: Terminal, settle: (code: number) => void): Command =>
  targetOptions(new Command('clean'))
    .description('take back what an interrupted run left on a target')
    .option('--out <folder>', 'the output folder of the run', 'assay-report')
    .option('--run <id>', 'only this run: its journal, and what bears its names on the target', runId)
    .option('--dry-run', 'show what would be taken back, and send nothing that changes anything')
    .option('--trust-journal', 'also work off journals that this user did not sign; each request is shown first')
    .option('--json', 'print what was taken back and what is left as JSON')
    .addHelpText('after', examples)
    .action(async (flags: CleanFlags) => {
      const { conductCleaning } = await import('./clean/conduct-clean.ts')
      settle(await conductCleaning(flags, terminal))
    })

/** The id as every throw-away name has it: `assay-<id>-…`. */
function runId(text: string): string {
  if (/^[a-z0-9]{1,32}$/.test(text)) return text
  throw new InvalidArgumentError('Give the id as it stands in the names: "1f2e3d4c" of "assay-1f2e3d4c-7-mount".')
}
