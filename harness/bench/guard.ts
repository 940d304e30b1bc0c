/** A process of its own, which ends whatever the benchmark has started once the benchmark is no more, in whichever way it
 * ended: its standard input is a pipe from there, and the system closes it. Whoever was started carries a mark in its
 * environment, also if it was started by another one. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

const mark = 'ASSAY_BENCH_RUN'

/** All children that are started from now on end with this process. Needs `/proc`: elsewhere they end with the parts that
 * started them. */
export function endChildrenWithThis(): void {
  const env = { ...process.env, [mark]: undefined }
  const id = randomUUID()
  const guard = spawn(process.execPath, [import.meta.filename, id], {
    ...{ detached: true, env, stdio: ['pipe', 'ignore', 'ignore'] },
  })
  guard.unref()
  // A pipe is a socket to Node: it would keep this process alive.
  ;(guard.stdin as unknown as { unref(): void } | null)?.unref()
  process.env[mark] = id
}

function marked(id: string): readonly number[] {
  const isOurs = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${mark}=${id}`)
    } catch {
      // It has ended, or belongs to another account.
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOurs(name))
    .map(Number)
}

/** Some may start others while they are looked for. */
function endAll(id: string): void {
  for (let pids = marked(id); pids.length > 0; pids = marked(id))
    for (const pid of pids)
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
}

if (import.meta.main) process.stdin.once('end', () => endAll(process.argv[2] ?? '')).resume()
