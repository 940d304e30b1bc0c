/** Holds what the commands share that listen at an address until they are interrupted. */
import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { UsageError } from '../targets/usage-error.ts'
import { exitCodes } from '../vocabulary/words.ts'
import type { Flag } from './options/flag.ts'
import { number } from './options/options.ts'

export interface Place {
  readonly port: number
  readonly host: string
}

export const placeFlags = (
  standard: number,
  says = 'port to listen on; 0 chooses a free one',
  most = 65_535,
): readonly Flag[] => [
  { flag: '--port <n>', says, parse: number(0, true, most), default: standard },
  { flag: '--host <address>', says: 'address to listen on', default: '127.0.0.1', isRare: true },
]

/** Shows the server, waits for an interrupt, and closes the server. Returns the exit code. */
export async function untilStopped<Server extends { close(): Promise<void> }>(
  started: Promise<Server>,
  place: Place,
  signal: AbortSignal,
  show: (server: Server) => void,
): Promise<number> {
  const server = await started.catch((error: unknown) => {
    throw listenFault(error, place)
  })
  try {
    show(server)
    // Servers are often killed, and Node writes its compile cache only when a process ends by itself.
    flushCompileCache()
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await server.close()
  }
  return exitCodes.conformant
}

/** An error names the port, because a command may listen at several. */
function listenFault(error: unknown, { host, port }: Place): unknown {
  const fault = error as NodeJS.ErrnoException & { readonly port?: number }
  if (fault.code === 'EADDRINUSE')
    return new UsageError(`${host}:${fault.port ?? port} is taken: choose another --port, or 0 for a free one`)
  if (fault.code === 'EACCES')
    return new UsageError(`${host}:${fault.port ?? port} may not be used by this account: choose a --port above 1023`)
  if (fault.code === 'EADDRNOTAVAIL') return new UsageError(`--host ${host} is not an address of this machine`)
  return error
}
