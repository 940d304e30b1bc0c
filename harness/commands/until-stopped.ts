import { once } from 'node:events'
import { flushCompileCache } from 'node:module'

/** Waits until a server that has said where it is has to stop. Servers are often killed, and Node keeps what it compiled only
 * when a process ends by itself: so that is kept now. */
export async function untilStopped(signal: AbortSignal): Promise<void> {
  flushCompileCache()
  if (!signal.aborted) await once(signal, 'abort')
}
