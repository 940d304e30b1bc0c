/** The conditions of a run: all inputs that determine its behaviour, so that it can be repeated. */
import { sha256 } from '../../attestation/statement.ts'
import type { Redactor } from '../../redaction/redaction.ts'
import type { SessionPlan } from '../../run/session-plan.ts'
import { readText } from '../../safety/files.ts'
import { defined } from '../../vocabulary/defined.ts'
import { advised, quotedWord, type ResultDocument, sizeBounds } from '../../vocabulary/index.ts'
import { passedOn } from '../clean/clean-command.ts'
import type { RunFlags } from './flags.ts'

type Conditions = NonNullable<ResultDocument['run']['conditions']>

export interface Input {
  readonly name: Conditions['inputs'][number]['name']
  readonly text: string
}

/** Returns the input files of a run, which are read before anything is sent. They are known to be readable by now. */
export const inputsOf = ({ profile, accept, baseline }: RunFlags): readonly Input[] =>
  (
    [
      ['profile', profile],
      ['accepted findings', accept],
      ['baseline', baseline],
    ] as const
  ).flatMap(([name, file]) =>
    file === undefined
      ? []
      : [
          {
            name,
            text: readText(file, { what: `the ${name}`, most: sizeBounds.resultFile.value, mend: 'fix the path' }),
          },
        ],
  )

/** Secrets are redacted before hashing: someone who knows the rest of a profile could find a weak password by its
 * hash. */
export function conditionsOf(
  { target }: SessionPlan,
  flags: RunFlags,
  inputs: readonly Input[],
  redactor: Redactor,
): Conditions {
  const { timeoutMs, maxRps, maxWaitSeconds, maxDurationSeconds, patienceSeconds, immediateSeconds } = target
  const longest = maxDurationSeconds ?? flags.maxDuration
  return {
    command: redactor.redact(commandFor(flags)),
    node: process.version,
    timeoutSeconds: timeoutMs / 1000,
    ...{ maxRps, maxWaitSeconds, patienceSeconds },
    ...defined({ maxDurationSeconds: longest, immediateSeconds }),
    inputs: inputs.map(({ name, text }) => ({ name, sha256: sha256(Buffer.from(redactor.redact(text))) })),
  }
}

/** Returns the command that repeats a run. A placeholder in capitals replaces the id of a cluster that the run may
 * wipe: whoever repeats the run has to type it. */
export function commandFor(flags: RunFlags): string {
  const { area, check, level, safety, allowDisruptive, control, known, shard, literal, plain, ground, insecure } = flags
  const given = (flag: string, value: string | number | undefined): readonly string[] =>
    value === undefined ? [] : [flag, quotedWord(String(value))]
  // Without its word, a profile in the folder or a variable would name another server than the embedded one.
  return (flags.target === undefined && flags.profile === undefined ? advised.embedded : advised.run)(
    ...passedOn.flatMap(([name, flag]) => given(flag, flags[name])),
    ...(insecure ? ['--insecure'] : []),
    ...(literal ? ['--literal'] : []),
    ...(plain ? ['--plain'] : []),
    ...given('--ground', ground),
    ...given('--area', area?.join(',')),
    ...(check ?? []).flatMap((one) => given('--check', one)),
    ...given('--level', level),
    ...given('--safety', safety),
    ...(allowDisruptive === undefined ? [] : ['--allow-disruptive CLUSTER_ID']),
    ...(control === undefined ? [] : ['--control URL']),
    ...given('--timeout', flags.timeout),
    ...given('--max-rps', flags.maxRps),
    ...given('--max-wait', flags.maxWait),
    ...given('--max-duration', flags.maxDuration),
    ...given('--jobs', flags.adaptsJobs ? undefined : flags.jobs),
    ...given('--seed', flags.seed),
    ...given('--fail-on', flags.failOn === 'must' ? undefined : flags.failOn),
    ...given('--shard', shard && `${shard.index}/${shard.of}`),
    ...given('--accept', flags.accept),
    ...(known ?? []).flatMap((one) => given('--known', one)),
    ...given('--baseline', flags.baseline),
  )
}
