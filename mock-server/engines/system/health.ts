/** The endpoint `sys/health` for load balancers and probes, which requires no token, and `sys/version-history`. */
import type { Call, Reply, Route } from '../../kernel/contracts.ts'
import type { Services } from '../../kernel/services.ts'
import { buildDate, isSince, reportedVersion } from '../../kernel/versions.ts'

/** Returns a JSON reply without the usual envelope. */
export const bare = (value: object, status = 200): Reply => ({
  kind: 'bare',
  status,
  contentType: 'application/json',
  bytes: `${JSON.stringify(value)}\n`,
})

/** Maps each state that a probe may treat as active to the query field that asks for this. */
const fineBy: Readonly<Record<string, string>> = { standby: 'standbyok', 'performance-standby': 'perfstandbyok' }

/** Maps each state to its status, and to the query field that replaces the status. */
const states = {
  active: { status: 200, query: 'activecode' },
  sealed: { status: 503, query: 'sealedcode' },
  uninitialized: { status: 501, query: 'uninitcode' },
  'dr-secondary': { status: 472, query: 'drsecondarycode' },
  'performance-standby': { status: 473, query: 'performancestandbycode' },
  standby: { status: 429, query: 'standbycode' },
} as const

const isTrue = (text: string | null): boolean => text !== null && /^(1|t|true)$/i.test(text)

export function healthRoutes({ seal, clock, facts, literal, cluster, clusterRole, nodes }: Services): readonly Route[] {
  function present(isStandby: boolean): keyof typeof states {
    if (!seal.initialized) return 'uninitialized'
    if (seal.sealed) return 'sealed'
    if (clusterRole.modes.dr === 'secondary') return 'dr-secondary'
    if (!isStandby) return 'active'
    return nodes.performanceStandbys ? 'performance-standby' : 'standby'
  }

  /** Returns the status of a state, unless the caller wishes another one. */
  function statusOf(name: keyof typeof states, query: URLSearchParams): number {
    const state = states[name]
    const wanted = isTrue(query.get(fineBy[name] ?? '')) ? states.active.status : Number(query.get(state.query))
    return wanted >= 200 && wanted <= 599 ? wanted : state.status
  }

  function health(call: Call): Reply {
    const broken = Object.values(states).find(({ query }) => !/^\d*$/.test(call.query.get(query) ?? ''))
    if (broken) return bare({ errors: [`${broken.query} must be a status`] }, 400)
    const { version, edition, forms } = facts
    const body = {
      initialized: seal.initialized,
      sealed: seal.sealed,
      standby: call.isStandby,
      performance_standby: call.isStandby && nodes.performanceStandbys,
      replication_performance_mode: clusterRole.modes.performance,
      replication_dr_mode: clusterRole.modes.dr,
      server_time_utc: Math.floor(clock.now() / 1000),
      version: reportedVersion(facts),
      // Real servers return the date only in `sys/seal-status`, but some clients read it here. Only this reference server
      // reports its forms.
      ...(!literal && { build_date: buildDate, reference: { forms } }),
      ...(isSince(version, '1.10.0') && { enterprise: edition !== 'community' }),
      ...(!seal.sealed && { cluster_name: cluster.name, cluster_id: cluster.id }),
    }
    return bare(body, statusOf(present(call.isStandby), call.query))
  }
  const startedAt = new Date(clock.now()).toISOString()
  function versions(): Reply {
    const version = reportedVersion(facts)
    const info = { build_date: buildDate, previous_version: null, timestamp_installed: startedAt }
    return { kind: 'data', data: { keys: [version], key_info: { [version]: info } } }
  }
  return [
    { verb: 'GET', path: 'health', access: 'anyone', handle: health },
    { verb: 'LIST', path: 'version-history', access: 'token', handle: versions },
  ]
}
