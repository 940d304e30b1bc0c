import type { Cause, CheckResult, ResultDocument } from '../../harness/vocabulary/index.ts'
import { markup, oneLine, shorten, withoutCommands } from './escape.ts'
import { byCheck, byId } from './html/register-index.ts'
import { withNames } from './names-in-words.ts'
import { count, wentWrong } from './tally.ts'
import {
  causeWords,
  plural,
  reasonAndMend,
  sourceWords,
  titleOf,
  verdictLabels,
  wantedSaw,
  withFullStop,
} from './wording.ts'

/** Renders JUnit XML for continuous integration, with a suite for each topic and a case for each check. The name of a
 * case is the statement that it checks, and its class groups it by area. A warning passes with a note; a check without
 * a verdict of its own, or with an accepted finding, is skipped with its reason. */
export function renderJunit(document: ResultDocument): string {
  const topics = Map.groupBy(document.checks, (check) => check.topic)
  const suites = [verdictSuite(document), ...[...topics].map(([topic, checks]) => suite(document, topic, checks))]
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${xml(`assay: ${oneLine(shorten(document.target.name, 200))}`)}" ${amounts(document.checks, document)}>
${suites.join('\n')}
</testsuites>
`
}

function suite(document: ResultDocument, topic: string, checks: readonly CheckResult[]): string {
  const started = checks.map((check) => check.startedAt).sort()[0] ?? document.run.startedAt
  const properties = {
    target: document.target.url,
    version: document.target.facts.version ?? 'unknown',
    edition: document.target.facts.edition ?? 'unknown',
    suite: `${document.suite.name} ${document.suite.version}`,
    verdict: document.verdict.title,
    headline: document.verdict.headline,
  }
  const listed = Object.entries(properties).map(
    ([name, value]) => `    <property name="${name}" value="${xml(oneLine(value))}"/>`,
  )
  return `  <testsuite name="${xml(topic)}" timestamp="${xml(started.replace(/(\.\d+)?Z$/, ''))}" ${amounts(checks)}>
    <properties>
${listed.join('\n')}
    </properties>
${checks.map((check) => testCase(document, check)).join('\n')}
  </testsuite>`
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

/** Returns a suite with one case for the verdict of the run. It fails if the exit code is not 0, which can happen
 * although no check failed. */
function verdictSuite({ verdict, run, causes }: ResultDocument): string {
  const { word, headline, reasons, notes, exitCode } = verdict
  const story = [
    ...causes.slice(0, shownCauses).map(causeLine),
    ...reasons.map(({ says, mend }) => `${says} ${mend}`),
    ...notes,
    `The exit code is ${exitCode}.`,
  ]
  const text = xml([headline, '', ...story.map(inset)].join('\n'))
  const inner =
    exitCode === 0
      ? `<system-out>${text}</system-out>`
      : `<failure type="${word}" message="${xml(headline)}">${text}</failure>`
  return `  <testsuite name="assay" timestamp="${xml(run.startedAt.replace(/(\.\d+)?Z$/, ''))}" tests="1" failures="${exitCode === 0 ? 0 : 1}" errors="0" skipped="0" time="0.000">
    <testcase classname="assay" name="verdict" time="0.000">
      ${inner}
    </testcase>
  </testsuite>`
}

/** The maximum number of causes in the text of the verdict; every case names its own cause. */
const shownCauses = 50

const causeLine = ({ verdict, checks, ...cause }: Cause): string =>
  `${verdictLabels[verdict].word}, ${plural(checks.length, 'check')}: ${causeWords(cause)}`

/** Returns the counts as attributes. If a document is given, the case of the run's verdict is counted too. */
function amounts(checks: readonly CheckResult[], document?: ResultDocument): string {
  const counts = count(checks)
  const errors = checks.filter(({ verdict, level }) => verdict === 'error' && level === 'must').length
  const aside = counts['not-applicable'] + counts['not-verified'] + counts.accepted
  const skipped = aside + counts.error - errors
  const more = document ? 1 : 0
  const red = document && document.verdict.exitCode !== 0 ? 1 : 0
  const time = seconds(checks.reduce((sum, check) => sum + check.durationMs, 0))
  return `tests="${checks.length + more}" failures="${counts.fail + red}" errors="${errors}" skipped="${skipped}" time="${time}"`
}

/** Returns a class such as `policies.errors`: tools treat the part before the last dot as a package. */
const classOf = ({ topic }: CheckResult): string => topic.replaceAll('/', '.')

function testCase(document: ResultDocument, check: CheckResult): string {
  const name = shorten(oneLine(titleOf(check, document)), 500)
  const head = `    <testcase classname="${xml(classOf(check))}" name="${xml(name)}" time="${seconds(check.durationMs)}"`
  const inner = verdictElement(document, check)
  return inner ? `${head}>\n      ${inner}\n    </testcase>` : `${head}/>`
}

function verdictElement(document: ResultDocument, check: CheckResult): string | undefined {
  const { verdict, blocker, accepted } = check
  const word = verdictLabels[verdict].word
  const first = check.mismatches[0]
  const difference = first
    ? withFullStop(
        `${oneLine(first.asked)}: ${wantedSaw({
          at: first.at,
          wanted: shorten(oneLine(first.wanted), 200),
          saw: shorten(oneLine(first.saw), 200),
        })}`,
      )
    : `${word}.`
  const reason = blocker ? reasonAndMend(blocker) : 'No reason was recorded.'
  const message = (text: string): string => `message="${xml(oneLine(text))}"`
  switch (verdict) {
    case 'pass':
      return undefined
    case 'fail':
      return `<failure type="${check.level}" ${message(difference)}>${xml(story(document, check))}</failure>`
    case 'error':
      // An error below the level must does not fail the run, so it must not fail the build either.
      if (check.level !== 'must') return `<skipped ${message(`${word}: ${reason}`)}/>`
      return `<error type="${blocker?.kind ?? 'suite'}" ${message(reason)}>${xml(story(document, check))}</error>`
    case 'warn':
      return `<system-out>${xml(`${word}: ${verdictLabels.warn.means}\n${story(document, check)}`)}</system-out>`
    case 'accepted':
      return `<skipped ${message(`${word} (${accepted?.was}): ${accepted?.reason ?? ''} ${accepted?.issue ?? accepted?.owner ?? ''}`)}/>`
    case 'not-applicable':
    case 'not-verified':
      return `<skipped ${message(`${word}: ${reason}`)}/>`
  }
}

/** Escapes a text for XML and for build systems, which print it. */
const xml = (text: string): string => markup(withoutCommands(text))

/** Marks all lines of a text from the target except the first, because build systems treat `::` at the start of a line
 * as a command. */
const inset = (text: string): string => text.replace(/\r\n?|[\n\v\f\u0085\u2028\u2029]/g, '\n         | ')

/** Returns what a reader of a build log needs to understand a failure without the report. */
function story(document: ResultDocument, check: CheckResult): string {
  const requirements = (check.breaks ?? check.requirements).flatMap(
    (id) => byId(document.register.requirements).get(id) ?? [],
  )
  const cause = byCheck(document.causes).get(check.id)
  const wrong = wentWrong(check)
  const lines = [
    ...(cause ? [`cause: ${inset(causeWords(cause))} (${plural(cause.checks.length, 'check')})`] : []),
    ...requirements.map((one) => `${one.level}: ${one.says} (${sourceWords(one.source, document.register)})`),
    ...check.given.map((words) => `given ${withNames(words, check.names)}`),
    `when ${withNames(check.when, check.names)}`,
    ...check.then.map((words) => `then ${withNames(words, check.names)}`),
    ...check.mismatches.map(
      (one) =>
        `\n${inset(one.asked)}\n  at     ${inset(one.at)}\n  wanted ${inset(shorten(one.wanted, 2000))}\n  saw    ${inset(shorten(one.saw, 2000))}`,
    ),
    ...(check.blocker ? [`reason: ${inset(reasonAndMend(check.blocker))}`] : []),
    '',
    ...check.exchanges.map((one, index) => {
      const last = one.attempts.at(-1)
      const mark = wrong.has(index) ? ' <- this request went wrong' : ''
      return `${one.phase}: ${one.method} ${one.url} -> ${last?.status ?? inset(last?.trouble ?? 'no reply')}${mark}`
    }),
  ]
  return lines.join('\n')
}
