/** Compares the capabilities of the token with those that the plan needs. */
import { advised, type Capability, type Finding, fieldOf, type Reply } from '../vocabulary/index.ts'

/** The capabilities that the plan needs on a path, which is a sample of what a rule of the least policy covers. */
export interface WantedCapability {
  readonly path: string
  readonly capabilities: readonly string[]
}

/** Returns a path that a rule covers: `a/assay-*` → `a/assay-probe`. */
export const samplePath = (rule: string): string => rule.replace(/\*$/, 'probe').replaceAll('+', 'probe')

export function capabilitiesIn(reply: Reply, wanted: readonly WantedCapability[]): readonly Capability[] {
  return wanted.flatMap(({ path }) => {
    const listed = fieldOf(reply, path)
    const found = listed ?? (wanted.length === 1 ? fieldOf(reply, 'capabilities') : undefined)
    return Array.isArray(found) ? [{ path, capabilities: found.map(String) }] : []
  })
}

/** Returns a finding if the token lacks capabilities. A missing `create` is ignored: only some targets require it in
 * addition to `update`. */
export function capabilityFindings(wanted: readonly WantedCapability[], held: readonly Capability[]): Finding[] {
  const byPath = new Map(held.map(({ path, capabilities }) => [path, capabilities]))
  const lacking = wanted.flatMap(({ path, capabilities }) => {
    const has = byPath.get(path)
    if (!has || has.includes('root')) return []
    const missing = capabilities.filter((one) => one !== 'create' && !has.includes(one))
    return missing.length > 0 ? [`${missing.join(', ')} on ${path}`] : []
  })
  if (lacking.length === 0) return []
  const shown = lacking.slice(0, 8).join('; ')
  const more = lacking.length > 8 ? `; and ${lacking.length - 8} more` : ''
  return [
    {
      severity: 'warning',
      code: 'capability-missing',
      text: `the token lacks ${shown}${more}: checks that need it are not verified; \`${advised.policy()}\` prints a policy with the capabilities that the token needs`,
    },
  ]
}
