/** Hashes what a check does and expects. Pure; the place in the source does not matter. */
import { createHash } from 'node:crypto'
import type { CheckResult, Requirement } from '../vocabulary/index.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns a hash that changes with what the check does and expects and with the sentences that it decides, but not
 * with the file that contains them. */
export function definitionOf(check: CheckResult, rows: ReadonlyMap<string, Requirement>): string {
  const { id, level, given, when, then, control, requirements } = check
  const sentences = requirements.map((row) => [row, rows.get(row)?.says, rows.get(row)?.applies])
  return sha256(JSON.stringify([id, level, given, when, then, control, sentences])).slice(0, 12)
}

/** Returns one hash of all definitions, whatever the order of the checks. */
export function definitionsHash(checks: readonly CheckResult[], requirements: readonly Requirement[]): string {
  const rows = new Map(requirements.map((one) => [one.id, one]))
  return sha256(
    checks
      .map((check) => `${check.id} ${definitionOf(check, rows)}`)
      .sort()
      .join('\n'),
  )
}
