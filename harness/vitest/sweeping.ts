/** Sets when V8 collects garbage. In a long run, the heap would grow to twice its used size before it is collected,
 * so it is collected earlier there. In a short run this would only cost time, because nearly all of the heap is
 * loaded code, which stays. */
import { setFlagsFromString } from 'node:v8'

/** After this number of checks, everything that checks need is loaded. */
const fewChecks = 100
/** The heap of a thread may grow by this percentage before it is collected. */
const percent = 30

/** What applies otherwise: V8's own rule, unless this process was started with another one. */
const usual = process.execArgv.find((flag) => flag.startsWith('--heap-growing-percent=')) ?? '--heap-growing-percent=0'

let judged = 0

/** Call this for each check that the thread has judged. */
export function sweepEarlyInLongRun(): void {
  judged += 1
  if (judged === fewChecks) setFlagsFromString(`--heap-growing-percent=${percent}`)
}

/** Call this before the thread ends: Node's compile cache depends on the V8 flags at that time, and would be useless
 * with others. */
export function sweepAsUsual(): void {
  judged = 0
  setFlagsFromString(usual)
}
