import { Command, InvalidArgumentError, Option } from 'commander'
import { parts } from './parts.ts'

export interface Flags {
  readonly only?: readonly string[]
  readonly quick?: true
  readonly repeat: number
  readonly json?: string
  readonly readme?: true
}

function times(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('Give a number from 1 to 99.')
  return Number(text)
}

export const benchCommand = (): Command =>
  new Command('npm run bench --')
    .description('measure speed; exit 1 where a bound is not met')
    .addOption(new Option('--only <part...>', 'only these parts (repeatable)').choices(parts.map(({ name }) => name)))
    .addOption(
      new Option('--quick', 'a part of it, in 60 s at most; says no bound is missed: always exit 0').conflicts('only'),
    )
    .option('--repeat <n>', 'measure so often, and say how often each bound was met', times, 1)
    .option('--json <file>', 'keep the rows there; in a folder, under the name of the commit')
    .option('--readme', 'write the rows into the table of harness/bench/README.md')

export const flagsOf = (args: readonly string[]): Flags => benchCommand().parse(args, { from: 'user' }).opts<Flags>()
