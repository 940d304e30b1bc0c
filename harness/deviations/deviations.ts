/** Known fails of a target: a YAML list of `{ check, reason, issue?, until? }`. Strict on purpose: an entry that matches no
 * check, or whose check passes, is a fault, so that the list never outlives what it excuses. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { didYouMean } from '../select/nearest.ts'
import { UsageError } from '../targets/usage-error.ts'
import { assertShape, readYaml } from '../targets/yaml-file.ts'
import { type CheckResult, exitCodes, type Finding, type ResultDocument } from '../vocabulary/index.ts'
import schema from './deviations.schema.json' with { type: 'json' }

export interface Deviation {
  /** Addresses of checks. */
  readonly checks: readonly string[]
  readonly glob: string
  readonly reason: string
  readonly issue?: string
  /** Last day on which it holds, `YYYY-MM-DD`. */
  readonly until?: string
}

const validate = new Ajv2020({ strict: true, allErrors: true, verbose: true }).compile(schema)

/** `match` finds the addresses that a glob means, or words for what is near. Throws `UsageError`. */
export function loadDeviations(
  file: string,
  env: NodeJS.ProcessEnv,
  match: (glob: string) => { addresses: readonly string[]; near: readonly string[] },
): readonly Deviation[] {
  const yaml = readYaml(file, env)
  assertShape(yaml, validate)
  const rows = yaml.value as { check: string; reason: string; issue?: string; until?: string }[]
  return rows.map(({ check, ...row }, index) => {
    const { addresses, near } = match(check)
    if (addresses.length === 0)
      throw new UsageError(
        yaml.fault([index, 'check'], `"${check}" matches no check${didYouMean(near, ': see "assay list"')}`),
      )
    return { ...row, glob: check, checks: addresses }
  })
}

export interface Applied {
  readonly results: readonly CheckResult[]
  /** An `error` finding for each listed check that passes, and for each entry that has run out. */
  readonly findings: readonly Finding[]
}

/** Turns listed fails into deviations. `today` is `YYYY-MM-DD`. */
export function applyDeviations(
  results: readonly CheckResult[],
  deviations: readonly Deviation[],
  today: string,
): Applied {
  const findings: Finding[] = []
  const live = new Map<string, Deviation>()
  for (const deviation of deviations) {
    if (deviation.until === undefined || deviation.until >= today) {
      for (const check of deviation.checks) live.set(check, deviation)
    } else
      findings.push(
        stale(`the deviation "${deviation.glob}" ran out on ${deviation.until}: mend the target or renew it`),
      )
  }
  const applied = results.map((result): CheckResult => {
    const deviation = live.get(result.id)
    if (!deviation) return result
    if (result.verdict === 'pass')
      findings.push(
        stale(`${result.id} passes although "${deviation.glob}" lists it as a deviation: take it off the list`),
      )
    if (result.verdict !== 'fail') return result
    const { reason, issue } = deviation
    return { ...result, verdict: 'deviation', deviation: { reason, ...(issue ? { issue } : {}) } }
  })
  return { results: applied, findings }
}

const staleCode = 'deviation-stale'

/** A list of deviations that excuses too much must not pass unnoticed: exit 1 where it would be 0. */
export const strict = (document: ResultDocument): ResultDocument =>
  document.exitCode === exitCodes.conformant && document.findings.some(({ code }) => code === staleCode)
    ? { ...document, exitCode: exitCodes.nonConformant }
    : document

const stale = (text: string): Finding => ({ severity: 'error', code: staleCode, text })
