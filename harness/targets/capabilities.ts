/** What the token may do on the paths of the plan, against what the plan needs. */
import { type Capability, type Finding, fieldOf, type Reply } from '../vocabulary/index.ts'

/** A path that stands for all that a rule of the least policy covers. */
export interface WantedCapability {
  readonly path: string
  readonly capabilities: readonly string[]
}

/** A path that a rule covers: `a/assay-*` → `a/assay-probe`. */
export const samplePath = (rule: string): string => rule.replace(/\*$/, 'probe').replaceAll('+', 'probe')

export function capabilitiesIn(reply: Reply, wanted: readonly WantedCapability[]): readonly Capability[] {
  return wanted.flatMap(({ path }) => {
    const listed = fieldOf(reply, path)
    const found = listed ?? (wanted.length === 1 ? fieldOf(reply, 'capabilities') : undefined)
    return Array.isArray(found) ? [{ path, capabilities: found.map(String) }] : []
  })
}

/** `create` is asked for beside `update` by some targets only, so its absence alone says nothing. */
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
      text: `the token lacks ${shown}${more}: checks that need it are not verified; "assay plan --policy" prints the least policy`,
    },
  ]
}
