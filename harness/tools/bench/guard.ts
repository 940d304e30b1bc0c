/** A separate process that kills all processes of the benchmark when the benchmark ends, for whatever reason. It
 * notices the end because its standard input is a pipe from the benchmark, which the system closes then. It finds
 * the processes by a mark in their environment, which child processes inherit. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

const mark = 'ASSAY_BENCH_RUN'

/** Makes all child processes that are started from now on end with this process. It needs `/proc`; without it, only
 * the parts of the benchmark end the processes that they started. */
export function endChildrenWithThis(): void {
  const env = { ...process.env, [mark]: undefined }
  const id = randomUUID()
  const guard = spawn(process.execPath, [import.meta.filename, id], {
    ...{ detached: true, env, stdio: ['pipe', 'ignore', 'ignore'] },
  })
  guard.unref()
  // The pipe would keep this process alive. Node implements it as a socket, which has `unref`.
  ;(guard.stdin as unknown as { unref(): void } | null)?.unref()
  process.env[mark] = id
}

function marked(id: string): readonly number[] {
  const isOurs = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${mark}=${id}`)
    } catch {
      // The process has ended, or belongs to another account.
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOurs(name))
    .map(Number)
}

/** Repeats the search until no process is left, because a process may start others meanwhile. */
function endAll(id: string): void {
  for (let pids = marked(id); pids.length > 0; pids = marked(id))
    for (const pid of pids)
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // The process has already ended.
      }
}

if (import.meta.main) process.stdin.once('end', () => endAll(process.argv[2] ?? '')).resume()
