/** The words and signs that every report uses for verdicts, and the formats of times and amounts. */
import type {
  Applies,
  Blocker,
  Cause,
  CheckResult,
  Documents,
  Facts,
  Level,
  Mismatch,
  Requirement,
  ResultDocument,
  RunWord,
  Verdict,
} from '../../harness/vocabulary/index.ts'
import { byId } from './html/register-index.ts'

export interface Label {
  readonly word: string
  /** The sign that text formats show. */
  readonly sign: string
  /** The meaning of the verdict, in one sentence. */
  readonly means: string
}

/** The verdicts, ordered by how much they interest a reader. */
export const verdictLabels: Readonly<Record<Verdict, Label>> = {
  fail: { word: 'Failed', sign: '✗', means: 'A must of the documents does not hold on the target.' },
  error: { word: 'Error', sign: '⚡', means: 'The suite or the transport broke. This says nothing about the target.' },
  'not-verified': { word: 'Not verified', sign: '?', means: 'A precondition, permission or peer was missing.' },
  warn: { word: 'Warning', sign: '!', means: 'A should of the documents does not hold on the target.' },
  accepted: { word: 'Accepted', sign: '≠', means: 'A known finding that the operator accepts, with a reason.' },
  pass: { word: 'Passed', sign: '✓', means: 'The statement holds on the target.' },
  'not-applicable': {
    word: 'Not applicable',
    sign: '–',
    means: 'The statement does not apply to this edition, version or optional part.',
  },
}

export const verdictOrder = Object.keys(verdictLabels) as readonly Verdict[]

/** The title of the list of all checks with this verdict, in every report and in the terminal. */
export const sectionTitles: Readonly<Record<Exclude<Verdict, 'pass'>, string>> = {
  fail: 'What failed',
  error: 'Errors of the suite or the transport',
  'not-verified': 'What was not verified, and why',
  warn: 'Warnings',
  accepted: 'What is accepted',
  'not-applicable': 'What does not apply',
}

/** The verdict of a check whose sign and colour the verdict of a run has. */
export const runLooks: Readonly<Record<RunWord, Verdict>> = {
  conformant: 'pass',
  'non-conformant': 'fail',
  outdated: 'accepted',
  incomplete: 'not-verified',
  regressed: 'fail',
  'not-served': 'not-verified',
  defective: 'error',
  'left-behind': 'fail',
  interrupted: 'not-verified',
}

/** Returns the verdict as a heading, such as `Conformant (2 accepted)`. */
export const runTitle = ({ verdict }: ResultDocument): string =>
  `${verdict.title.charAt(0).toUpperCase()}${verdict.title.slice(1)}`

/** Returns the verdict without what narrows it, such as `Non-conformant`. */
export const runWords = (document: ResultDocument): string => runTitle(document).replace(/ \(.*\)$/, '')

/** Returns the commands that take back what a run left, and the capabilities that their token needs besides its own. */
export function takingBackIn({ verdict }: ResultDocument): {
  readonly commands: readonly string[]
  readonly lacked: readonly string[]
} {
  const left = verdict.reasons.find(({ code }) => code === 'left-behind')
  const { cleanCommands = [], lacked = [] } = left?.code === 'left-behind' ? left.facts : {}
  return { commands: cleanCommands, lacked }
}

export const blockerWords: Readonly<Record<Blocker['kind'], string>> = {
  area: 'The target does not have the area',
  edition: 'Another edition',
  version: 'Another version',
  feature: 'An optional part of the API',
  optional: 'The target lacks something that the documents do not require',
  'unknown-fact': 'A fact about the target is unknown',
  safety: 'Above the safety ceiling',
  need: 'The run lacks something that the check needs',
  permission: 'The token lacks a permission',
  given: 'The situation could not be set up',
  'rests-on': 'It builds on something that another check decides',
  control: 'The control did not succeed',
  transport: 'The connection broke',
  suite: 'A defect of the suite',
  interrupted: 'The run was interrupted',
  time: 'Time was up',
  'failing-target': 'The target kept failing',
  'reply-size': 'A reply was too large to be received',
}

/** Returns words such as `wanted status 2xx; saw 400 missing SHA-256 value`. The texts must already be short. */
export const wantedSaw = ({ at, wanted, saw }: Pick<Mismatch, 'at' | 'wanted' | 'saw'>): string =>
  `wanted ${at} ${wanted}; saw ${saw}`

/** Returns words such as `1 cause, 2 sentences, 16 checks`. Obstacles contradict no sentence. */
export function causesCounted(causes: readonly Cause[]): string {
  const sentences = new Set(causes.flatMap(({ requirements = [] }) => requirements)).size
  return [
    plural(causes.length, 'cause'),
    ...(sentences > 0 ? [plural(sentences, 'sentence')] : []),
    plural(
      causes.reduce((sum, { checks }) => sum + checks.length, 0),
      'check',
    ),
  ].join(', ')
}

/** Returns the sentence that a cause contradicts and what was seen of it, or the obstacle. */
export const causeWords = ({ sentence, says }: Pick<Cause, 'sentence' | 'says'>): string =>
  sentence === undefined ? says : `${sentence.replace(/\.$/, '')}: ${says}`

