import { once } from 'node:events'
import { flushCompileCache } from 'node:module'

/** Waits until the command is interrupted. Servers are often killed, and Node writes its compile cache only when a
 * process ends by itself, so it is written first. */
export async function untilStopped(signal: AbortSignal): Promise<void> {
  flushCompileCache()
  if (!signal.aborted) await once(signal, 'abort')
}
