/** What a check does and wants, as a hash: the same for the same definition, wherever it is written. Pure. */
import { createHash } from 'node:crypto'
import type { CheckResult, Requirement } from '../vocabulary/index.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Changes with what the check does or wants, and with the sentences that it decides; not with where these are written. */
export function definitionOf(check: CheckResult, rows: ReadonlyMap<string, Requirement>): string {
  const { id, level, given, when, then, control, requirements } = check
  const sentences = requirements.map((row) => [row, rows.get(row)?.says, rows.get(row)?.applies])
  return sha256(JSON.stringify([id, level, given, when, then, control, sentences])).slice(0, 12)
}

/** One hash of all definitions, in any order of the checks. */
export function definitionsHash(checks: readonly CheckResult[], requirements: readonly Requirement[]): string {
  const rows = new Map(requirements.map((one) => [one.id, one]))
  return sha256(
    checks
      .map((check) => `${check.id} ${definitionOf(check, rows)}`)
      .sort()
      .join('\n'),
  )
}
