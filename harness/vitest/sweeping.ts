/** Sets when V8 collects garbage. In a long run, and in one of large replies, the heaps of all threads would grow to twice
 * their used size before they are collected, so they are collected earlier there. In a short run this would only cost time,
 * because nearly all of the heap is loaded code, which stays. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The characters of about a hundred results, after which everything that checks need is loaded. */
const fewCharacters = 2 ** 20
/** A heap may grow by this percentage before it is collected. */
const percent = 30

/** What applies otherwise: V8's own rule, unless this process was started with another one. */
const usual = process.execArgv.find((flag) => flag.startsWith('--heap-growing-percent=')) ?? '--heap-growing-percent=0'

let judged = 0

/** Call this for each result that the thread judges or receives, with its length. */
export function sweepEarlyInLongRun(characters: number): void {
  const before = judged
  judged += characters
  if (before >= fewCharacters || judged < fewCharacters) return
  setFlagsFromString(`--heap-growing-percent=${percent}`)
  collect()
}

/** The size at which a heap is collected is set at its last collection, so the percentage counts only from the next one
 * on. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc: () => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  gc()
}

/** Call this before the thread ends: Node's compile cache depends on the V8 flags at that time, and would be useless
 * with others. */
export function sweepAsUsual(): void {
  judged = 0
  setFlagsFromString(usual)
}
