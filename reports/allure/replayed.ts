/** Converts checks for Allure. Only the result document is read, so that nothing unredacted can get in. */
import type { CheckResult, RecordedExchange, ResultDocument, Verdict } from '../../harness/vocabulary/index.ts'
import { oneLine, shorten, visible } from '../render/escape.ts'
import { withNames } from '../render/names-in-words.ts'
import { wentWrong } from '../render/tally.ts'
import { reasonAndMend, titleOf, verdictLabels, wantedSaw } from '../render/wording.ts'

export interface Label {
  readonly name: string
  readonly value: string
}

export type Status = 'passed' | 'failed' | 'broken' | 'skipped'

/** A message of the Allure runtime, with the fields that a replay needs. Times are in milliseconds since 1970. */
export type Message =
  | { readonly type: 'step_start'; readonly data: { readonly name: string; readonly start: number } }
  | { readonly type: 'step_stop'; readonly data: { readonly status: Status; readonly stop: number } }
  | {
      readonly type: 'attachment_content'
      readonly data: {
        readonly name: string
        readonly content: string
        readonly encoding: 'base64'
        readonly contentType: 'text/plain'
        readonly fileExtension: 'txt'
        readonly wrapInStep: false
      }
    }

export interface Replayed {
  readonly id: string
  readonly title: string
  readonly status: Status
  readonly message: string | undefined
  readonly trace: string | undefined
  readonly description: string
  readonly labels: readonly Label[]
  readonly messages: readonly Message[]
  readonly start: number
  readonly stop: number
}

/** A warning passes, with a label; an accepted finding is skipped, as in JUnit. A check that was not verified is
 * broken, so that nobody mistakes it for one that does not apply; its message and its category distinguish it from an
 * error. */
const statuses: Readonly<Record<Verdict, Status>> = {
  pass: 'passed',
  warn: 'passed',
  fail: 'failed',
  error: 'broken',
  accepted: 'skipped',
  'not-applicable': 'skipped',
  'not-verified': 'broken',
}

/** The maximum length of a body in characters. Longer bodies are cut, because a single-file report holds all of
 * them. */
const bodyLimit = 16_384

/** Converts one check. `statements` maps the id of each requirement to its words and source. */
export function replayed(
  check: CheckResult,
  statements: ReadonlyMap<string, string>,
  document: Pick<ResultDocument, 'register'>,
): Replayed {
  const start = Date.parse(check.startedAt)
  const known = check.requirements.flatMap((id) => statements.get(id) ?? [])
  const reason = reasonOf(check)
  const wrong = wentWrong(check)
  const differences = check.mismatches.map(
    (one) => `${one.asked}\nat     ${one.at}\nwanted ${one.wanted}\nsaw    ${one.saw}`,
  )
  return {
    id: visible(check.id),
    title: shorten(oneLine(visible(titleOf(check, document))), 500),
    status: statuses[check.verdict],
    message: text(reason ?? check.mismatches.map(wantedSaw).join('\n')),
    trace: text(differences.join('\n\n')),
    description: describe(check, known),
    labels: labelsOf(check, reason),
    messages: check.exchanges.flatMap((exchange, index) => step(exchange, start, wrong.has(index))),
    start,
    stop: start + Math.round(check.durationMs),
  }
}

/** Returns a test for the verdict of the run, as JUnit has one. It fails if the exit code is not 0. */
export function verdictReplayed({ verdict, run }: ResultDocument): Replayed {
  const { exitCode, title, headline, reasons, notes } = verdict
  return {
    id: 'assay/verdict',
    title: 'verdict',
    status: exitCode === 0 ? 'passed' : 'failed',
    message: exitCode === 0 ? undefined : text(headline),
    trace: undefined,
    description: [title, headline, ...reasons.map(({ says, mend }) => `${says} ${mend}`), ...notes]
      .map((line) => `    ${visible(line).replaceAll('\n', ' ')}`)
      .join('\n'),
    labels: [
      { name: 'epic', value: 'assay' },
      { name: 'severity', value: 'blocker' },
      { name: 'verdict', value: visible(title) },
    ],
    messages: [],
    start: Date.parse(run.startedAt),
    stop: Date.parse(run.finishedAt),
  }
}

