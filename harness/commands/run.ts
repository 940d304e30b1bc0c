import { Command, InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../targets/usage-error.ts'
import { failLevels, safetyClasses, sizeBounds } from '../vocabulary/index.ts'
import { overwriteOption } from './foreign-files.ts'
import { formatsOption } from './formats.ts'
import { duration, notEmpty, number, selectionOptions, severalGiven, targetOptions } from './options.ts'
import { reportUrlOption } from './report-url.ts'
import type { RunFlags, Shard } from './run/flags.ts'
import type { Terminal } from './terminal.ts'

const examples = `
Secrets come from the environment (ASSAY_TOKEN), or from the profile by \${env:NAME} or a file: never from the command
line.

Examples:
  assay run                                                  all suites against the embedded reference server
  ASSAY_TOKEN=… assay run --target https://vault.example:8200 --area policies
  assay run --profile all.yaml                               judges one after the other if it lists "targets"
  assay run --profile staging.yaml --out nightly --format html,junit,allure
  assay run --profile staging.yaml --accept accepted.yaml --baseline last/result.json
  assay run --profile staging.yaml --known openbao-2.6       shows how this target differs from the product
  assay run --check 'policies/errors/*' --jobs 1             runs one check at a time, to follow along
  assay run --profile ci.yaml --max-duration 10m             checks not reached by then are not verified: exit code 3
  assay run --profile ci.yaml --shard 1/3                    join the parts with "assay merge"
  assay run --profile lab.yaml --safety disruptive --allow-disruptive 4c8a7d6e-…`

function shardOf(text: string): Shard {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const shard = { index: Number(index), of: Number(of) }
  if (index === undefined || shard.index < 1 || shard.index > shard.of)
    throw new InvalidArgumentError('Give index and number of shards, such as 1/3.')
  return shard
}

export const runCommand = (terminal: Terminal, settle: (code: number) => void): Command =>
  selectionOptions(targetOptions(new Command('run')))
    .description('judge a target, or the embedded reference server if no target is named')
    .addOption(
      new Option(
        '--safety <class>',
        'highest safety class of the checks (scoped; disruptive on the embedded server)',
      ).choices(safetyClasses),
    )
    .option('--allow-disruptive <cluster-id>', "the target's cluster id, typed out: needed for --safety disruptive")
    .option('--max-wait <seconds>', "longest time that a check may wait for the target's clock", number(0))
    .option('--max-duration <time>', 'end the run after this time, such as 90s or 2h (30m)', duration)
    .option('--control <url>', 'the control listener of a reference server that is not embedded')
    .option('--literal', 'the embedded server serves exactly what the documents state, and nothing more')
    .option(
      '--jobs <n>',
      'number of checks to run at once; adapted to the target unless given',
      number(1, true, sizeBounds.jobs.value),
      8,
    )
    .option('--seed <n>', 'seed for random choices', number(0, true), 1)
    .option('--out <folder>', 'folder for the reports', 'assay-report')
    .addOption(formatsOption())
    .addOption(overwriteOption())
    .addOption(reportUrlOption())
    .addOption(
      new Option('--fail-on <level>', 'exit with 1 if a sentence of this level, or of a stricter one, is contradicted')
        .choices(failLevels)
        .default('must'),
    )
    .option('--shard <i/n>', 'run part i of n', shardOf)
    .option(
      '--accept <file>',
      'a YAML list of accepted findings (see "assay accept"); if one no longer occurs, the exit code is 1',
      notEmpty,
    )
    .option(
      '--known <product>',
      'accept the known deviations of a product, such as openbao-2.6 (repeatable)',
      severalGiven,
    )
    .addOption(new Option('--deviations <file>', 'the former name of --accept').argParser(notEmpty).hideHelp())
    .option(
      '--baseline <file>',
      'an earlier result.json: if a check passed there and fails now, the exit code is 4',
      notEmpty,
    )
    .option(
      '--record <folder>',
      'folder to record the replies of the target in, redacted, for "assay replay"',
      notEmpty,
    )
    .option(
      '--history <folder>',
      'folder to keep compact results in; reports then show what changed since earlier runs',
      notEmpty,
    )
    .option('--sign <key-file>', 'sign the result with an Ed25519 private key, in result.intoto.json', notEmpty)
    .option('--timings', 'measure the parts of the run; result.json has all times, the terminal shows the longest')
    .option('--json', 'print the summary as JSON')
    .addOption(new Option('--quiet', 'no progress: only the verdict, warnings and errors').conflicts('verbose'))
    .option('--verbose', 'also show each check as it is judged')
    .addHelpText('after', examples)
    .action(async ({ deviations, ...flags }: RunFlags & { readonly deviations?: string }, command: Command) => {
      if (deviations !== undefined && flags.accept !== undefined)
        throw new UsageError('--deviations is the former name of --accept: give one of them')
      const accept = flags.accept ?? deviations
      const adaptsJobs = command.getOptionValueSource('jobs') === 'default'
      const given = { ...flags, adaptsJobs, ...(accept === undefined ? {} : { accept }) }
      const verbosity = flags.quiet ? 'quiet' : flags.verbose ? 'verbose' : 'normal'
      const listening = { ...terminal, verbosity } satisfies Terminal
      const targets = given.profile === undefined ? undefined : await listedIn(given.profile, terminal.env)
      if (targets) {
        const { conductEach } = await import('./run/several-targets.ts')
        settle(await conductEach(targets, given, listening))
        return
      }
      const { conduct } = await import('./run/conduct-run.ts')
      settle(await conduct(given, listening))
    })

/** The profile is read only when the command runs, so that `--help` stays instant. */
async function listedIn(profile: string, env: NodeJS.ProcessEnv): Promise<readonly string[] | undefined> {
  const { targetsIn } = await import('../targets/target-list.ts')
  return targetsIn(profile, env)
}
