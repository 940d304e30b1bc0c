/** Computes what a run would send, and the smallest sufficient policy for its token. Sends nothing. */

import type { Missing, Profile } from '../../profile/profile.ts'
import type { Source } from '../../profile/sources.ts'
import { safetyOf } from '../../select/safety-class.ts'
import { loadDialect } from '../../targets/dialects/index.ts'
import { leastPolicy, type Planned, type PolicyLine, policyText } from '../../targets/least-policy.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import type { Touch } from '../../targets/touches.ts'
import { type Area, levels, type Requirement, requirementsOf, type SafetyClass } from '../../vocabulary/index.ts'
import { withinCeiling } from '../catalog.ts'
import type { SelectionFlags, TargetFlags } from '../options/options.ts'
import { loadTouches, type OutlinedSelection, selectOutlined } from '../output/outline.ts'

export interface PlanFlags extends SelectionFlags, TargetFlags {
  readonly safety: SafetyClass
  readonly policy?: boolean
  readonly sweep?: boolean
  readonly json?: boolean
}

export type PlanRow = OutlinedSelection & { readonly safety: SafetyClass; readonly touches: readonly Touch[] }

export interface Plan {
  readonly rows: readonly PlanRow[]
  /** The rows that are above the ceiling. */
  readonly above: readonly PlanRow[]
  /** `of` is the number of requirements of the selected areas and levels, `decided` the number that the rows decide. */
  readonly requirements: { readonly areas: readonly Area[]; readonly decided: number; readonly of: number }
  /** HCL. Like its lines, it is computed when it is read, because most plans are shown without it. */
  readonly policy: string
  readonly policyLines: readonly PolicyLine[]
  /** Variables and files that the profile names and that do not exist; a plan does not need them. */
  readonly missing: Missing
  /** What a run would use, and where it comes from; empty if that is not known yet. */
  readonly given: readonly Source[]
  /** Variables that a run would not read, and why. */
  readonly unused: string | undefined
}

const plannedOf = ({ topic: { area }, touches }: PlanRow): Planned => ({ area, touches })

/** Computes a plan, without what the declared facts of the profile rule out. Throws `UsageError`. */
export async function planFor(flags: PlanFlags, env: NodeJS.ProcessEnv): Promise<Plan> {
  const missing: Missing = { variables: new Set(), files: new Set() }
  const described = flags.profile === undefined ? undefined : await readProfile(flags.profile, env, missing)
  const target = await targetOf(flags, env, missing)
  const dialect = loadDialect(described?.dialect ?? 'vault')
  const { outline, selected } = await selectOutlined(flags)
  const touches = await loadTouches(dialect, flags.area)
  const requirements = new Map(outline.requirements.map((one) => [one.id, one]))
  const isRuledOut = described ? await ruledOutBy(described, requirements) : () => false
  const within = new Set(withinCeiling(selected, flags.safety))
  const all = selected
    .filter((one) => !isRuledOut(one))
    .map((one) => ({ one, row: { ...one, safety: safetyOf(one.topic, one.check), touches: touches.of(one.address) } }))
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
    given: target?.sources === undefined ? [] : [...target.sources, ...ownSources(flags)],
    unused: target?.unusedVariables,
  }
}

const ownSources = ({ safety, level, profile, namedBy }: PlanFlags): readonly Source[] => [
  ...(profile === undefined ? [] : [{ what: 'profile', value: profile, from: namedBy ? 'found here' : '--profile' }]),
  { what: 'highest safety class', value: safety, from: safety === 'scoped' ? 'default' : '--safety' },
  { what: 'lowest level', value: level, from: level === 'should' ? 'default' : '--level' },
]

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
  const { loadProfile } = await import('../../profile/profile.ts')
  return loadProfile(profile, env, missing)
}

/** Resolves the target as a run would, which reports now what a run would reject. Variables and files that are missing
 * leave it open. */
async function targetOf(
  flags: PlanFlags,
  env: NodeJS.ProcessEnv,
  { variables, files }: Missing,
): Promise<ResolvedTarget | undefined> {
  if (variables.size + files.size > 0) return undefined
  const { resolveTarget } = await import('../../targets/resolve.ts')
  return resolveTarget(flags, env)
}