/** Returns words such as `10 must checks, 1 should check`. */
export const levelsCounted = (checks: readonly { readonly level: Level }[]): string =>
  (['must', 'should', 'info'] as const)
    .map((level) => [level, checks.filter((check) => check.level === level).length] as const)
    .filter(([, amount]) => amount > 0)
    .map(([level, amount]) => plural(amount, `${level} check`))
    .join(', ')

export const number = (value: number): string => value.toString().replace(/\B(?=(\d{3})+$)/g, ',')
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`

export function duration(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Returns the number of parallel checks: `8`, or `2 to 12` if it was adapted to the target. */
export const atOnce = ({ jobs, adapted }: ResultDocument['run']): string =>
  adapted === undefined || adapted.fewest === adapted.most ? String(jobs) : `${adapted.fewest} to ${adapted.most}`

/** Returns a time such as `2026-11-20 09:30:00 UTC`, which is the same for every reader. */
export const moment = (iso: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(iso) ? `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC` : iso

export function sourceWords(
  source: Requirement['source'],
  { documents }: { readonly documents?: Documents | undefined },
): string {
  const reading = source.reading === undefined ? '' : `, reading ${source.reading}`
  return `${documentWords(source, documents)}, ${source.section}, ${source.row}${reading}`
}

export const documentWords = ({ document }: Requirement['source'], documents: Documents | undefined): string =>
  documents?.[document] ?? `Document ${document}`

/** Returns where a statement holds, such as `premium, from 1.5`; empty if it holds everywhere. */
export function scopeWords(applies: Applies | undefined): string {
  const { editions, since, before, feature = [], without } = applies ?? {}
  return [
    editions?.join(' or '),
    since && `from ${since}`,
    before && `before ${before}`,
    ...[feature].flat().map((name) => `with ${name}`),
    without && `without ${without}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Returns the edition, or those that the target may be of. */
export const editionWords = ({ edition, editions }: Facts): string => edition ?? editions?.join(' or ') ?? 'unknown'

const between: Readonly<Partial<Record<NonNullable<Facts['topology']>, string>>> = {
  'standby-forwarding': 'a standby node, which sends every request on to the active node',
  'standby-reading': 'a standby node, which answers reads by itself and may be behind the active node',
  'standby-redirecting': 'a standby node, which redirects requests to the active node',
  mixed: 'a load balancer before several nodes, some of which may be behind the active node',
}

/** Returns what stands between the address of the target and the active node; undefined if nothing does. */
export const betweenWords = ({ topology }: Facts): string | undefined => topology && between[topology]

export function factWords(facts: Facts): readonly (readonly [string, string])[] {
  const words: [string, string][] = []
  if (facts.product !== undefined) words.push(['product', facts.product])
  if (facts.version !== undefined) words.push(['version', facts.version])
  if (facts.compatibleWith !== undefined) words.push(['compatible with', facts.compatibleWith])
  if (facts.judgedAs !== undefined) words.push(['judged as', facts.judgedAs])
  if (facts.edition !== undefined || facts.editions) words.push(['edition', editionWords(facts)])
  if (facts.topology !== undefined) words.push(['topology', facts.topology])
  for (const [subject, form] of Object.entries(facts.forms ?? {})) words.push([`form of ${subject}`, form])
  for (const [name, presence] of Object.entries(facts.features ?? {})) words.push([`feature ${name}`, presence])
  return words
}

/** Capitalises the first letter of a sentence, unless it starts with a name such as `max_ttl`, which stays as it is. */
export const sentence = (words: string): string =>
  words.replace(/^\p{Ll}(?=[\p{L}'’-]*(?:[,:;]?\s|[.,:;]?$))/u, (letter) => letter.toUpperCase())

/** Returns the statement that a check is about, as a sentence with a full stop. If the register does not contain it,
 * the words of the check's address are used. */
export function statementOf(check: CheckResult, { register }: Pick<ResultDocument, 'register'>): string {
  const says =
    byId(register.requirements)
      .get(check.breaks?.[0] ?? check.requirements[0] ?? '')
      ?.says.trim() ?? ''
  const words = says === '' ? nameOf(check).replaceAll('-', ' ') : says
  return withFullStop(sentence(words))
}

export const nameOf = ({ id, topic }: Pick<CheckResult, 'id' | 'topic'>): string =>
  id.startsWith(`${topic}/`) ? id.slice(topic.length + 1) : id

/** Returns a title for lists of tests. Several checks may be about one statement, and tools distinguish tests by their
 * titles, so the title ends with the name of the check. */
export const titleOf = (check: CheckResult, document: Pick<ResultDocument, 'register'>): string =>
  `${statementOf(check, document)} (${nameOf(check)})`

export const withFullStop = (words: string): string => (/[.!?…]$/.test(words) ? words : `${words}.`)

/** Returns the reason why a check was not verified, and what helps: `The target is sealed. Unseal it.` */
export const reasonAndMend = ({ reason, mend = '' }: Pick<Blocker, 'reason' | 'mend'>): string =>
  [reason, mend]
    .filter((words) => words !== '')
    .map((words) => withFullStop(sentence(words)))
    .join(' ')
