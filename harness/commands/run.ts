import { Command, InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../targets/usage-error.ts'
import { safetyClasses, sizeBounds } from '../vocabulary/index.ts'
import { formatsOption } from './formats.ts'
import { duration, notEmpty, number, selectionOptions, severalGiven, targetOptions } from './options.ts'
import { reportUrlOption } from './report-url.ts'
import type { RunFlags, Shard } from './run/flags.ts'
import type { Terminal } from './terminal.ts'

const examples = `
Secrets come from the environment (ASSAY_TOKEN), or from the profile by \${env:NAME} or a file: never from the command line.

Examples:
  assay run                                                  all suites against the embedded reference server
  ASSAY_TOKEN=… assay run --target https://vault.example:8200 --area policies
  assay run --profile all.yaml                               one target after the other, where it lists "targets"
  assay run --profile staging.yaml --out nightly --format html,junit,allure
  assay run --profile staging.yaml --accept accepted.yaml --baseline last/result.json
  assay run --profile staging.yaml --known openbao-2.6       show what is different about this one
  assay run --check 'policies/errors/*' --jobs 1             one at a time, to read along
  assay run --profile ci.yaml --max-duration 10m             what was not reached by then is not verified: exit 3
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
    .description('judge a target, or the embedded reference server where none is named')
    .addOption(
      new Option('--safety <class>', 'the most a check may touch (scoped; disruptive on the embedded server)').choices(
        safetyClasses,
      ),
    )
    .option('--allow-disruptive <cluster-id>', "the target's cluster id, typed out: needed for --safety disruptive")
    .option('--max-wait <seconds>', "the longest a check may wait for the target's clock", number(0))
    .option('--max-duration <time>', 'end the run after so long, such as 90s or 2h (30m)', duration)
    .option('--control <url>', 'the control listener of a reference server that is not embedded')
    .option('--literal', 'the embedded server serves exactly what the documents state, and nothing more')
    .option(
      '--jobs <n>',
      'checks at once; unless given, more on a target that is far away, fewer on a busy one',
      number(1, true, sizeBounds.jobs.value),
      8,
    )
    .option('--seed <n>', 'of what is drawn at random', number(0, true), 1)
    .option('--out <folder>', 'where the reports go', 'assay-report')
    .addOption(formatsOption())
    .addOption(reportUrlOption())
    .option('--shard <i/n>', 'run one part of n', shardOf)
    .option(
      '--accept <file>',
      'a YAML list of accepted findings (see "assay accept"); one that no longer occurs is exit 1',
      notEmpty,
    )
    .option('--known <product>', 'accept what is known of a product, such as openbao-2.6 (repeatable)', severalGiven)
    .addOption(new Option('--deviations <file>', 'the former name of --accept').argParser(notEmpty).hideHelp())
    .option('--baseline <file>', 'an earlier result.json: what passed there and fails now is exit 4', notEmpty)
    .option('--record <folder>', 'keep what the target answers there, redacted, for "assay replay"', notEmpty)
    .option('--history <folder>', 'keep the compact result there, and tell what changed since earlier runs', notEmpty)
    .option('--sign <key-file>', 'sign the result by an Ed25519 private key: result.intoto.json beside it', notEmpty)
    .option('--timings', 'measure the parts of the run: kept in result.json, the longest shown')
    .option('--json', 'print the summary as JSON')
    .addHelpText('after', examples)
    .action(async ({ deviations, ...flags }: RunFlags & { readonly deviations?: string }, command: Command) => {
      if (deviations !== undefined && flags.accept !== undefined)
        throw new UsageError('--deviations is the former name of --accept: give one of them')
      const accept = flags.accept ?? deviations
      const adaptsJobs = command.getOptionValueSource('jobs') === 'default'
      const given = { ...flags, adaptsJobs, ...(accept === undefined ? {} : { accept }) }
      const targets = given.profile === undefined ? undefined : await listedIn(given.profile, terminal.env)
      if (targets) {
        const { conductEach } = await import('./run/several-targets.ts')
        settle(await conductEach(targets, given, terminal))
        return
      }
      const { conduct } = await import('./run/conduct-run.ts')
      settle(await conduct(given, terminal))
    })

/** Profiles are not read before a command needs them, so that `--help` stays instant. */
async function listedIn(profile: string, env: NodeJS.ProcessEnv): Promise<readonly string[] | undefined> {
  const { targetsIn } = await import('../targets/target-list.ts')
  return targetsIn(profile, env)
}
