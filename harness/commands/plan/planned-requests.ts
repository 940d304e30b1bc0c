/** What a run would send, and the least its token needs for it. Sends nothing. */
import { safetyOf } from '../../select/safety-class.ts'
import { loadDialect } from '../../targets/dialects/index.ts'
import { leastPolicy, type Planned, type PolicyLine, policyText } from '../../targets/least-policy.ts'
import type { Missing, Profile } from '../../targets/profile.ts'
import type { Touch } from '../../targets/touches.ts'
import { type Area, levels, type Requirement, requirementsOf, type SafetyClass } from '../../vocabulary/index.ts'
import { withinCeiling } from '../catalog.ts'
import type { SelectionFlags } from '../options.ts'
import { loadTouches, type OutlinedSelection, selectOutlined } from '../outline.ts'

export interface PlanFlags extends SelectionFlags {
  readonly profile?: string
  readonly safety: SafetyClass
  readonly policy?: boolean
  readonly sweep?: boolean
  readonly json?: boolean
}

export type PlanRow = OutlinedSelection & { readonly safety: SafetyClass; readonly touches: readonly Touch[] }

export interface Plan {
  readonly rows: readonly PlanRow[]
  /** The ceiling leaves these rows out. */
  readonly above: readonly PlanRow[]
  /** The rows decide this many requirements of the selected areas and levels, out of so many. */
  readonly requirements: { readonly areas: readonly Area[]; readonly decided: number; readonly of: number }
  /** HCL. It is made when it is read, as its lines are: most plans are shown without it. */
  readonly policy: string
  readonly policyLines: readonly PolicyLine[]
  /** The profile names these variables and files, and a plan does without them. */
  readonly missing: Missing
}

const plannedOf = ({ topic: { area }, touches }: PlanRow): Planned => ({ area, touches })

/** Leaves out what the declared facts of the profile rule out. Throws `UsageError`. */
export async function planFor({ profile, ...flags }: PlanFlags, env: NodeJS.ProcessEnv): Promise<Plan> {
  const missing: Missing = { variables: new Set(), files: new Set() }
  const described = profile === undefined ? undefined : await readProfile(profile, env, missing)
  const dialect = loadDialect(described?.dialect ?? 'vault')
  const { outline, selected } = await selectOutlined(flags)
  const touches = await loadTouches(dialect, flags.area)
  const requirements = new Map(outline.requirements.map((one) => [one.id, one]))
  const isRuledOut = described ? await ruledOutBy(described, requirements) : () => false
  const within = new Set(withinCeiling(selected, flags.safety))
  const all = selected
    .filter((one) => !isRuledOut(one))
    .map((one) => ({
      one,
      row: {
        ...one,
        safety: safetyOf(one.topic, one.check),
        touches: touches.of(one.address),
      },
    }))
  const rows = all.filter(({ one }) => within.has(one)).map(({ row }) => row)
  const above = all.filter(({ one }) => !within.has(one)).map(({ row }) => row)
  const areas = [...new Set(selected.map(({ topic }) => topic.area))]
  const lowest = levels.indexOf(flags.level)
  const due = outline.requirements.filter(({ area, level }) => areas.includes(area) && levels.indexOf(level) <= lowest)
  const asked = new Set(rows.flatMap(({ check }) => requirementsOf(check)))
  let lines: readonly PolicyLine[] | undefined
  const policyLines = () => {
    lines ??= leastPolicy(rows.map(plannedOf), dialect, flags.sweep)
    return lines
  }
  return {
    rows,
    above,
    requirements: { areas, decided: due.filter(({ id }) => asked.has(id)).length, of: due.length },
    get policyLines() {
      return policyLines()
    },
    get policy() {
      return policyText(policyLines())
    },
    missing,
  }
}

async function ruledOutBy(
  { declared }: Profile,
  requirements: ReadonlyMap<string, Requirement>,
): Promise<(one: OutlinedSelection) => boolean> {
  const { boundsOf, outsideOf } = await import('../../run/applicability.ts')
  const { knownFacts } = await import('../../targets/features.ts')
  const facts = knownFacts(declared)
  return ({ check }) => outsideOf(boundsOf(check, requirements), facts)?.verdict === 'not-applicable'
}

async function readProfile(profile: string, env: NodeJS.ProcessEnv, missing: Missing): Promise<Profile> {
  const { loadProfile } = await import('../../targets/profile.ts')
  const described = loadProfile(profile, env, missing)
  if (missing.variables.size + missing.files.size > 0) return described
  // What a run would refuse is better heard now.
  const { resolveTarget } = await import('../../targets/resolve.ts')
  resolveTarget({ profile }, env)
  return described
}
