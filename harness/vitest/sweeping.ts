/** When V8 sweeps what is no longer used. What a program loads stays, so that sweeping early makes only those wait who ask
 * for a few checks; in a long run, the heap would grow to twice what is used before it is swept. */
import { setFlagsFromString } from 'node:v8'

/** By then everything that checks need is loaded. */
const fewChecks = 100
/** The heap of each thread grows by as much. */
const percent = 30

let judged = 0

/** To be called for each check that a thread has judged. */
export function sweepEarlyInLongRun(): void {
  judged += 1
  if (judged === fewChecks) setFlagsFromString(`--heap-growing-percent=${percent}`)
}

/** To be called before a thread ends: what Node keeps of compiled modules counts for the flags of then only. */
export function sweepAsUsual(): void {
  judged = 0
  setFlagsFromString('--heap-growing-percent=0')
}
