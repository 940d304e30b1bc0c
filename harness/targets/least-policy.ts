/** The least that a token must be allowed for a plan: what the checks ask as the operator, and what the harness asks for
 * the probe and for the search for leftovers; each line says what needs it. */
import type { AclRule, Area, Dialect, Exchange } from '../vocabulary/index.ts'
import { namePrefix } from './dialects/vault-areas.ts'
import { aclText, isListedAt, leastRules, sudoFor } from './dialects/vault-policy.ts'
import type { Touch } from './touches.ts'

/** One check, or what needs the like. */
export interface Planned {
  readonly area: Area
  readonly touches: readonly Touch[]
}

export interface PolicyLine extends AclRule {
  /** These need it: `policies (82 checks)`. */
  readonly neededFor: readonly string[]
  /** It needs `sudo` for these reasons. */
  readonly sudo: readonly string[]
  /** This is true if only the search for leftovers needs it. */
  readonly isSweep: boolean
}

interface Use {
  readonly method: Exchange['method']
  readonly path: string
  readonly sudo?: string
  readonly purpose: string
}

const useOf = (exchange: Exchange, purpose: string): Use => {
  const sudo = sudoFor(exchange)
  return { method: exchange.method, path: globOf(exchange.path), purpose, ...(sudo === undefined ? {} : { sudo }) }
}

/** A rule for one throw-away name alone would come before the rule for all of them, and take away what that one allows. */
const globOf = (template: string): string => {
  const path = template.replaceAll('{probe}', `${namePrefix}probe`)
  const at = path.indexOf(`/${namePrefix}`)
  return at < 0 ? path : `${path.slice(0, at + 1)}${namePrefix}*`
}

/** Returns what the probe asks before the first check. */
function usesOfProbe(areas: readonly Area[], dialect: Dialect): readonly Use[] {
  const asked = (operation: 'lookupSelf' | 'capabilitiesSelf' | 'listGoverning', purpose: string): readonly Use[] =>
    (dialect.operations[operation]?.({ paths: [] }).exchanges ?? []).map((exchange) => useOf(exchange, purpose))
  return [
    ...asked('lookupSelf', 'the run: is the token valid?'),
    ...asked('capabilitiesSelf', 'the run: what may the token do?'),
    ...asked('listGoverning', 'the run: which edition is the target?'),
    ...areas.flatMap((area) => {
      const { questions = [], attempt } = dialect.areas?.[area] ?? {}
      return [...questions, ...(attempt ? [attempt] : [])]
        .flatMap(({ exchange, stranger }) => [exchange, ...(stranger ? [stranger] : [])])
        .flatMap((exchange) => [exchange, ...(exchange.undo ? [exchange.undo] : [])])
        .filter(({ as }) => as !== 'nobody')
        .map((exchange) => useOf(exchange, `the run: does the target have the area ${area}?`))
    }),
  ]
}

const makes: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Lists of what the checks make, and what tells a token of the run from others. */
function usesOfSweep(touches: readonly Touch[], dialect: Dialect): readonly Use[] {
  const made = touches.filter(({ method }) => makes.has(method))
  const lists = (dialect.operations.inventory?.({}).exchanges ?? []).filter(({ path }) =>
    made.some((touch) => isListedAt(path, touch.path)),
  )
  const revocations = new Set(
    (dialect.operations.revokeAccessor?.({ accessor: '' }).exchanges ?? []).map(({ path }) => path),
  )
  const lookups = touches.some(({ path }) => revocations.has(path))
    ? (dialect.operations.tokenByAccessor?.({ accessor: '' }).exchanges ?? [])
    : []
  return [...lists, ...lookups].map((exchange) =>
    useOf(exchange, `leftovers: ${exchange.words ?? 'tokens of the run'}`),
  )
}

/** The paths of rules end in `*` where throw-away names stand. Without `sweep`, what only the search for leftovers needs
 * is left out. */
export function leastPolicy(plan: readonly Planned[], dialect: Dialect, sweep = true): readonly PolicyLine[] {
  const checks: Use[] = plan.flatMap(({ area, touches }) =>
    touches.filter(({ as }) => as === 'operator').map((touch) => ({ ...touch, purpose: area })),
  )
  const areas = [...new Set(plan.map(({ area }) => area))]
  const operatorTouches = plan.flatMap(({ touches }) => touches.filter(({ as }) => as === 'operator'))
  const needed = [...checks, ...usesOfProbe(areas, dialect)]
  const swept = sweep ? usesOfSweep(operatorTouches, dialect) : []
  const neededPaths = new Set(needed.map(({ path }) => path))
  const counts = countsByPath(plan)
  const all = [...needed, ...swept]
  const byPath = Map.groupBy(all, ({ path }) => path)
  return leastRules(all).map((rule) => {
    const uses = byPath.get(rule.path) ?? []
    const neededFor = new Set(
      uses.map(({ purpose }) => {
        const count = counts.get(`${purpose} ${rule.path}`)
        return count === undefined ? purpose : `${purpose} (${count === 1 ? '1 check' : `${count} checks`})`
      }),
    )
    const sudo = new Set(uses.flatMap(({ sudo: why }) => why ?? []))
    return { ...rule, neededFor: [...neededFor], sudo: [...sudo], isSweep: !neededPaths.has(rule.path) }
  })
}

/** Counts the checks of an area that need a path, by `<area> <path>`. */
function countsByPath(plan: readonly Planned[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { area, touches } of plan)
    for (const path of new Set(touches.filter(({ as }) => as === 'operator').map(({ path }) => path)))
      counts.set(`${area} ${path}`, (counts.get(`${area} ${path}`) ?? 0) + 1)
  return counts
}

const sweepTitle = `# Only to look for leftovers: lists of what the checks make, before and after. Without these lines
# ("assay plan --policy --no-sweep") the verdicts are the same, and the run cannot tell whether something was left behind
# other than by what its deletions answer.
`

/** In HCL, with a comment over each path. */
export function policyText(lines: readonly PolicyLine[]): string {
  const written = (some: readonly PolicyLine[]): string =>
    some
      .map(
        (line) =>
          `# ${line.neededFor.join(', ')}\n${line.sudo.map((why) => `# sudo: ${why}\n`).join('')}${aclText([line])}`,
      )
      .join('\n')
  const [needed, swept] = [lines.filter(({ isSweep }) => !isSweep), lines.filter(({ isSweep }) => isSweep)]
  return [written(needed), ...(swept.length > 0 ? [`${sweepTitle}\n${written(swept)}`] : [])].join('\n')
}
