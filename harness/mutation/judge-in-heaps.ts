/** Divides checks among the judged servers of one setting. */
import type { CheckResult } from '../vocabulary/index.ts'
import type { Candidate, JudgedServer, JudgedServers } from './judged-server.ts'

/** A fault can keep a check from giving clusters their roles back: whoever is alone with them begins anew. */
const heaps = (checks: readonly Candidate[]): readonly (readonly Candidate[])[] =>
  checks.some(({ check }) => check.lock === 'clusters') ? checks.map((one) => [one]) : [checks]

export const plainly = (signal: AbortSignal) => (judged: JudgedServer, together: readonly Candidate[]) =>
  judged.judgePlainly(together, signal)

/** Judges heap by heap, each on a server that is free. */
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

/** Judges plainly, with as many checks on each server: checks that take turns on one server, or wait for late replies, would
 * leave the others idle. */
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
