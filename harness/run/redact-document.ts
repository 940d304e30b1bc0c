import type { Redactor } from '../safety/redaction.ts'
import type { CheckResult, Finding, RecordedExchange, ResultDocument } from '../vocabulary/index.ts'

/** Redacts every string that came from outside once more, with all that the whole run has learnt: a secret may stand
 * in a result that was finished before the secret was known. Ids, words of the suites and the register stay. */
export function redactDocument(document: ResultDocument, redactor: Redactor): ResultDocument {
  const each = <T>(value: T): T => redactDeep(value, redactor) as T
  const exchange = (one: RecordedExchange): RecordedExchange => ({ ...each(one), phase: one.phase, method: one.method })
  const check = (one: CheckResult): CheckResult => ({
    ...one,
    ...(one.blocker ? { blocker: { ...one.blocker, reason: redactor.redact(one.blocker.reason) } } : {}),
    mismatches: one.mismatches.map((mismatch) => each(mismatch)),
    exchanges: one.exchanges.map(exchange),
  })
  const { target, findings, leftBehind } = document
  return {
    ...document,
    target: { ...each(target), dialect: target.dialect, probe: target.probe.map(exchange) },
    findings: findings.map((finding): Finding => ({ ...finding, text: redactor.redact(finding.text) })),
    checks: document.checks.map(check),
    leftBehind: leftBehind.map((text) => redactor.redact(text)),
  }
}

function redactDeep(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.redact(value)
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redactor))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redactor.redact(key), redactDeep(item, redactor)]),
  )
}
