/** Measures how long `npm test` takes. */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import type { Row } from './table.ts'

const boundSeconds = 360

export async function testRows(say: (text: string) => void): Promise<readonly Row[]> {
  say('npm test')
  const startedAt = performance.now()
  const root = resolve(import.meta.dirname, '../../..')
  const { status } = spawnSync('npm', ['test'], { cwd: root, stdio: 'ignore' })
  if (status !== 0) throw new Error(`npm test ended with ${status}`)
  const seconds = (performance.now() - startedAt) / 1000
  return [
    {
      ...{ what: 'npm test', ours: `${seconds.toFixed(0)} s`, peer: `${boundSeconds} s` },
      ...{ ratio: seconds / boundSeconds, bound: { kind: 'at-most', value: 1 } },
    },
  ]
}
