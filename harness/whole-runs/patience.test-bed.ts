/** How long tests wait before they take something for broken. All limits grow with the slowness of the machine, so that a
 * slow or busy machine needs no other ones. `vitest.config.ts` measures it once, and sets the limit of tests and hooks. */
import { createHash } from 'node:crypto'
import { isWhole } from '../tools/prove/sampled.test-bed.ts'

const variable = 'ASSAY_SLOWNESS'

/** The time, in ms, that the work takes on an idle machine that runs `npm cit` in six minutes. */
const usualMs = 20
const times = 5

const work = (): void => {
  let text = ''
  for (let index = 0; index < 16_000; index++) text = createHash('sha256').update(text).digest('hex')
}

/** Returns how many times longer than usual the work takes; never less than 1. The median is taken, because the first time
 * includes what the compiler needs. */
export function measuredSlowness(now = (): number => performance.now(), worked = work): number {
  const taken = Array.from({ length: times }, () => {
    const start = now()
    worked()
    return now() - start
  }).toSorted((one, other) => one - other)
  return Math.max(1, (taken[Math.floor(times / 2)] ?? usualMs) / usualMs)
}

/** Returns the limits in ms. A test that hangs is rare, so they are long: that of a test is for a whole run of all areas. */
export const limits = (slowness: number) => {
  const test = isWhole ? 720_000 : 180_000
  return { test: Math.ceil(test * slowness), poll: Math.ceil(60_000 * slowness) }
}

/** For the processes that run tests. */
export const environmentOf = (slowness: number): Record<string, string> => ({ [variable]: String(slowness) })

/** Returns a limit for this machine, from one for a machine that is as fast as usual. */
export const patient = (usual: number): number => Math.ceil(usual * Number(process.env[variable] ?? 1))
