/** The flags of `assay serve` about clusters and their nodes. */

import { InvalidArgumentError } from 'commander'
import { mostClusters, mostNodes } from '../../targets/mock.ts'
import { defined } from '../../vocabulary/defined.ts'
import type { Flag } from '../options/flag.ts'

const treatments = ['forward', 'read', 'redirect'] as const

export interface NodeFlags {
  readonly clusters: number
  readonly nodes: number
  readonly performanceStandbys?: boolean
  readonly standbys?: (typeof treatments)[number]
  /** In milliseconds. */
  readonly readLag?: number
  readonly balance?: boolean
  readonly hideNodes?: boolean
}

export const nodeFlags: readonly Flag[] = [
  { flag: '--clusters <n>', says: 'number of clusters; the others use free ports', parse: clusterCount, default: 1 },
  {
    flag: '--nodes <n>',
    says: 'number of nodes per cluster; all but one are standby nodes, on free ports',
    parse: nodeCount,
    default: 1,
  },
  {
    flag: '--standbys <treatment>',
    says: 'what standby nodes do with requests (default: forward)',
    values: { of: treatments, what: 'treatment' },
    isRare: true,
  },
  {
    flag: '--read-lag <duration>',
    says: 'let the reads of standby nodes be behind by this, such as 500ms',
    parse: lagOf,
    isRare: true,
  },
  {
    flag: '--performance-standbys',
    says: 'standby nodes serve reads themselves, and answer sys/health with 473',
    isRare: true,
  },
  { flag: '--balance', says: 'start a load balancer before the nodes, on a free port', isRare: true },
  {
    flag: '--hide-nodes',
    says: 'let the load balancer answer sys/health and sys/leader as the active node does',
    isRare: true,
  },
]

/** Returns the options of the server. A lag is one of reads, so it implies standby nodes that read. */
export function nodesOf({ nodes, performanceStandbys, standbys, readLag, balance, hideNodes }: NodeFlags) {
  const treatment = standbys ?? (readLag === undefined ? undefined : 'read')
  return {
    nodes,
    ...defined({ performanceStandbys, standbys: treatment, readLagMs: readLag, balance, hidesNodes: hideNodes }),
  }
}

function lagOf(text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? []
  if (count === undefined) throw new InvalidArgumentError('Give a number with its unit, such as 500ms or 2s.')
  return Number(count) * (unit === 's' ? 1000 : 1)
}

function nodeCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= mostNodes) return count
  throw new InvalidArgumentError(`Give a number from 1 to ${mostNodes}.`)
}

function clusterCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= mostClusters) return count
  throw new InvalidArgumentError(`Give a number from 1 to ${mostClusters}.`)
}
