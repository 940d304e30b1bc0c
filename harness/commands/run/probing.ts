/** Probes the target of a run, and records the exchanges. */
import { boundsOf, outsideOf } from '../../run/applicability.ts'
import { type Cluster, clustersOf } from '../../run/clusters.ts'
import { exchangeRecorded, keptOf } from '../../run/recorded-exchange.ts'
import type { Session } from '../../run/session.ts'
import type { SelectedCheck } from '../../select/select.ts'
import type { AreasSeen } from '../../targets/areas-served.ts'
import { samplePath, type WantedCapability } from '../../targets/capabilities.ts'
import { leastPolicy } from '../../targets/least-policy.ts'
import { type Probe, probe } from '../../targets/probe.ts'
import { touchesOf } from '../../targets/touches.ts'
import type { Unreachable } from '../../targets/unreachable.ts'
import {
  type Area,
  type Facts,
  type Finding,
  fieldOf,
  type RecordedExchange,
  type SafetyClass,
} from '../../vocabulary/index.ts'
import { asNobody, headersFor, nobody, operatorOf } from '../../wire/ask.ts'
import { withinCeiling } from '../catalog.ts'

export interface Probed {
  readonly seen: Probe | Unreachable
  /** The usable further clusters, in the order of the profile, up to the first unusable one. */
  readonly clusters: readonly Cluster[]
  readonly exchanges: readonly RecordedExchange[]
}

/** Probes the areas of all selected checks, and the rights of the token that the checks within the ceiling need. */
export async function probeTarget(
  session: Session,
  selected: readonly SelectedCheck[],
  ceiling: SafetyClass,
): Promise<Probed> {
  const { dialect, redactor } = session
  const { target } = session.plan
  const client = session.client('main')
  const exchanges: RecordedExchange[] = []
  const seen = await probe({
    target,
    dialect,
    client,
    wanted: (facts, areas) => wantedBy(session, withinCeiling(selected, ceiling), facts, areas),
    areas: areasOf(selected),
    signal: session.signal,
    record({ method, body, as = 'operator' }, { url, attempts }) {
      const who = as === 'nobody' ? nobody : operatorOf(client)
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = headersFor(client, dialect, who, { body: text !== undefined })
      const raw = { phase: 'probe', method, url, headers, as, attempts: attempts.map((one) => keptOf(one)) } as const
      exchanges.push(exchangeRecorded(text === undefined ? raw : { ...raw, body: text }, redactor))
    },
  })
  if ('unreachable' in seen) return { seen, exchanges, clusters: [] }
  const { usable, findings } = await furtherClusters(session, seen.clusterId)
  return { seen: { ...seen, findings: [...seen.findings, ...findings] }, exchanges, clusters: usable }
}

/** Returns the rights that the applicable checks need. The rights for finding leftovers are not included, because no
 * verdict depends on them. */
function wantedBy(
  { dialect, requirements }: Session,
  selected: readonly SelectedCheck[],
  facts: Facts,
  areas: AreasSeen,
): readonly WantedCapability[] {
  const applying = selected.filter(
    ({ topic, check }) =>
      areas[topic.area]?.sign !== 'absent' &&
      outsideOf(boundsOf(check, requirements), facts)?.verdict !== 'not-applicable',
  )
  const planned = applying.map(({ topic, check }) => ({ area: topic.area, touches: touchesOf(topic, check, dialect) }))
  return leastPolicy(planned, dialect, false).map(({ path, capabilities }) => ({
    path: samplePath(path),
    capabilities,
  }))
}

export const areasOf = (selected: readonly SelectedCheck[]): readonly Area[] => [
  ...new Set(selected.map(({ topic }) => topic.area)),
]

/** Finds the usable clusters. A cluster that is named twice is rejected: it would be wiped although its owner meant
 * another one. */
async function furtherClusters(session: Session, mainId: string | undefined) {
  const usable: Cluster[] = []
  const findings: Finding[] = []
  const known = new Map(mainId === undefined ? [] : [[mainId, 'the target itself']])
  for (const cluster of clustersOf(session.plan.target)) {
    const trouble = await troubleWith(cluster, session, known)
    if (trouble === undefined) usable.push(cluster)
    else {
      const text = `cluster ${cluster.name}: ${trouble}, so no check uses it or those after it`
      findings.push({ severity: 'error', code: 'cluster', text })
      break
    }
  }
  return { usable, findings }
}

async function troubleWith(
  { name, mayBeWiped }: Cluster,
  session: Session,
  known: Map<string, string>,
): Promise<string | undefined> {
  const exchange = session.dialect.operations.health?.({}).exchanges[0]
  if (!exchange) return undefined
  const { method, path } = exchange
  const { reply, trouble } = await asNobody(session.client(name), session.dialect)({ method, path, once: true })
  if (!reply) return trouble ?? 'no reply'
  const id = fieldOf(reply, 'cluster_id')
  if (typeof id !== 'string') return 'its health reply has no cluster id, so it may be a second name of another cluster'
  const other = known.get(id)
  if (other !== undefined) return `its cluster id is that of ${other}`
  known.set(id, `cluster ${name}`)
  return mayBeWiped ? undefined : 'the profile does not set mayBeWiped: true for it'
}
