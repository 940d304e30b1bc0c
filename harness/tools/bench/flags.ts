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
    .description('measure speed; exit 1 if a bound is not met')
    .addOption(new Option('--only <part...>', 'only these parts (repeatable)').choices(parts.map(({ name }) => name)))
    .addOption(new Option('--quick', 'only some parts, for at most 60 s; always exit 0').conflicts('only'))
    .option('--repeat <n>', 'measure this often, and report how often each bound was met', times, 1)
    .option('--json <file>', 'write the rows there; in a folder, into a file named after the commit')
    .option('--readme', 'write the rows into the table of harness/tools/bench/README.md')

export const flagsOf = (args: readonly string[]): Flags => benchCommand().parse(args, { from: 'user' }).opts<Flags>()
