import type { GovernedRequest, Verdict } from '../../kernel/acl/policy-source.ts'
import type { Token } from '../../kernel/contracts.ts'
import type { Facts, Outcome } from '../../policy-language/parse.ts'
import type { Context } from './context.ts'
import type { Written } from './store.ts'
import { type Outcome as FailOutcome, isLevel, type PathTables, type PoliciesTables } from './tables.ts'

type GoverningKind = 'rgp' | 'egp'
type Acting = readonly [kind: GoverningKind, written: Written]

const passed: Verdict = { allowed: true, warnings: [] }
/** Judges requests by the RGPs of their tokens and the EGPs of their paths. */
export function createGoverning(
  context: Pick<Context, 'store' | 'tables'>,
  policiesOf: (token: Token) => readonly string[],
  factsOf: (request: GovernedRequest) => Facts,
): (request: GovernedRequest) => Verdict {
  const { store } = context
  let endpoints: { readonly of: readonly unknown[]; readonly written: readonly Written[] } | undefined

  const acting = (kind: GoverningKind, name: string): readonly Written[] => {
    const entry = store[kind].entry(name)
    return entry ? context.tables.kinds[kind].acts[entry.state](entry.history) : []
  }

  /** Returns the deleted RGP of that name if it still acts on the token. Only a mutant keeps any. */
  function outliving(name: string, { call }: GovernedRequest): readonly Written[] {
    if (context.tables.deletedRgps === 'of-no-token' || !isOfLogin(call.token)) return []
    const entry = store.rgp.entry(name.toLowerCase())
    return entry?.state === 'deleted' ? entry.history.slice(-1) : []
  }

  /** Returns the EGPs that are in effect. They are computed again after a change of an EGP or of the tables. */
  function onEndpoints(): readonly Written[] {
    const of = [store.egp.changes, context.tables]
    if (!endpoints?.of.every((one, index) => one === of[index])) endpoints = { of, written: actingOnEndpoints() }
    return endpoints.written
  }

  const actingOnEndpoints = (): readonly Written[] =>
    store.egp
      .entries()
      .flatMap(({ state, history }) => context.tables.kinds.egp.acts[state](history))
      .map((written) =>
        freed().size === 0 ? written : { ...written, paths: written.paths.filter((path) => !freed().has(path)) },
      )
      .sort((a, b) => (a.name < b.name ? -1 : 1))

  function freed(): ReadonlySet<string> {
    if (context.tables.paths.deletion === 'own') return new Set()
    const deleted = store.egp.entries().filter(({ state }) => state === 'deleted')
    return new Set(deleted.flatMap(({ history }) => history.at(-1)?.paths ?? []).filter((path) => path !== '*'))
  }

  function rolesOf(request: GovernedRequest): readonly string[] {
    const { token } = request.call
    if (!token || store.rgp.isEmpty || request.only === 'endpoints') return []
    return spares(request, context.tables) ? [] : policiesOf(token)
  }

  function actingOn(request: GovernedRequest): readonly Acting[] {
    const roles = rolesOf(request)
    const endpoints = request.only === 'roles' || sparesToken(request, context.tables) ? [] : onEndpoints()
    if (roles.length === 0 && endpoints.length === 0) return []
    const { rgps, paths, together } = context.tables
    const onToken = rgps(roles.flatMap((name) => [...acting('rgp', name.toLowerCase()), ...outliving(name, request)]))
    const asked = chosen(
      endpoints.filter((written) => governs(written, request, context.tables)),
      paths,
    )
    const isBoth = onToken.length > 0 && asked.length > 0
    return [
      ...(isBoth && together === 'egps' ? [] : onToken.map((one) => ['rgp', one] as const)),
      ...(isBoth && together === 'rgps' ? [] : asked.map((one) => ['egp', one] as const)),
    ]
  }

  return (request) => {
    const { token } = request.call
    if ((!token && !request.login) || token?.policies.includes('root')) return passed
    const { creations, denied } = context.tables
    if (creations === 'spared' && request.operation === 'create') return passed
    const all = actingOn(request)
    const verdict = all.length === 0 ? passed : judge(all, request, factsOf(request), context.tables)
    const isCarriedOut = denied === 'carried-out' || (denied !== 'refused' && request.call.verb === 'DELETE')
    return verdict.allowed || !isCarriedOut ? verdict : { ...verdict, isCarriedOut }
  }
}

const isEverywhere = ({ paths }: Written): boolean => paths.join() === '*'

/** Returns which of the EGPs that match a request are evaluated. */
function chosen(onPath: readonly Written[], paths: PathTables): readonly Written[] {
  const here = ofGlobs(
    onPath.filter((one) => !isEverywhere(one)),
    paths,
  )
  const everywhere = onPath.filter(isEverywhere)
  const areBoth = here.length > 0 && everywhere.length > 0
  return [
    ...(areBoth && paths.besideStar === 'those-of-the-star' ? [] : paths.several(here)),
    ...(areBoth && paths.besideStar === 'the-others' ? [] : paths.everywhere(everywhere)),
  ]
}

