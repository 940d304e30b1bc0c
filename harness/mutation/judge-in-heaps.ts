/** Divides checks among the judged servers of one setting. */
import type { CheckResult } from '../vocabulary/index.ts'
import type { Candidate, JudgedServer, JudgedServers } from './judged-server.ts'

/** Puts each check into a heap of its own if any needs the clusters for itself: a fault can keep a check from
 * restoring the roles of the clusters, so the next check has to start on a reset server. */
const heaps = (checks: readonly Candidate[]): readonly (readonly Candidate[])[] =>
  checks.some(({ check }) => check.lock === 'clusters') ? checks.map((one) => [one]) : [checks]

export const plainly = (signal: AbortSignal) => (judged: JudgedServer, together: readonly Candidate[]) =>
  judged.judgePlainly(together, signal)

/** Judges each heap on the first server that is free. */
export async function judgedOn(
  servers: JudgedServers,
  checks: readonly Candidate[],
  judge: (judged: JudgedServer, together: readonly Candidate[]) => Promise<readonly CheckResult[]>,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const results = heaps(checks).map((together) =>
    servers.use(async (judged) => (signal.aborted ? [] : judge(judged, together))),
  )
  return (await Promise.all(results)).flat()
}

/** Judges checks on unchanged servers, the same number on each. Without this, checks that take turns on one server,
 * or wait for late replies, would leave the other servers idle. */
export async function judgedEvenly(
  servers: JudgedServers,
  checks: readonly Candidate[],
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const shares = Array.from({ length: servers.count }, (_, at) =>
    checks.filter((_, index) => index % servers.count === at),
  )
  const results = shares
    .filter((share) => share.length > 0)
    .map((share) => judgedOn(servers, share, plainly(signal), signal))
  return (await Promise.all(results)).flat()
}
