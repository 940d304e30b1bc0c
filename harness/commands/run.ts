import { InvalidArgumentError } from 'commander'
import { UsageError } from '../targets/usage-error.ts'
import { failLevels, safetyClasses, sizeBounds } from '../vocabulary/index.ts'
import { overwriteFlag } from './foreign-files.ts'
import { type CommandTable, commandOf, type TabledCommand } from './options/flag.ts'
import { addressWord, duration, number, outFlag, selectionFlags, targetFlags } from './options/options.ts'
import { formatsFlag } from './output/formats.ts'
import { reportUrlFlag } from './output/report-url.ts'
import type { Terminal } from './output/terminal.ts'
import type { RunFlags, Shard } from './run/flags.ts'

const examples = `
Secrets come from the environment (ASSAY_TOKEN, VAULT_TOKEN), or from the profile by \${env:NAME} or a file: never from the command
line.

Examples:
  assay run embedded                                         all suites against the embedded reference server
  assay run https://vault.example:8200 --area policies       with the token in ASSAY_TOKEN, or else in VAULT_TOKEN
  assay run all.yaml                                         judges one after the other if it lists "targets"
  assay run staging.yaml --out nightly --format html,junit,allure
  assay run --profile staging.yaml --accept accepted.yaml --baseline last/result.json
  assay run --profile staging.yaml --known openbao-2.6       shows how this target differs from the product
  assay run --check 'policies/errors/*' --jobs 1             runs one check at a time, to follow along
  assay run --profile ci.yaml --max-duration 10m             checks not reached by then are not verified: exit code 3
  assay run --profile ci.yaml --shard 1/3                    join the parts with "assay merge"
  assay run --profile lab.yaml --safety disruptive --allow-disruptive 4c8a7d6e-…

Proxies, standby nodes, load balancers, what a run costs and how to schedule it: harness/topologies.md`

function shardOf(text: string): Shard {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const shard = { index: Number(index), of: Number(of) }
  if (index === undefined || shard.index < 1 || shard.index > shard.of)
    throw new InvalidArgumentError('Give index and number of shards, such as 1/3.')
  return shard
}

const table: CommandTable = {
  name: 'run',
  says: 'judge a server, or the embedded reference server if none is named',
  words: addressWord,
  flags: {
    target: [
      ...targetFlags,
      {
        flag: '--control <url>',
        says: 'the control listener of a reference server that is not embedded',
        isRare: true,
      },
      {
        flag: '--literal',
        says: 'the embedded server serves exactly what the documents state, and nothing more',
        isRare: true,
      },
    ],
    selection: [
      ...selectionFlags,
      {
        flag: '--last-failed',
        says: 'only checks that failed, warned or broke in the last run, whose result is in --out',
      },
      { flag: '--shard <i/n>', says: 'run part i of n', parse: shardOf, isRare: true },
      { flag: '--seed <n>', says: 'seed for random choices', parse: number(0, true), default: 1, isRare: true },
      {
        flag: '--ground <kind>',
        says: 'own: each check prepares mounts of its own, and shares none with checks that leave them as they were (shared)',
        values: { of: ['own', 'shared'], what: 'kind of ground' },
        isRare: true,
      },
      {
        flag: '--plain',
        says: 'send each request as its check writes it, without other spellings that mean the same',
        isRare: true,
      },
    ],
    safety: [
      {
        flag: '--safety <class>',
        says: 'highest safety class of the checks (scoped; disruptive on the embedded server)',
        values: { of: safetyClasses, what: 'safety class' },
      },
      {
        flag: '--allow-disruptive <cluster-id>',
        says: "the target's cluster id, typed out: needed for --safety disruptive",
        isRare: true,
      },
      { flag: '--max-duration <time>', says: 'end the run after this time, such as 90s or 2h (30m)', parse: duration },
      {
        flag: '--max-wait <seconds>',
        says: "longest time that a check may wait for the target's clock",
        parse: number(0),
        isRare: true,
      },
      {
        flag: '--jobs <n>',
        says: 'number of checks to run at once; adapted to the target unless given',
        parse: number(1, true, sizeBounds.jobs.value),
        default: 8,
        isRare: true,
      },
    ],
    output: [
      {
        flag: '--watch [time]',
        says: 'judge again when the version of the target or the profile changes, and each time this time is over',
        parse: duration,
      },
      outFlag('folder for the reports', 'assay-report'),
      formatsFlag,
      { flag: '--quiet', says: 'no progress: only the verdict, warnings and errors', conflicts: 'verbose' },
      { flag: '--verbose', says: 'also show each check as it is judged' },
      { flag: '--json', says: 'print the summary as JSON', isRare: true },
      overwriteFlag,
      reportUrlFlag,
      {
        flag: '--record <folder>',
        says: 'folder to record the replies of the target in, redacted, for "assay replay"',
        values: 'folders',
        isRare: true,
      },
      {
        flag: '--sign <key-file>',
        says: 'sign the result with an Ed25519 private key, in result.intoto.json',
        values: 'files',
        isRare: true,
      },
      {
        flag: '--timings',
        says: 'measure the parts of the run; result.json has all times, the terminal shows the longest',
        isRare: true,
      },
    ],
    gate: [
      { flag: '--fail-fast', says: 'end the run, and clean up, after the first check that fails' },
      {
        flag: '--fail-on <level>',
        says: 'exit with 1 if a sentence of this level, or of a stricter one, is contradicted',
        values: { of: failLevels, what: 'level' },
        default: 'must',
        isRare: true,
      },
      {
        flag: '--accept <file>',
        says: 'a YAML list of accepted findings (see "assay accept"); if one no longer occurs, the exit code is 1',
        values: 'files',
      },
      {
        flag: '--known <product>',
        says: 'accept the known deviations of a product, such as openbao or openbao-2.6 (repeatable)',
        values: 'products',
        isList: true,
      },
      {
        flag: '--baseline <file>',
        says: 'an earlier result.json: if a check passed there and fails now, the exit code is 4',
        values: 'files',
      },
      {
        flag: '--history <folder>',
        says: 'folder to keep compact results in; reports then show what changed since earlier runs',
        values: 'folders',
        isRare: true,
      },
    ],
  },
  more: examples,
}

