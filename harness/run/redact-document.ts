import type { Redactor } from '../redaction/redaction.ts'
import type {
  Blocker,
  CheckResult,
  Finding,
  FoundMismatch,
  Reason,
  RecordedExchange,
  ResultDocument,
  RunVerdict,
} from '../vocabulary/index.ts'
import { shortened } from './recorded-exchange.ts'

/** Redacts all strings that came from the target once more, with every secret that the run has learnt: a document may
 * contain a secret that became known only later. Ids, words of the suites and the register are not touched. Neither are
 * the checks, which are most of a document; `redactCheck` or `redactJudgement` must have redacted them before. */
export function redactDocument(document: ResultDocument, redactor: Redactor): ResultDocument {
  const each = <T>(value: T): T => redactDeep(value, redactor) as T
  const exchange = (one: RecordedExchange) => redactExchange(one, redactor)
  const { target, findings, leftBehind } = document
  const clean = (text: string): string => shortened(redactor.redact(text))
  const facts = <T>(value: T): T => shortenedDeep(each(value)) as T
  return {
    ...document,
    target: { ...facts({ ...target, probe: [] }), dialect: target.dialect, probe: target.probe.map(exchange) },
    findings: findings.map((finding): Finding => ({ ...finding, text: clean(finding.text) })),
    verdict: redactVerdict(document.verdict, clean),
    causes: document.causes.map((cause) => ({ ...cause, says: clean(cause.says) })),
    leftBehind: leftBehind.map(clean),
  }
}

/** Redacts headline, reasons and notes, which may quote the target. */
const redactVerdict = (verdict: RunVerdict, clean: (text: string) => string): RunVerdict => ({
  ...verdict,
  headline: clean(verdict.headline),
  ...(verdict.lines ? { lines: verdict.lines.map(clean) } : {}),
  reasons: verdict.reasons.map((reason) => redactReason(reason, clean)),
  notes: verdict.notes.map(clean),
})

function redactReason(reason: Reason, clean: (text: string) => string): Reason {
  if (reason.code !== 'failed') return reason
  const { facts } = reason
  return {
    ...reason,
    says: clean(reason.says),
    facts: { ...facts, first: { ...facts.first, says: clean(facts.first.says) } },
  }
}

export const redactExchanges = (document: ResultDocument, redactor: Redactor): ResultDocument => ({
  ...document,
  checks: document.checks.map((check) => ({ ...check, exchanges: exchangesRedacted(check, redactor) })),
})

export const redactCheck = (check: CheckResult, redactor: Redactor): CheckResult => ({
  ...redactJudgement(check, redactor),
  exchanges: exchangesRedacted(check, redactor),
})

const exchangesRedacted = ({ exchanges }: CheckResult, redactor: Redactor): readonly RecordedExchange[] =>
  exchanges.map((exchange) => redactExchange(exchange, redactor))

/** Redacts a result without its exchanges, which are most of it. */
export const redactJudgement = (check: CheckResult, redactor: Redactor): CheckResult => ({
  ...check,
  ...foundIn(check, redactor),
  ...(check.rests ? { rests: check.rests.map((rest) => redactMismatch(rest, redactor)) } : {}),
  ...(check.own ? { own: { ...check.own, ...foundIn(check.own, redactor) } } : {}),
  ...(check.names ? { names: redactDeep(check.names, redactor) as typeof check.names } : {}),
})

const redactMismatch = <T extends FoundMismatch>(mismatch: T, redactor: Redactor): T => ({
  ...mismatch,
  asked: redactor.redact(mismatch.asked),
  at: redactor.redact(mismatch.at),
  wanted: redactor.redact(mismatch.wanted),
  saw: redactor.redact(mismatch.saw),
})

const foundIn = ({ blocker, mismatches }: Pick<CheckResult, 'blocker' | 'mismatches'>, redactor: Redactor) => ({
  ...(blocker ? { blocker: redactBlocker(blocker, redactor) } : {}),
  mismatches: mismatches.map((mismatch) => redactMismatch(mismatch, redactor)),
})

const redactBlocker = ({ facts, ...blocker }: Blocker, redactor: Redactor): Blocker => ({
  ...blocker,
  reason: redactor.redact(blocker.reason),
  ...(facts ? { facts: redactDeep(facts, redactor) as object } : {}),
})

function redactExchange(exchange: RecordedExchange, redactor: Redactor): RecordedExchange {
  const redacted = redactDeep(exchange, redactor) as RecordedExchange
  return redacted === exchange ? exchange : { ...redacted, phase: exchange.phase, method: exchange.method }
}

/** Returns the value itself if it holds no secret: nearly no exchange does once it is recorded, and a copy of all of them
 * would take their memory again. */
function redactDeep(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.redact(value)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const redacted = entries.map(([key, item]) => [redactor.redact(key), redactDeep(item, redactor)] as const)
  if (redacted.every(([key, item], at) => key === entries[at]?.[0] && item === entries[at]?.[1])) return value
  return Array.isArray(value) ? redacted.map(([, item]) => item) : Object.fromEntries(redacted)
}

/** Shortens all strings of a value: a target may report a version of a million characters. */
function shortenedDeep(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value)
  if (Array.isArray(value)) return value.map(shortenedDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [shortened(key), shortenedDeep(item)]))
}
