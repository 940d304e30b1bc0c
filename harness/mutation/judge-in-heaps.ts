/** Divides checks among the judged servers of one setting. */
import type { CheckResult } from '../vocabulary/index.ts'
import type { Candidate, JudgedServer, JudgedServers } from './judged-server.ts'

/** Judges on the first server that is free. */
export const judgedOn = (
  servers: JudgedServers,
  judge: (judged: JudgedServer) => Promise<readonly CheckResult[]>,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> => servers.use(async (judged) => (signal.aborted ? [] : judge(judged)))

/** Puts each check into a heap of its own if any needs the clusters for itself. Any other heap has as many checks as
 * any server. Without this, checks that take turns on one server, or wait for late replies, would leave the other
 * servers idle. */
const heaps = (checks: readonly Candidate[], count: number): readonly (readonly Candidate[])[] =>
  checks.some(({ check }) => check.lock === 'clusters')
    ? checks.map((one) => [one])
    : Array.from({ length: count }, (_, at) => checks.filter((_, index) => index % count === at))

/** Judges checks on unchanged servers. */
export async function judgedEvenly(
  servers: JudgedServers,
  checks: readonly Candidate[],
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const results = heaps(checks, servers.count)
    .filter((heap) => heap.length > 0)
    .map((heap) => judgedOn(servers, (judged) => judged.judgePlainly(heap, signal), signal))
  return (await Promise.all(results)).flat()
}
