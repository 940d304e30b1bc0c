/** Reports the duration of the last `npm run prove`, which stores it. The proof is not run here, because it takes
 * longer than the whole benchmark. */
import { readDurations } from '../prove/durations.ts'
import type { Row } from './table.ts'

const bounds = { mutants: 4 * 60, all: 15 * 60 }

export async function proofRows(): Promise<readonly Row[]> {
  const durations = readDurations()
  const row = (what: string, part: keyof typeof bounds): Row => {
    const seconds = durations?.[part]
    return {
      what,
      ours: seconds === undefined ? '' : `${seconds.toFixed(0)} s at ${durations?.commit.slice(0, 7)}`,
      peer: `${bounds[part]} s`,
      ratio: seconds === undefined ? undefined : seconds / bounds[part],
      bound: { kind: 'at-most', value: 1 },
      note: 'not measured: run npm run prove first',
    }
  }
  return [row('kill matrix of all areas', 'mutants'), row('npm run prove', 'all')]
}
