/** Renders a published result for people who choose a product: what differs from the documents, ordered by who would
 * notice. */
import type { ComparedServer, Comparison } from '../../harness/vocabulary/index.ts'
import { markdown, markdownProse } from '../render/escape.ts'
import { documentWords, moment, number, plural, sentence } from '../render/wording.ts'
import { countArea, findingCauses, notCovered } from './tables.ts'

/** An entry of the list of known deviations of the product. */
export interface KnownDeviation {
  readonly check: string | readonly string[]
  readonly deviation: string
  readonly reason: string
  readonly to: keyof typeof readers
  readonly matters: string
  readonly sort: 'bug' | 'design' | 'disputable'
  readonly dispute?: string
}

const readers = {
  operators: 'What operators notice',
  clients: 'What clients notice',
  auditors: 'What auditors notice',
} as const

type Cause = ReturnType<typeof findingCauses>[number]

export function renderProductPage(comparison: Comparison, known: readonly KnownDeviation[]): string {
  const [server] = comparison.servers as readonly [ComparedServer]
  const { target, run, suite, register } = server
  const causes = findingCauses(server)
  const { pass, apply, fail } = countArea(comparison, 0)
  const causeOf = ({ check }: KnownDeviation): Cause | undefined =>
    causes.find(({ checks }) => [check].flat().some((id) => checks.includes(id)))
  const warnings = Map.groupBy(
    causes.filter(({ verdict }) => verdict === 'warn'),
    ({ sentence: states = '' }) => states,
  )
  return [
    `# ${markdown(target.name)}: what differs from the documents`,
    `Of ${number(apply)} statements that apply, ${number(pass)} hold and ${number(fail)} are contradicted where the documents say "must"; ${plural(warnings.size, 'recommendation')} ${warnings.size === 1 ? 'is' : 'are'} not followed. Judged at ${moment(run.startedAt)} by ${suite.name} ${suite.version}, commit ${suite.commit?.slice(0, 10)}, register ${register.hash.slice(0, 12)}.${target.note === undefined ? '' : ` ${markdown(target.note)}`}`,
    'Each entry names a check; a run with `--check <check>` shows what it sends and sees.',
    ...(Object.keys(readers) as (keyof typeof readers)[]).flatMap((to) => {
      const own = Map.groupBy(
        known.filter((entry) => entry.to === to),
        ({ deviation: id }) => id,
      )
      return own.size === 0 ? [] : [`## ${readers[to]}`, ...[...own.values()].map((alike) => deviation(alike, causeOf))]
    }),
    ...(warnings.size === 0
      ? []
      : [
          '## What the documents only recommend',
          [...warnings.values()].map((alike) => warning(alike, comparison)).join('\n'),
        ]),
    '## What this does not say',
    notCovered(server)
      .map((text) => `- ${markdownProse(text)}`)
      .join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

/** Entries of one deviation share its words. */
function deviation(alike: readonly KnownDeviation[], causeOf: (entry: KnownDeviation) => Cause | undefined): string {
  const [{ deviation: id, reason, matters, sort, dispute }] = alike as readonly [KnownDeviation]
  const [does = ''] = reason.split(contradicts)
  return [
    `- **${markdownProse(does.replace(/\.$/, ''))}.** ${markdownProse(matters)}${dispute === undefined ? '' : ` *Disputable:* ${markdownProse(dispute)}`}${sort === 'bug' ? ` [A report for the project](upstream/${id}.md) is written.` : ''}`,
    ...alike.map((entry) => {
      const [first = ''] = [entry.check].flat()
      const [, stated = ''] = entry.reason.split(contradicts)
      const says = causeOf(entry)?.says
      return `  - The documents: ${markdownProse(stated)}${says === undefined ? '' : ` ${markdownProse(sentence(says))} (\`${first}\`).`}`
    }),
  ].join('\n')
}

const contradicts = ' This contradicts '

function warning(alike: readonly Cause[], { documents }: Comparison): string {
  const [{ sentence: states = '', source } = {}] = alike
  const place = source ? ` (${markdown(documentWords(source, documents))}, ${markdown(source.section)})` : ''
  return `- ${markdownProse(states)}${place}\n${alike.map(({ says }) => `  - ${markdownProse(sentence(says))}`).join('\n')}`
}
