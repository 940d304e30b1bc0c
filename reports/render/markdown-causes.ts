/** Renders causes in Markdown, the worst first: the sentence that is contradicted, with links to the HTML page beside
 * the summary. */
import type { Cause, CheckResult, Requirement, ResultDocument } from '../../harness/vocabulary/index.ts'
import { codeSpan, excerpt, markdown, markdownProse, shorten } from './escape.ts'
import { byId } from './html/register-index.ts'
import { textsOf } from './names-in-words.ts'
import { runCommand } from './repeat.ts'
import { causesWith, leadOf } from './tally.ts'
import { withoutThrowAway } from './throw-away.ts'
import { levelsCounted, number, plural, sentence, sourceWords, verdictLabels } from './wording.ts'

/** The maximum number of items in each list, so that a summary stays below the 1 MiB that a job page allows. */
const shown = { causes: 40, below: 25, checks: 100 }
const longestLinked = 200

export function markdownCauses(document: ResultDocument, verdict: 'fail' | 'warn', title: string): string {
  const causes = causesWith(document, [verdict])
  if (causes.length === 0) return ''
  const statements = byId(document.register.requirements)
  let room = shown.checks
  const parts = causes.slice(0, shown.causes).flatMap(({ cause, checks }) => {
    const [first, ...others] = checks
    if (!first || room <= 0) return []
    const below = others.slice(0, Math.min(shown.below, room - 1))
    room -= 1 + below.length
    const rest = others.length - below.length
    return [
      [
        `### ${verdictLabels[cause.verdict].sign} ${markdownProse(sentence(shorten(cause.sentence ?? cause.says, 300)))}`,
        ...stated(document, cause, statements.get(cause.requirements?.[0] ?? leadOf(first))),
        ...(first.given.length > 0 ? [`Given: ${markdownProse(shorten(first.given.join('; '), 300))}`] : []),
        `${levelsCounted(checks)}. ${difference(first)}Judge it again: ${codeSpan(shorten(runCommand(document, first), 600))}`,
        [checkLine(first), ...below.map((check) => checkLine(check, statements))].join('\n') +
          (rest > 0 ? `\n- and ${number(rest)} more, see the HTML report` : ''),
      ].join('\n\n'),
    ]
  })
  const left = causes.length - parts.length
  const sentences = new Set(causes.flatMap(({ cause }) => cause.requirements ?? [])).size
  const counted = `${plural(causes.length, 'cause')}, ${sentences > 0 ? `${plural(sentences, 'sentence')}, ` : ''}${levelsCounted(causes.flatMap(({ checks }) => checks))}`
  return [
    `## ${title}: ${counted}`,
    ...parts,
    ...(left > 0 ? [`${plural(left, 'more cause')}: see the HTML report.`] : []),
  ].join('\n\n')
}

function stated(document: ResultDocument, { says, requirements = [] }: Cause, statement: Requirement | undefined) {
  if (!statement) return []
  const more = requirements.length > 1 ? `, and ${plural(requirements.length - 1, 'more sentence')}` : ''
  const place = linked(
    markdown(sourceWords(statement.source, document.register)),
    `list=requirements&open=`,
    statement.id,
  )
  return [
    `> ${markdownProse(shorten(statement.says, 500))}\n>\n> ${statement.level}, ${place}${more}`,
    `Seen: ${markdownProse(shorten(says, 300))}`,
  ]
}

function difference({ mismatches, names }: CheckResult): string {
  const [first] = mismatches
  if (!first) return ''
  const { wanted, saw } = excerpt(textsOf(first, names), 160)
  const code = (text: string): string => codeSpan(withoutThrowAway(text))
  const more = mismatches.length > 1 ? ` (and ${plural(mismatches.length - 1, 'more difference')})` : ''
  return `${code(shorten(first.asked, 150))}: wanted ${markdown(shorten(first.at, 100))} ${code(wanted)}, saw ${code(saw)}${more}. `
}

function checkLine(check: CheckResult, statements?: ReadonlyMap<string, Requirement>): string {
  const { id } = check
  const says = statements?.get(leadOf(check))?.says
  return `- ${linked(codeSpan(shorten(id, 200)), 'open=', id)}${says ? `: ${markdownProse(shorten(says, 200))}` : ''}`
}

/** Links to the HTML page, which lies beside the summary. */
function linked(text: string, view: string, id: string): string {
  const hash = encodeURIComponent(id.toWellFormed())
    .replaceAll('%2F', '/')
    .replace(/[()*'!]/g, '')
  return id.length > longestLinked ? text : `[${text}](report.html#${view}${hash})`
}
