import { InvalidArgumentError } from 'commander'
import type { CleanFlags } from './clean/flags.ts'
import { type CommandTable, commandOf, type TabledCommand } from './options/flag.ts'
import { outFlag, targetFlags } from './options/options.ts'
import type { Terminal } from './output/terminal.ts'

const examples = `
A run keeps a journal beside its report until everything that it created is removed. The token is sent only to the
server whose address or profile you type, and the only requests that change anything are those that undo what that run
did. Make sure that the run is over.

Examples:
  ASSAY_TOKEN=… assay clean https://vault.example:8200                   cleans up by the journals in assay-report
  assay clean staging.yaml --out nightly --dry-run                       shows what would be sent
  ASSAY_TOKEN=… assay clean https://vault.example:8200 --run 1f2e3d4c    finds what a run left by its names,
                                                                         if its journal is lost`

const table: CommandTable = {
  name: 'clean',
  says: 'clean up what an interrupted run left on a target',
  words: {
    form: '[address]',
    says: 'the server that the run judged: its URL, or its profile (a .yaml file)',
    values: 'files',
  },
  flags: {
    target: targetFlags,
    safety: [
      {
        flag: '--run <id>',
        says: 'only this run: its journal, and everything on the target that has its names',
        parse: runId,
      },
      { flag: '--dry-run', says: 'show what would be cleaned up, and send nothing that changes anything' },
      {
        flag: '--trust-journal',
        says: 'also clean up by journals that this user did not sign; each request is shown first',
        isRare: true,
      },
    ],
    output: [
      outFlag('the output folder of the run', 'assay-report'),
      { flag: '--json', says: 'print as JSON what was cleaned up and what is left' },
    ],
  },
  more: examples,
}

export const cleanCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<CleanFlags>(table, async (flags, [word]) => {
    const { typedTarget } = await import('../profile/named-target.ts')
    const { conductCleaning } = await import('./clean/conduct-clean.ts')
    settle(await conductCleaning(typedTarget(flags, word), terminal))
  })

/** Parses the run id, which is part of every throw-away name: `assay-<id>-…`. */
function runId(text: string): string {
  if (/^[a-z0-9]{1,32}$/.test(text)) return text
  throw new InvalidArgumentError(
    'Give the id as it appears in the names, such as "1f2e3d4c" in "assay-1f2e3d4c-7-mount".',
  )
}
