/** The flags of `assay serve` about the nodes of a cluster. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { mostNodes } from '../../targets/mock.ts'

const treatments = ['forward', 'read', 'redirect'] as const

export interface NodeFlags {
  readonly nodes: number
  readonly performanceStandbys?: boolean
  readonly standbys?: (typeof treatments)[number]
  /** In milliseconds. */
  readonly readLag?: number
  readonly balance?: boolean
}

export const withNodeFlags = (command: Command): Command =>
  command
    .option('--nodes <n>', 'number of nodes per cluster; all but one are standby nodes, on free ports', nodeCount, 1)
    .addOption(
      new Option('--standbys <treatment>', 'what standby nodes do with requests (default: forward)').choices(
        treatments,
      ),
    )
    .option('--read-lag <duration>', 'let the reads of standby nodes be behind by this, such as 500ms', lagOf)
    .option('--performance-standbys', 'standby nodes serve reads themselves, and answer sys/health with 473')
    .option('--balance', 'start a load balancer before the nodes, on a free port')

/** Returns the options of the server. A lag is one of reads, so it implies standby nodes that read. */
export function nodesOf({ nodes, performanceStandbys, standbys, readLag, balance }: NodeFlags) {
  const treatment = standbys ?? (readLag === undefined ? undefined : 'read')
  return {
    nodes,
    ...(performanceStandbys ? { performanceStandbys: true } : {}),
    ...(treatment ? { standbys: treatment } : {}),
    ...(readLag === undefined ? {} : { readLagMs: readLag }),
    ...(balance ? { balance: true } : {}),
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
