/** Shows which rows of the documents are decided, by which checks, and with which verdict, in the order of the
 * documents. */
import type { ResultDocument } from '../../harness/vocabulary/index.ts'
import { markdown, markdownProse, shorten } from './escape.ts'
import { type Judged, judgeRequirements } from './tally.ts'
import { documentWords, moment, number, runTitle, sentence, verdictLabels } from './wording.ts'

export const fates = ['decided', 'not decided', 'no check in this run', 'open'] as const
export type Fate = (typeof fates)[number]

const deciding: ReadonlySet<string> = new Set(['pass', 'fail', 'warn'])

/** Returns the fate of a row. A row is decided if at least one of its checks has shown that it holds or does not
 * hold. */
export function fateOf({ requirement, checks }: Judged): Fate {
  if (requirement.level === 'info') return 'open'
  if (checks.length === 0) return 'no check in this run'
  return checks.some(({ verdict, accepted }) => deciding.has(verdict) || accepted?.was === 'fail')
    ? 'decided'
    : 'not decided'
}

export interface DocumentCoverage {
  readonly title: string
  readonly rows: readonly (Judged & { readonly fate: Fate })[]
  readonly counts: Readonly<Record<Fate, number>>
}

/** Counts the rows of each document by fate. */
export function coverageOf(document: ResultDocument): readonly DocumentCoverage[] {
  const judged = judgeRequirements(document).map((one) => ({ ...one, fate: fateOf(one) }))
  const groups = Map.groupBy(judged, ({ requirement }) => requirement.source.document)
  return [...groups]
    .toSorted(([one], [other]) => one - other)
    .map(([, rows]) => ({
      title: documentWords(
        rows[0]?.requirement.source ?? { document: 1 as const, section: '', row: '' },
        document.register.documents,
      ),
      rows,
      counts: Object.fromEntries(fates.map((fate) => [fate, rows.filter((row) => row.fate === fate).length])) as Record<
        Fate,
        number
      >,
    }))
}

const cells = (...texts: readonly string[]): string => `| ${texts.join(' | ')} |`

function tableOf(documents: readonly DocumentCoverage[]): string {
  const line = (name: string, counts: DocumentCoverage['counts'], rows: number) =>
    cells(name, number(rows), ...fates.map((fate) => number(counts[fate])))
  const sum = (fate: Fate) => documents.reduce((all, { counts }) => all + counts[fate], 0)
  return [
    cells('document', 'rows', ...fates),
    cells('---', ...['rows', ...fates].map(() => '---:')),
    ...documents.map(({ title, counts, rows }) => line(markdown(title), counts, rows.length)),
    ...(documents.length > 1
      ? [
          line(
            '**all**',
            Object.fromEntries(fates.map((fate) => [fate, sum(fate)])) as Record<Fate, number>,
            documents.reduce((all, { rows }) => all + rows.length, 0),
          ),
        ]
      : []),
  ].join('\n')
}

/** Returns the verdict of a row and its checks, or why nothing is asserted. */
function decisionOf({ requirement, checks, verdict, fate }: DocumentCoverage['rows'][number]): string {
  if (fate === 'open') return `open: ${markdownProse(sentence(requirement.open ?? 'the documents leave it open'))}`
  if (verdict === undefined) return fate
  return `${verdictLabels[verdict].sign} ${verdictLabels[verdict].word} (${checks.map(({ id }) => `\`${id}\``).join(', ')})`
}

/** Renders every row of the selected areas, by document and section. */
export function renderCoverage(document: ResultDocument): string {
  const documents = coverageOf(document)
  const parts = documents.flatMap(({ title, rows }) => [
    `## ${markdown(title)}`,
    ...[...Map.groupBy(rows, ({ requirement }) => requirement.source.section)].flatMap(([section, own]) => [
      `### ${markdown(section)}`,
      [
        cells('row', 'level', 'statement', 'decision'),
        cells('---', '---', '---', '---'),
        ...own.map((one) => {
          const { source, level, says, id } = one.requirement
          const reading = source.reading === undefined ? '' : ` (reading ${source.reading})`
          return cells(`${markdown(source.row)}${reading}`, level, `${markdownProse(says)} \`${id}\``, decisionOf(one))
        }),
      ].join('\n'),
    ]),
  ])
  const { target, run } = document
  const head = `# Coverage: ${markdown(runTitle(document))}\n\n${markdown(shorten(target.name, 200))}, ${moment(run.startedAt)}`
  return `${[head, tableOf(documents), ...parts].join('\n\n')}\n`
}

/** Returns the counts by document for the Markdown summary. */
export const coverageTable = (document: ResultDocument): string => {
  const documents = coverageOf(document)
  return documents.length === 0 ? '' : `## By document\n\n${tableOf(documents)}`
}
