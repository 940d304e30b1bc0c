/** Derives the least policy that a token needs for a plan: for the requests that checks send as the operator, and
 * for those of the probe and of the search for leftovers. */
import type { AclRule, Area, Dialect, Exchange } from '../vocabulary/index.ts'
import { namePrefix } from './dialects/vault-areas.ts'
import { aclText, isListedAt, leastRules, sudoFor } from './dialects/vault-policy.ts'
import type { Touch } from './touches.ts'

/** A check, or another consumer of requests. */
export interface Planned {
  readonly area: Area
  readonly touches: readonly Touch[]
}

export interface PolicyLine extends AclRule {
  /** What needs the rule, such as `policies (82 checks)`. */
  readonly neededFor: readonly string[]
  readonly sudo: readonly string[]
  /** True if only the search for leftovers needs the rule. */
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

/** Returns the path as a rule for all throw-away names. A rule for one such name would take precedence over the rule
 * for all, and so remove capabilities that the general rule grants. */
const globOf = (template: string): string => {
  const path = template.replaceAll('{probe}', `${namePrefix}probe`)
  const at = path.indexOf(`/${namePrefix}`)
  return at < 0 ? path : `${path.slice(0, at + 1)}${namePrefix}*`
}

/** Returns the requests of the probe, which are sent before the first check. */
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

const writingMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Returns the requests of the search for leftovers: lists of the kinds of objects that the checks create, and the
 * lookup that distinguishes tokens of the run from others. */
function usesOfSweep(touches: readonly Touch[], dialect: Dialect): readonly Use[] {
  const writes = touches.filter(({ method }) => writingMethods.has(method))
  const lists = (dialect.operations.inventory?.({}).exchanges ?? []).filter(({ path }) =>
    writes.some((touch) => isListedAt(path, touch.path)),
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

/** Returns one line per path. In paths of rules, a throw-away name is replaced by a trailing glob. If `sweep` is
 * false, lines that only the search for leftovers needs are omitted. */
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

const sweepTitle = `# Only for the search for leftovers, which lists objects before and after the checks. Without these lines
# ("assay plan --policy --no-sweep") the verdicts are the same, but only the replies to deletions show the run whether
# something was left behind.
`

/** Returns the policy in HCL, with a comment above each path. */
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
