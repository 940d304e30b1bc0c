/** Frees what the files before have left in the heap of a process that runs many files. V8 collects what has grown old so
 * late that such a process would need a third more memory. */
import { afterAll } from 'vitest'

/** About twice what all modules and their tables need. A collection takes 0.2 s or more. */
const most = 256 * 2 ** 20

afterAll(() => {
  if (process.memoryUsage().heapUsed > most) globalThis.gc?.()
})
