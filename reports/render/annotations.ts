import type { Cause, ResultDocument } from '../../harness/vocabulary/index.ts'
import { commandMessage, commandProperty, shorten } from './escape.ts'
import { causeWords, nameOf, plural, statementOf, verdictLabels } from './wording.ts'

type Command = 'error' | 'warning' | 'notice'

/** GitHub shows at most ten annotations of each kind for a step, and drops the others. */
const most = 10

const commands: Readonly<Record<Cause['verdict'], Command | undefined>> = {
  fail: 'error',
  error: 'warning',
  'not-verified': 'warning',
  warn: 'warning',
  'not-applicable': undefined,
}

/** Renders workflow commands of GitHub, one on each line. A step prints the file, and the page of the run shows the
 * verdict and the causes, the worst first. */
export function renderAnnotations(document: ResultDocument): string {
  const { exitCode, title, headline, reasons } = document.verdict
  const lines = [
    line(
      exitCode === 0 ? 'notice' : 'error',
      `Assay – ${title}`,
      [headline, ...reasons.map(({ mend }) => mend)].join(' '),
    ),
  ]
  const left = { error: most - (exitCode === 0 ? 0 : 1), warning: most, notice: 0 }
  for (const cause of document.causes) {
    const command = commands[cause.verdict]
    if (command === undefined || left[command] === 0) continue
    left[command] -= 1
    lines.push(causeLine(command, cause, document))
  }
  return `${lines.join('\n')}\n`
}

function causeLine(command: Command, cause: Cause, document: ResultDocument): string {
  const { verdict, sentence, mend, checks } = cause
  const first = document.checks.find(({ id }) => id === checks[0])
  const { word } = verdictLabels[verdict]
  const more = checks.length > 1 ? ` and ${plural(checks.length - 1, 'more check')}` : ''
  const title = `${word}${first ? ` – ${nameOf(first)}` : ''}${more}`
  const statement = first && sentence === undefined ? ` ${statementOf(first, document)}` : ''
  const remedy = mend === undefined ? '' : ` ${mend}`
  return line(
    command,
    title,
    `${causeWords(cause)}.${remedy}${statement} (${checks.slice(0, 3).join(', ')}${checks.length > 3 ? ', …' : ''})`,
  )
}

const line = (command: Command, title: string, message: string): string =>
  `::${command} title=${commandProperty(shorten(title, 200))}::${commandMessage(shorten(message, 2000))}`
