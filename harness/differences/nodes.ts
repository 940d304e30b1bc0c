/** Plays the legal differences of clusters of several nodes: a sample of the checks, each on a cluster of its own, whose
 * clock jumps to the end of each wait. */
import { createHash } from 'node:crypto'
import { eachAlone, type Ground, type Judge } from '../faults/ground.ts'
import { openGround, type Proving } from '../faults/proof.ts'
import type { Setting } from '../mutation/settings.ts'
import type { Difference } from '../vocabulary/index.ts'
import { type Baseline, type Played, play } from './matrix.ts'

/** One of this many checks is judged, others under each difference. */
const step = 16
const clusters = 4

export async function playOnNodes(
  setting: Setting,
  difference: Difference,
  {
    baselines,
    signal,
    ...proving
  }: Proving & { readonly baselines: readonly Baseline[]; readonly signal: AbortSignal },
): Promise<{ readonly played: Played; readonly leftBehind: readonly string[] }> {
  const sample = baselines.filter(({ candidate }) => numberOf(`${difference.id} ${candidate.address}`) % step === 0)
  const leftBehind: string[] = []
  if (sample.length === 0)
    return { played: { difference: difference.id, judged: new Map(), changes: [], used: new Set() }, leftBehind }
  const candidates = sample.map(({ candidate }) => candidate)
  const grounds: Awaited<ReturnType<typeof openGround>>[] = []
  try {
    // Servers of equal seeds would give the same names to accounts at the provider, which all servers share.
    const seed = numberOf(difference.id) % 1e6
    for (let index = 1; index <= Math.min(clusters, sample.length); index += 1)
      grounds.push(await openGround(setting, proving, candidates, seed + index, difference.nodes))
    const judge = eachAlone(grounds.map((ground) => watched(ground, (what) => leftBehind.push(what))))
    return { played: await play(difference, { judge, baselines: sample, lanes: clusters, signal }), leftBehind }
  } finally {
    for (const ground of grounds) await ground.close()
  }
}

/** Reports each object that a check left on its cluster. */
function watched({ judge, server }: Awaited<ReturnType<typeof openGround>>, onLeft: (what: string) => void): Ground {
  const objects = (): readonly string[] =>
    Object.entries(server.inventory()).flatMap(([kind, names]) => names.map((name) => `${kind} ${name}`))
  const legally: Judge['legally'] = async (open, candidate, more) => {
    const before = new Set(objects())
    const judged = await judge.legally(open, candidate, more)
    for (const one of objects()) if (!before.has(one)) onLeft(`${one} of ${candidate.address}`)
    return judged
  }
  // A reset server would give the same names again.
  return { judge: { ...judge, legally }, reset: async () => {} }
}

const numberOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0)
