/** The whole proof takes longer than all of the benchmark. What it took last is kept by `npm run prove`. */
import { readDurations } from '../prove/durations.ts'
import type { Row } from './table.ts'

const bounds = { mutants: 4 * 60, all: 20 * 60 }

export async function proofRows(): Promise<readonly Row[]> {
  const took = readDurations()
  const row = (what: string, part: keyof typeof bounds): Row => {
    const seconds = took?.[part]
    return {
      what,
      ours: seconds === undefined ? '' : `${seconds.toFixed(0)} s at ${took?.commit.slice(0, 7)}`,
      peer: `${bounds[part]} s`,
      ratio: seconds === undefined ? undefined : seconds / bounds[part],
      bound: { kind: 'at-most', value: 1 },
      note: 'not measured: npm run prove keeps what it took',
    }
  }
  return [row('kill matrix of all areas', 'mutants'), row('npm run prove', 'all')]
}
