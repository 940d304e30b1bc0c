import { type CompareFlags, compareFormats } from './compare/flags.ts'
import { overwriteFlag } from './foreign-files.ts'
import { type CommandTable, commandOf, type TabledCommand } from './options/flag.ts'
import { number, outFlag, selectionFlags } from './options/options.ts'
import type { Terminal } from './output/terminal.ts'

const examples = `
Each server is compared with the first one. Exit code 4: a check that passes on the first server fails on another one,
or what it is about is absent there. Exit code 3: no such check, but one that passes on the first server could not be
decided on another one. Exit code 0: no server is worse. If a target cannot be judged, the comparison ends with the
exit code of its run, such as 5 if the target cannot be reached.

If both results contain exchanges, the replies in checks that pass on both servers are compared as well. Drift is what
clients can notice there although no check decides it. It does not change the exit code.

Targets are judged first; their reports are in separate folders below --out. The token of a target comes from its
profile, or from ASSAY_TOKEN_1 for the first operand, ASSAY_TOKEN_2 for the second, and so on.

Examples:
  assay compare before/result.json after/result.json        what did the upgrade change?
  assay compare reports/published/vault-1.14 assay-report   is ours as good as that product?
  ASSAY_TOKEN_1=… ASSAY_TOKEN_2=… assay compare https://old.example:8200 https://new.example:8200 --area pki`

const table: CommandTable = {
  name: 'compare',
  says: 'compare results or targets, and show what B does otherwise than A',
  words: {
    form: '<servers...>',
    says: 'two or more of: a result.json, its folder, a compact.json, a URL, a profile',
    values: 'files',
  },
  flags: {
    selection: selectionFlags,
    output: [
      outFlag('folder for the comparison', 'assay-compare'),
      {
        flag: '--format <list>',
        says: `any of ${compareFormats.join(', ')}`,
        values: { of: compareFormats, what: 'format' },
        isList: true,
        default: compareFormats,
        defaultSays: compareFormats.join(','),
      },
      { flag: '--title <text>', says: 'title of the page', default: 'Servers compared', isRare: true },
      overwriteFlag,
    ],
    target: [
      { flag: '--jobs <n>', says: 'number of checks to run at once on a target', parse: number(1, true), default: 8 },
    ],
  },
  more: examples,
}

export const compareCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<CompareFlags>(table, async (flags, operands) => {
    const { compareServers } = await import('./compare/compare-servers.ts')
    settle(await compareServers(operands, flags, terminal))
  })