export const runCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<RunFlags>(table, async (typed, [word], isTyped) => {
    const { nameTarget } = await import('../profile/named-target.ts')
    const named = nameTarget(typed, word, { env: terminal.env, folder: process.cwd() })
    const { refused } = named
    const flags = typed.lastFailed ? await withLastFailed(named.flags) : named.flags
    if (refused !== undefined) terminal.say(refused)
    const given = { ...flags, adaptsJobs: !isTyped('jobs') }
    const listening: Terminal = { ...terminal, verbosity: verbosityOf(flags) }
    const targets = given.profile === undefined ? undefined : await listedIn(given.profile, terminal.env)
    if (targets) {
      const { conductEach } = await import('./run/several-targets.ts')
      settle(await conductEach(targets, given, listening))
      return
    }
    const { conduct } = await import('./run/conduct-run.ts')
    const judge = () => conduct(given, listening)
    settle(flags.watch === undefined ? await judge() : await watched(given, judge, listening))
  })

const verbosityOf = ({ quiet, verbose }: RunFlags) => (quiet ? 'quiet' : verbose ? 'verbose' : 'normal')

async function watched(flags: RunFlags, judge: () => Promise<number>, terminal: Terminal): Promise<number> {
  if (flags.target === undefined && flags.profile === undefined)
    throw new UsageError('--watch is for a server that changes: name one')
  const { marksOf, watch } = await import('./run/watching.ts')
  const everySeconds = flags.watch === true ? undefined : flags.watch
  return watch({ judge, marks: () => marksOf(flags, terminal), everySeconds }, terminal)
}

/** Loaded only when it is needed, so that `--help` stays instant. */
async function withLastFailed(flags: RunFlags): Promise<RunFlags> {
  const { lastFailed } = await import('./run/last-failed.ts')
  return { ...flags, check: await lastFailed(flags) }
}

/** The profile is read only when the command runs, so that `--help` stays instant. */
async function listedIn(profile: string, env: NodeJS.ProcessEnv): Promise<readonly string[] | undefined> {
  const { targetsIn } = await import('../profile/target-list.ts')
  return targetsIn(profile, env)
}