/** Returns all EGPs, or without the shorter globs. Only a mutant compares the lengths of globs. */
function ofGlobs(all: readonly Written[], { ofGlobs }: PathTables): readonly Written[] {
  if (ofGlobs === 'all') return all
  const lengthOf = ({ paths }: Written): number => (paths.length === 1 && paths[0]?.endsWith('*') ? paths[0].length : 0)
  const longest = Math.max(0, ...all.map(lengthOf))
  return all.filter((one) => [0, longest].includes(lengthOf(one)))
}

/** Returns whether RGPs do not govern a request. Only a mutant exempts any. */
const spares = ({ call }: GovernedRequest, { rgpSpares, rgpTokens, rgpVerbs }: PoliciesTables): boolean =>
  !rgpVerbs.includes(call.verb) || rgpSpares(call) || (rgpTokens === 'not-of-logins' && isOfLogin(call.token))

const isOfLogin = (token: Token | undefined): boolean => (token?.path ?? '').includes('login')

/** Returns whether EGPs do not govern a token. Only a mutant exempts any. */
const sparesToken = ({ call }: GovernedRequest, { paths }: PoliciesTables): boolean =>
  paths.tokens === 'not-of-logins' && isOfLogin(call.token)

/** Only a mutant spares a login at the path of an EGP. */
const isSpared = (isGlob: boolean, { logins }: PathTables): boolean =>
  logins === 'spared' || (logins === 'spared-by-globs' && isGlob)

function governs({ paths }: Written, { call, login }: GovernedRequest, { paths: rules }: PoliciesTables): boolean {
  if (!rules.verbs.includes(call.verb) || rules.spared(call, paths.join() === '*')) return false
  const sent = rules.spelling === 'decoded' ? call.path : call.pathAsSent
  const asked = call.verb === 'LIST' ? [sent, `${sent}/`] : [sent]
  const globs = rules.globs(paths)
  return paths.some((written) => {
    const path = written.startsWith('/') ? written.slice(1) : written
    if (path === '*')
      return login
        ? rules.star.includes('login')
        : rules.star.includes('authenticated') && rules.starVerbs.includes(call.verb)
    if (login && isSpared(globs.includes(written), rules)) return false
    const holds = globs.includes(written)
      ? (each: string) => rules.isGlob(path.slice(0, -1), each)
      : (each: string) => rules.isExact(path, each)
    return asked.some(holds)
  })
}

/** The policies that a request overrode. Only a mutant looks at them. */
const overriddenOnce = new WeakSet<Written>()

function isOverridden(
  kind: GoverningKind,
  written: Written,
  { overridden }: GovernedRequest,
  { levels }: PoliciesTables,
): boolean {
  if (levels[kind].override === 'of-one-request') return overridden
  if (overridden) overriddenOnce.add(written)
  return overriddenOnce.has(written)
}

/** Returns the outcome of a request if a policy of that level fails. */
function outcomeOf(
  kind: GoverningKind,
  level: string,
  request: GovernedRequest,
  { levels }: PoliciesTables,
): FailOutcome {
  const outcomes = isLevel(level) ? levels[kind].failed[level] : undefined
  return outcomes?.[request.overridden ? 'overridden' : 'plain'] ?? 'denied'
}

/** Evaluates the policies in order. The first one that denies the request decides. */
function judge(all: readonly Acting[], request: GovernedRequest, facts: Facts, tables: PoliciesTables): Verdict {
  const warnings: string[] = []
  for (const [kind, one] of all) {
    const { name, enforcement_level: level, rules } = one
    if (!rules) continue
    const result = rules.evaluate(facts)
    const why = whyOf(result)
    if (result.passes) {
      if (why !== '') warnings.push(`${kind} policy "${name}" (${level})${why}`)
      continue
    }
    if (
      outcomeOf(kind, level, { ...request, overridden: isOverridden(kind, one, request, tables) }, tables) === 'denied'
    )
      return { allowed: false, warnings, denied: { policy: name, level, why } }
    warnings.push(`${kind} policy "${name}" (${level}) evaluates to false${why}`)
    if (tables.afterWarning === 'allowed') break
  }
  return { allowed: true, warnings }
}

/** Returns the reason of an outcome in words. The output of a document helps its author, so it is shown if the policy
 * failed. */
const whyOf = ({ passes, reason, printed }: Outcome): string =>
  [...(reason === undefined ? [] : [reason]), ...(passes ? [] : printed.map((line) => `printed: ${line}`))]
    .map((line) => `: ${line}`)
    .join('')
