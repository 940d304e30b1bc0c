/** The words of each reason of a run's verdict: what happened and what to do. This is the only table of these words. */
import {
  type AbsentArea,
  advised,
  type ExitCode,
  exitCodes,
  type LeftOut,
  type Reason,
  type ReasonCode,
  type ReasonFacts,
  type RunWord,
  type Shoulds,
} from '../vocabulary/index.ts'

export const exitCodeOf: Readonly<Record<RunWord, ExitCode>> = {
  conformant: exitCodes.conformant,
  'non-conformant': exitCodes.nonConformant,
  outdated: exitCodes.nonConformant,
  incomplete: exitCodes.incomplete,
  regressed: exitCodes.regression,
  defective: exitCodes.defect,
  'not-served': exitCodes.unreachable,
  'left-behind': exitCodes.leftBehind,
  interrupted: exitCodes.interrupted,
}

interface Words<Code extends ReasonCode> {
  /** The verdict of a run with this worst reason. */
  readonly word: RunWord
  /** Returns a clause without a capital letter and a full stop. */
  clause(facts: ReasonFacts[Code]): string
  /** Returns the clause as several short ones; by default it is short already. */
  lines?(facts: ReasonFacts[Code]): readonly string[]
  readonly mend: string | ((facts: ReasonFacts[Code]) => string)
}

const table: { readonly [Code in ReasonCode]: Words<Code> } = {
  interrupted: {
    word: 'interrupted',
    clause: ({ judged }) => `the run was interrupted after ${counted(judged, 'check')}`,
    mend: 'Run it again.',
  },
  'left-behind': {
    word: 'left-behind',
    clause: ({ objects }) => `${counted(objects, 'object')} of the run ${are(objects)} left on the target`,
    mend: ({ cleanCommands = [advised.clean('--target', '<url>', '--out', '<folder>')], lacked = [] }) =>
      `Take back what was left${lacked.length > 0 ? `, with a token that has ${lacked.join(', and ')}` : ''}: ${cleanCommands.map((command) => `\`${command}\``).join(', ')}.`,
  },
  defect: {
    word: 'defective',
    clause: ({ errors }) => `${counted(errors, 'error')} occurred in the suite itself`,
    mend: 'Report this defect of the suite: the target is not to blame.',
  },
  'not-served': {
    word: 'not-served',
    clause: ({ why }) => `${why}, so nothing could be judged`,
    mend: ({ mend = 'see in the report what helps' }) => sentence(`${mend}, and run again`),
  },
  regression: {
    word: 'regressed',
    clause: ({ checks }) => `${counted(checks.length, 'check')} passed in the baseline and ${fail(checks.length)} now`,
    mend: 'Fix the target, or use a newer baseline if the change is intended.',
  },
  failed: {
    word: 'non-conformant',
    clause: ({ failed, judged, sentences: { contradicted, decided }, causes, first }) => {
      const seen = first.sentence === undefined ? first.says : `${quoted(first.sentence)} (${first.says})`
      const cause = causes === 1 ? seen : `${seen}, and ${counted(causes - 1, 'more cause')}`
      return `${amount(contradicted)} of ${amount(decided)} must sentences ${are(contradicted)} contradicted: ${cause}; ${amount(failed)} of ${amount(judged)} must checks failed`
    },
    lines: ({ failed, judged, sentences: { contradicted, decided }, causes }) => [
      `${amount(contradicted)} of ${amount(decided)} must sentences ${are(contradicted)} contradicted`,
      `${amount(failed)} of ${amount(judged)} must checks failed, from ${counted(causes, 'cause')}`,
    ],
    mend: ({ result }) =>
      `Fix the target, or accept known findings: \`${advised.accept(result)}\`, then run with \`--accept accepted.yaml\`.`,
  },
  'should-contradicted': {
    word: 'non-conformant',
    clause: (facts) => shouldsSay(facts),
    lines: ({ sentences }) => [shouldsSay({ sentences, first: [] })],
    mend: 'Fix the target, or leave out `--fail-on should`.',
  },
  'acceptance-outdated': {
    word: 'outdated',
    clause: ({ entries }) =>
      entries.length === 1
        ? '1 entry of the list of accepted findings no longer holds'
        : `${amount(entries.length)} entries of the list of accepted findings no longer hold`,
    mend: ({ entries: [first = '', ...more] }) =>
      `Change the list of accepted findings: ${first}${more.length > 0 ? `, and ${amount(more.length)} more` : ''}.`,
  },
  'nothing-decided': {
    word: 'incomplete',
    clause: ({ checks, why }) => {
      if (checks === 0) return 'no check was run, so nothing is known about the target'
      return checks === 1
        ? `the only check could not be decided${because(why, 'because')}`
        : `none of ${amount(checks)} checks could be decided${because(why)}`
    },
    mend: ({ mend = 'see in the report why the checks could not be decided, or choose areas that the target has' }) =>
      sentence(mend),
  },
  'area-undecided': {
    word: 'incomplete',
    clause: ({ areas }) => `nothing could be decided in ${areas.join(', ')}, which was asked for by name`,
    mend: 'Leave the area out of --area, or give the run what the report says is missing.',
  },
  'time-over': {
    word: 'incomplete',
    clause: ({ checks }) => `time was up before ${counted(checks, 'check')}`,
    mend: 'Give the run more time (--max-duration), or choose fewer checks.',
  },
  'not-verified': {
    word: 'incomplete',
    clause: ({ checks, why }) => `${counted(checks, 'must check')} could not be verified${because(why)}`,
    mend: ({ mend = 'give the run what the report says is missing' }) =>
      sentence(`${mend}; or exclude the checks (\`--check "!…"\`), or accept the findings`),
  },
}

