import type { Call, Token, Verb } from '../../kernel/contracts.ts'
import type { Facts } from './language/index.ts'
import type { Store, Written } from './store.ts'
import { isLevel, type PoliciesTables } from './tables.ts'

export interface GovernedRequest {
  readonly call: Call
  /** The request asks for a token. */
  readonly login: boolean
  /** It asks to pass soft-mandatory policies that fail. */
  readonly overridden: boolean
}

export interface Verdict {
  readonly allowed: boolean
  readonly warnings: readonly string[]
  /** The policy that a refused request failed. */
  readonly denied?: { readonly policy: string; readonly level: string }
}

/** Whom a token stands for. */
export interface Bearer {
  /** Its own policies and its entity's. */
  policiesOf(token: Token): readonly string[]
  /** By name: `identity.entity.id`. */
  identityOf(token: Token): Readonly<Record<string, string>>
}

type GoverningKind = 'rgp' | 'egp'
type Acting = readonly [kind: GoverningKind, written: Written]

const passed: Verdict = { allowed: true, warnings: [] }
const operations: Readonly<Record<Verb, string>> = {
  GET: 'read',
  LIST: 'list',
  POST: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

export interface Governing {
  govern(request: GovernedRequest): Verdict
  /** Something happened to an EGP, or to the tables. */
  changed(): void
}

export function createGoverning(store: Store, tables: () => PoliciesTables, bearer: Bearer): Governing {
  let endpoints: readonly Written[] | undefined

  const acting = (kind: GoverningKind, name: string): readonly Written[] => {
    const entry = store[kind].entry(name)
    return entry ? tables().kinds[kind].acts[entry.state](entry.history) : []
  }

  const onEndpoints = (): readonly Written[] => {
    endpoints ??= store.egp
      .entries()
      .flatMap(({ state, history }) => tables().kinds.egp.acts[state](history))
      .map((written) =>
        freed().size === 0 ? written : { ...written, paths: written.paths.filter((path) => !freed().has(path)) },
      )
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    return endpoints
  }

  function freed(): ReadonlySet<string> {
    if (tables().paths.deletion === 'own') return new Set()
    const deleted = store.egp.entries().filter(({ state }) => state === 'deleted')
    return new Set(deleted.flatMap(({ history }) => history.at(-1)?.paths ?? []).filter((path) => path !== '*'))
  }

  function actingOn(request: GovernedRequest): readonly Acting[] {
    const { token } = request.call
    const roles = !token || store.rgp.isEmpty ? [] : bearer.policiesOf(token)
    const { rgps, paths } = tables()
    const onToken = rgps(roles.flatMap((name) => acting('rgp', name.toLowerCase())))
    const onPath = onEndpoints().filter((written) => governs(written, request, tables()))
    const isEverywhere = (written: Written): boolean => written.paths.join() === '*'
    const asked = [...paths.several(onPath.filter((one) => !isEverywhere(one))), ...onPath.filter(isEverywhere)]
    return [...onToken.map((one) => ['rgp', one] as const), ...asked.map((one) => ['egp', one] as const)]
  }

  return {
    changed: () => {
      endpoints = undefined
    },
    govern(request) {
      const { token } = request.call
      if ((!token && !request.login) || token?.policies.includes('root')) return passed
      const all = actingOn(request)
      return all.length === 0 ? passed : judge(all, request, factsOf(request, bearer), tables())
    },
  }
}

function governs({ paths }: Written, { call, login }: GovernedRequest, { paths: rules }: PoliciesTables): boolean {
  if (!rules.verbs.includes(call.verb)) return false
  const asked = call.verb === 'LIST' ? [call.path, `${call.path}/`] : [call.path]
  const globs = rules.globs(paths)
  return paths.some((written) => {
    const path = written.startsWith('/') ? written.slice(1) : written
    if (path === '*') return rules.star.includes(login ? 'login' : 'authenticated')
    const holds = globs.includes(written)
      ? (each: string) => rules.isGlob(path.slice(0, -1), each)
      : (each: string) => rules.isExact(path, each)
    return asked.some(holds)
  })
}

/** All policies are asked; the first that denies decides. */
function judge(all: readonly Acting[], request: GovernedRequest, facts: Facts, tables: PoliciesTables): Verdict {
  const warnings: string[] = []
  for (const [kind, { name, enforcement_level: level, rules }] of all) {
    if (!rules || rules.passes(facts)) continue
    const outcomes = isLevel(level) ? tables.levels[kind].failed[level] : undefined
    const outcome = outcomes?.[request.overridden ? 'overridden' : 'plain'] ?? 'denied'
    if (outcome === 'denied') return { allowed: false, warnings, denied: { policy: name, level } }
    warnings.push(`${kind} policy "${name}" (${level}) evaluates to false`)
  }
  return { allowed: true, warnings }
}

function factsOf({ call, overridden }: GovernedRequest, bearer: Bearer): Facts {
  const { token } = call
  return {
    request: {
      path: call.path,
      operation: operations[call.verb],
      data: call.body,
      policy_override: overridden,
      unauthenticated: token === undefined,
    },
    token: token
      ? {
          display_name: token.displayName,
          entity_id: token.entityId,
          path: token.path,
          policies: bearer.policiesOf(token),
          meta: token.meta,
        }
      : {},
    identity: token && token.entityId !== '' ? { entity: entityOf(bearer.identityOf(token)) } : {},
  }
}

const metadataPrefix = 'identity.entity.metadata.'

function entityOf(identity: Readonly<Record<string, string>>): object {
  const metadata = Object.entries(identity)
    .filter(([name]) => name.startsWith(metadataPrefix))
    .map(([name, value]) => [name.slice(metadataPrefix.length), value])
  return {
    id: identity['identity.entity.id'],
    name: identity['identity.entity.name'],
    metadata: Object.fromEntries(metadata),
  }
}
