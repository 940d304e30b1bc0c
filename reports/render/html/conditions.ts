/** Shows how to repeat the run, and the versions and settings it was made with. */
import type { ResultDocument } from '../../../harness/vocabulary/index.ts'
import { markup, shorten } from '../escape.ts'
import { atOnce } from '../wording.ts'

/** Returns an empty text for results of older versions, which did not record this. */
export function conditionsSection({ suite, register, run, target }: ResultDocument): string {
  const { conditions, seed } = run
  if (conditions === undefined) return ''
  const { command, node, inputs } = conditions
  const sum = (text: string): string => `<code title="${markup(text)}">${markup(text.slice(0, 12))}</code>`
  const seconds = (value: number): string => `${value.toLocaleString('en')} s`
  const rows: readonly (readonly [string, string])[] = [
    ['suite', `assay ${markup(suite.version)}${suite.commit === null ? '' : `, commit ${sum(suite.commit)}`}`],
    ['requirements', `SHA-256 ${sum(register.hash)}`],
    ...(register.definitions === undefined
      ? []
      : [['definitions of the checks', `SHA-256 ${sum(register.definitions)}`] as const]),
    ...inputs.map(({ name, sha256 }) => [name, `SHA-256 ${sum(sha256)}, computed without secrets`] as const),
    [
      'target',
      markup(
        shorten([target.facts.product, target.facts.version, target.facts.edition].filter(Boolean).join(' '), 200),
      ) || 'unknown',
    ],
    ['seed, checks at once', `${seed}, ${atOnce(run)}`],
    [
      'times',
      [
        `${seconds(conditions.timeoutSeconds)} for a request`,
        `${seconds(conditions.maxWaitSeconds)} for the clock of the target`,
        `${seconds(conditions.patienceSeconds)} for a change of role`,
        ...(conditions.maxDurationSeconds === undefined
          ? []
          : [`${seconds(conditions.maxDurationSeconds)} for the run`]),
        ...(conditions.maxRps === 0 ? [] : [`${conditions.maxRps} requests a second`]),
      ].join(', '),
    ],
    ['Node.js', markup(node)],
  ]
  return `<details class="conditions"><summary><h2>How to repeat this run</h2></summary>
<div class="command"><pre><code>${markup(command)}</code></pre><button type="button" class="small scripted" data-copy>Copy</button></div>
<p class="note">The token comes from ASSAY_TOKEN or from the profile. Replace words in capitals with values of your own.</p>
<dl class="pins">${rows.map(([name, words]) => `<dt>${name}</dt><dd>${words}</dd>`).join('')}</dl></details>`
}
