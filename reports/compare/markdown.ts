import type { ComparedServer, Comparison } from '../../harness/vocabulary/index.ts'
import { codeSpan, markdown, markdownProse, shorten } from '../render/escape.ts'
import { plural, sentence, verdictLabels } from '../render/wording.ts'
import { basis, differs, groupsOf, type Piece, where } from './drift-words.ts'
import {
  apartWords,
  areasOf,
  causeName,
  countArea,
  countWords,
  findingCauses,
  findingsCounted,
  isTelling,
  madeOf,
  notCovered,
  placeOf,
} from './tables.ts'

const line = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const rule = (columns: number): string => line(...Array.from({ length: columns }, () => '---'))

/** Renders a comparison for a job page or a repository, with every row that is not the same everywhere. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const { servers, title, verdict } = comparison
  const names = servers.map(({ target }) => markdown(target.name))
  return [
    `# ${markdown(title)}`,
    ...(verdict.says.length > 1 ? [] : verdict.says.map((says) => markdown(says))),
    '## How these results were made',
    [
      line('', ...names),
      rule(names.length + 1),
      ...madeTable(servers),
      line('verdict', ...servers.map(({ verdict }) => markdown(verdict.title))),
    ].join('\n'),
    '## Statements that hold, by area',
    'Of those that apply to the server. A statement holds where every check of it passed.',
    [
      line('area', ...names),
      rule(names.length + 1),
      ...[...areasOf(comparison), undefined].map((area) =>
        line(
          area === undefined ? '**all areas**' : markdown(area),
          ...servers.map((_, at) => countWords(countArea(comparison, at, area))),
        ),
      ),
    ].join('\n'),
    `The documents leave ${plural(comparison.open, 'further statement')} open; no run asserts these.`,
    markdown(apartWords(comparison)),
    ...servers.slice(1).map((server, at) => changes(server, verdict.says[at] ?? '')),
    ...servers.map(findings),
    ...servers.map(uncovered),
    ...drifts(comparison),
    ...rows(comparison, names),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

function madeTable(servers: readonly ComparedServer[]): string[] {
  const made = servers.map((server) => new Map(madeOf(server)))
  const keys = [...new Set(made.flatMap((one) => [...one.keys()]))]
  return keys.map((key) => line(key, ...made.map((one) => markdown(one.get(key) ?? ''))))
}

/** The maximum number of changes that are listed; `compare.json` has all of them. */
const mostChanges = 50

function changes({ target, changes: all }: ComparedServer, says: string): string {
  const telling = all.filter(({ kind }) => kind === 'worse' || kind === 'weaker' || kind === 'undecided')
  const rest = telling.length - mostChanges
  return [
    `## What changes with ${markdown(target.name)}`,
    markdown(says),
    ...(telling.length === 0
      ? []
      : [
          [
            line('check', 'was', 'is'),
            rule(3),
            ...telling
              .slice(0, mostChanges)
              .map(({ check, was, is }) => line(markdown(check), was, is === 'absent' ? 'not run' : is)),
          ].join('\n'),
        ]),
    ...(rest > 0 ? [`${plural(rest, 'more check')} are in compare.json.`] : []),
  ].join('\n\n')
}

function findings(server: ComparedServer): string {
  const own = findingCauses(server)
  if (own.length === 0) return ''
  return [
    `## What ${markdown(server.target.name)} does otherwise: ${findingsCounted(own)}`,
    own
      .map(({ name, verdict, says, checks, reason }) => {
        const known = reason === undefined ? '' : `\n  - known: ${markdownProse(reason)}`
        return `- **${name}** ${verdictLabels[verdict].word.toLowerCase()}, ${plural(checks.length, 'check')}: ${markdownProse(shorten(sentence(says), 400))}${known}`
      })
      .join('\n'),
  ].join('\n\n')
}

/** The maximum number of differences that are listed; `compare.json` has all of them. */
const mostDrift = 100

const drifts = ({ servers: [first, ...others] }: Comparison): readonly string[] =>
  others.flatMap(({ drift, target }) => {
    if (!drift || !first) return []
    const sides = { first: shorten(first.target.name, 60), other: shorten(target.name, 60) }
    const rest = drift.entries.length - mostDrift
    return [
      `## ${plural(drift.entries.length, 'difference')} of ${markdown(sides.other)} that clients can notice and no check decides`,
      markdown(basis(drift)),
      ...groupsOf({ ...drift, entries: drift.entries.slice(0, mostDrift) }).map(
        ({ title, entries }) =>
          `### ${markdown(title)}\n\n${entries.map((entry) => `- **${entry.kind}** ${pieces(differs(entry, sides))}; ${pieces(where(entry))}`).join('\n')}`,
      ),
      ...(rest > 0 ? [`${plural(rest, 'more difference')} are in compare.json.`] : []),
    ]
  })

const pieces = (all: readonly Piece[]): string =>
  all.map((piece) => (typeof piece === 'string' ? markdown(piece) : codeSpan(piece.code))).join('')

const uncovered = (server: ComparedServer): string => {
  const lines = notCovered(server)
  if (lines.length === 0) return ''
  return `## What the result of ${markdown(server.target.name)} does not cover\n\n${lines.map((text) => `- ${markdownProse(shorten(text, 600))}`).join('\n')}`
}

function rows(comparison: Comparison, names: readonly string[]): string[] {
  const telling = comparison.rows.filter(isTelling)
  if (telling.length === 0) return ['Every statement has the same verdict on all of them.']
  return [
    '## Statements that do not hold everywhere',
    `${Object.values(verdictLabels)
      .map(({ sign, word }) => `${markdown(sign)} ${word.toLowerCase()}`)
      .join(
        ', ',
      )}. C1 and so on are the causes above. The other ${plural(comparison.rows.length - telling.length, 'statement')} have the same verdict everywhere.`,
    [
      line('statement', 'place', ...names),
      rule(names.length + 2),
      ...telling.map((row) =>
        line(
          `${markdown(row.says ?? '')} \`${row.id}\``,
          markdown(placeOf(row, comparison)),
          ...row.cells.map((cell) =>
            cell
              ? [
                  markdown(verdictLabels[cell.verdict].sign),
                  ...(isFinding(cell.verdict) ? cell.causes.map(causeName) : []),
                ].join(' ')
              : '',
          ),
        ),
      ),
    ].join('\n'),
  ]
}

export const isFinding = (verdict: string): boolean => verdict === 'fail' || verdict === 'warn'