/** All reasons, worst first, as in the table of exit codes in the README: first what makes the rest of the result
 * unreliable or needs manual work, then what the result says. */
export const reasonCodes = Object.keys(table) as readonly ReasonCode[]

export const wordOf = (code: ReasonCode): RunWord => table[code].word

export function reasonOf<Code extends ReasonCode>(code: Code, facts: ReasonFacts[Code]): Reason {
  const { mend } = table[code]
  const helps = typeof mend === 'string' ? mend : mend(facts)
  return { code, facts, says: sentence(clauseOf(code, facts)), mend: helps } as Reason
}

export const clauseOf = <Code extends ReasonCode>(code: Code, facts: ReasonFacts[Code]): string =>
  table[code].clause(facts)

export const linesOf = <Code extends ReasonCode>(code: Code, facts: ReasonFacts[Code]): readonly string[] =>
  table[code].lines?.(facts) ?? [clauseOf(code, facts)]

/** Returns a sentence on what the run left out and why. */
export function leftOutSays({ cause, checks, ids = [], needs = 'disruptive' }: LeftOut): string {
  const some = counted(checks, 'check')
  const named = ids.length === 0 ? '' : `: ${few(ids)}`
  switch (cause) {
    case 'area':
      return `${some} of other areas ${were(checks)} left out by --area.`
    case 'check':
      return `${some} ${were(checks)} left out by --check or --last-failed.`
    case 'excluded':
      return `${some} ${were(checks)} excluded by --check${named}.`
    case 'level':
      return `${some} ${were(checks)} left out by --level.`
    case 'shard':
      return `${some} ${checks === 1 ? 'is' : 'are'} in other shards.`
    case 'safety':
      return `${amount(checks)} ${needs} ${checks === 1 ? 'check was' : 'checks were'} left out${named}; run with --safety ${needs}${needs === 'disruptive' ? ' --allow-disruptive <cluster-id>' : ''} to judge ${checks === 1 ? 'it' : 'them'}.`
  }
}

export const absentSays = ({ area, name, evidence }: AbsentArea): string =>
  `This target has no ${name} (${evidence}), so the checks of ${area} do not apply.`

export const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`

export const amount = (count: number): string => count.toString().replace(/\B(?=(\d{3})+$)/g, ',')
export const counted = (count: number, one: string): string => `${amount(count)} ${one}${count === 1 ? '' : 's'}`
const are = (count: number): string => (count === 1 ? 'is' : 'are')
const were = (count: number): string => (count === 1 ? 'was' : 'were')
const fail = (count: number): string => (count === 1 ? 'fails' : 'fail')
const because = (why: string | undefined, word = 'mostly because'): string =>
  why === undefined ? '' : `, ${word} ${why}`
/** Quotes a sentence of the documents within another sentence. */
export const quoted = (sentence: string): string => `“${sentence.replace(/\.$/, '')}”`
/** Returns the clause about contradicted sentences of the level `should`. */
export const shouldsSay = ({ sentences, first }: Shoulds): string => {
  const more = sentences - first.length
  const all = [...first.map(quoted), ...(more > 0 && first.length > 0 ? [`${amount(more)} more`] : [])].join(', ')
  return `${counted(sentences, 'sentence')} of level should ${are(sentences)} contradicted${all === '' ? '' : `: ${all}`}`
}
const few = (ids: readonly string[]): string =>
  ids.length > 3 ? `${ids.slice(0, 2).join(', ')} and ${amount(ids.length - 2)} more` : ids.join(', ')
