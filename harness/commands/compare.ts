import { Command, Option } from 'commander'
import { type CompareFlags, compareFormats } from './compare/flags.ts'
import { known, number, selectionOptions, severalGiven } from './options.ts'
import type { Terminal } from './terminal.ts'

const examples = `
Each is compared with the first. Exit code 4: something that passes at the first fails at another, or is absent there. 3:
nothing of that, but something that passes at the first could not be decided at another. 0: none is worse. A target that
cannot be judged ends the comparison with the exit code of its run, such as 5 where it does not answer.

Of results with exchanges, the replies are compared, too, in checks that pass on both: drift is what clients can notice and
no check decides. It does not change the exit code.

A target is judged first; its report is in a folder of its own below --out. Its token comes from its profile, or from
ASSAY_TOKEN_1 for the first operand, ASSAY_TOKEN_2 for the second, and so on.

Examples:
  assay compare before/result.json after/result.json        what did the upgrade change?
  assay compare reports/published/vault-1.14 assay-report   is ours as good as that product?
  ASSAY_TOKEN_1=… ASSAY_TOKEN_2=… assay compare https://old.example:8200 https://new.example:8200 --area pki`

export const compareCommand = (terminal: Terminal, settle: (code: number) => void): Command =>
  selectionOptions(new Command('compare'))
    .description('put results or targets side by side: what does B do otherwise than A?')
    .argument('<servers...>', 'two or more of: a result.json, its folder, a compact.json, a URL, a profile')
    .option('--out <folder>', 'where the comparison goes', 'assay-compare')
    .addOption(
      new Option('--format <list>', `of ${compareFormats.join(', ')}`)
        .default([...compareFormats], compareFormats.join(','))
        .argParser((text: string) => severalGiven(text).map((given) => known(given, compareFormats, 'format'))),
    )
    .option('--title <text>', 'of the page', 'Servers compared')
    .option('--jobs <n>', 'checks at once, where a target is judged', number(1, true), 8)
    .addHelpText('after', examples)
    .action(async (operands: readonly string[], flags: CompareFlags) => {
      const { compareServers } = await import('./compare/compare-servers.ts')
      settle(await compareServers(operands, flags, terminal))
    })