const text = (words: string): string | undefined => (words === '' ? undefined : shorten(visible(words), bodyLimit))

function reasonOf({ blocker, accepted, verdict }: CheckResult): string | undefined {
  const word = verdictLabels[verdict].word
  if (accepted) return `${word} (${accepted.was}): ${accepted.reason}`
  if (blocker) return `${word}: ${reasonAndMend(blocker)}`
  return undefined
}

/** The reason is also a label, because the runner drops the message of a skipped test. */
function labelsOf(check: CheckResult, reason: string | undefined): Label[] {
  const labels: [string, string | undefined][] = [
    ['epic', check.area],
    ['feature', check.kind],
    ['parentSuite', check.area],
    ['suite', check.topic],
    ['severity', check.level === 'must' ? 'critical' : 'normal'],
    ['tag', check.level],
    ['tag', check.verdict],
    ['area', check.area],
    ['kind', check.kind],
    ['level', check.level],
    ['safety', check.safety],
    ['verdict', check.verdict],
    ...check.requirements.map((id): [string, string] => ['requirement', id]),
    ['blocker', check.blocker?.kind],
    ['reason', reason],
  ]
  return labels.flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: shorten(visible(value), 1000) }],
  )
}

function describe(check: CheckResult, statements: readonly string[]): string {
  const lines = [
    ...statements,
    ...check.given.map((words) => `given ${withNames(words, check.names)}`),
    `when ${withNames(check.when, check.names)}`,
    ...check.then.map((words) => `then ${withNames(words, check.names)}`),
    ...(check.control ? [`control ${withNames(check.control, check.names)}`] : []),
  ]
  // Four spaces make a block of code, so that Markdown from a target stays text.
  return lines.map((line) => `    ${visible(line).replaceAll('\n', ' ')}`).join('\n')
}

function step(exchange: RecordedExchange, fallback: number, isWrong: boolean): Message[] {
  const first = exchange.attempts[0]
  const last = exchange.attempts.at(-1)
  const start = first ? Date.parse(first.sentAt) : fallback
  const stop = last ? Date.parse(last.sentAt) + Math.round(last.durationMs) : start
  const outcome = last?.status ?? 'no reply'
  // The origin is left out: otherwise the report would turn the text into a link to the target.
  const path = exchange.url.replace(/^\w+:\/\/[^/]*/, '')
  return [
    {
      type: 'step_start',
      data: { name: visible(`${exchange.phase}: ${exchange.method} ${path} → ${outcome}`), start },
    },
    attachment([
      `${exchange.method} ${exchange.url}`,
      `(sent by ${exchange.as})`,
      ...headerLines(exchange.requestHeaders),
      '',
      ...(exchange.requestBody === undefined ? [] : [bodyOf(exchange.requestBody), '']),
      ...exchange.attempts.flatMap((attempt, at) => [
        `--- ${exchange.attempts.length > 1 ? `attempt ${at + 1}: ` : ''}${attempt.status ?? attempt.trouble ?? 'no reply'} after ${attempt.durationMs} ms`,
        ...headerLines(attempt.responseHeaders ?? {}),
        '',
        ...(attempt.responseBody === undefined ? [] : [bodyOf(attempt.responseBody)]),
        ...(attempt.responseCut ? ['(the rest of the body was not recorded)'] : []),
      ]),
    ]),
    {
      type: 'step_stop',
      data: { status: last?.status === undefined ? 'broken' : isWrong ? 'failed' : 'passed', stop },
    },
  ]
}

const headerLines = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)

const bodyOf = (body: string): string => shorten(body.toWellFormed(), bodyLimit)

// Request and reply share one file, because each file costs a write to disk.
const attachment = (lines: readonly string[]): Message => ({
  type: 'attachment_content',
  data: {
    name: 'exchange',
    content: Buffer.from(lines.join('\n')).toString('base64'),
    encoding: 'base64',
    contentType: 'text/plain',
    fileExtension: 'txt',
    wrapInStep: false,
  },
})
