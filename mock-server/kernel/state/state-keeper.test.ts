import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readState } from './state-file.ts'
import { keepState } from './state-keeper.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-keeper-'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

/** A keeper of a number. Time passes only while it waits, while it compares the state, which takes `taken` ms, and where the
 * test says so. */
async function kept(taken: number) {
  const file = join(folder, 'state.json')
  let count = 0
  const changes: number[] = []
  const saved: number[] = []
  let whenCompared = (): void => {}
  const change = (): void => {
    changes.push(performance.now())
    count += 1
    void keeper.changed()
  }
  const keeper = await keepState(file, () => {
    vi.advanceTimersByTime(taken)
    const snapshot = { count }
    queueMicrotask(whenCompared)
    whenCompared = () => {}
    return snapshot
  })
  async function allSaved(): Promise<void> {
    while (saved.length < count) {
      if (vi.getTimerCount() > 0) vi.advanceTimersByTime(1)
      await new Promise((resolve) => setImmediate(resolve))
      const inFile = Number(readState(file)?.state.count)
      while (saved.length < inFile) saved.push(performance.now())
    }
  }
  return {
    ...{ keeper, change, allSaved },
    /** Makes two further changes once the next comparison is over, which is too late for the writing that follows: at its
     * beginning, and 10 ms later. */
    changeLate() {
      whenCompared = () => {
        change()
        vi.advanceTimersByTime(10)
        change()
      }
    },
    /** Milliseconds from each change until it was in the file, without the 10 ms of the writing of every third. */
    delays: () => saved.map((at, nth) => at - (changes[nth] ?? 0) - (nth % 3 === 0 ? 10 : 0)),
  }
}

test.each([0, 1, 5, 20, 50, 75, 100, 140])(
  'a change is handed to the disk within 150 ms if comparing the state takes %i ms',
  async (taken) => {
    const { keeper, change, changeLate, allSaved, delays } = await kept(taken)
    for (const wait of [0, 1, 9, 200]) {
      vi.advanceTimersByTime(wait)
      change()
      changeLate()
      await allSaved()
    }
    expect(delays()).toHaveLength(12)
    // A timer waits for at least 1 ms.
    expect(Math.max(...delays())).toBeLessThanOrEqual(151)
    await keeper.close()
  },
)
