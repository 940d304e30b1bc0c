import { Command, Option } from 'commander'
import { type CompareFlags, compareFormats } from './compare/flags.ts'
import { overwriteOption } from './foreign-files.ts'
import { known, number, selectionOptions, severalGiven } from './options.ts'
import type { Terminal } from './terminal.ts'

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

export const compareCommand = (terminal: Terminal, settle: (code: number) => void): Command =>
  selectionOptions(new Command('compare'))
    .description('compare results or targets: what does B do differently from A?')
    .argument('<servers...>', 'two or more of: a result.json, its folder, a compact.json, a URL, a profile')
    .option('--out <folder>', 'folder for the comparison', 'assay-compare')
    .addOption(
      new Option('--format <list>', `any of ${compareFormats.join(', ')}`)
        .default([...compareFormats], compareFormats.join(','))
        .argParser((text: string) => severalGiven(text).map((given) => known(given, compareFormats, 'format'))),
    )
    .addOption(overwriteOption())
    .option('--title <text>', 'title of the page', 'Servers compared')
    .option('--jobs <n>', 'number of checks to run at once on a target', number(1, true), 8)
    .addHelpText('after', examples)
    .action(async (operands: readonly string[], flags: CompareFlags) => {
      const { compareServers } = await import('./compare/compare-servers.ts')
      settle(await compareServers(operands, flags, terminal))
    })
