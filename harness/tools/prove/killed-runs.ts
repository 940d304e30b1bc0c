/** Kills runs at random moments, cleans up after each, and looks at what is left on the server. */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type ReferenceServer, startReference } from '../../targets/mock.ts'
import { exitCodes } from '../../vocabulary/index.ts'

const cli = resolve(import.meta.dirname, '../../assay.js')

interface Order {
  readonly times: number
  /** The checks of the runs, as flags. */
  readonly selection: readonly string[]
  readonly signal?: AbortSignal
}

export interface Killed {
  /** Milliseconds from the start of the run. */
  readonly atMs: number
  /** The names of the objects that the run made and that are left after the clean-up. */
  readonly left: readonly string[]
  /** The exit code of the clean-up. */
  readonly code: number | null
}

export async function killedRuns({ times, selection, signal }: Order): Promise<readonly Killed[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-kills-'))
  const server = await startReference({ testKeys: true })
  const before = namesOn(server)
  const assay = (args: readonly string[], killAfterMs?: number) =>
    ended(
      [...args, '--target', server.url, '--out', join(folder, 'out')],
      { PATH: process.env.PATH, ASSAY_TOKEN: server.rootToken, ASSAY_STATE_DIR: join(folder, 'state') },
      killAfterMs,
    )
  const killed: Killed[] = []
  try {
    const run = ['run', ...selection, '--format', 'json']
    const start = performance.now()
    if ((await assay(run)) === exitCodes.usage)
      throw new Error(`nothing can be killed: ${run.join(' ')} judges nothing`)
    const wholeMs = Math.ceil(performance.now() - start)
    for (let at = 0; at < times && !signal?.aborted; at++) {
      const atMs = randomInt(wholeMs)
      await assay(run, atMs)
      const code = await assay(['clean'])
      killed.push({ atMs, code, left: namesOn(server).filter((name) => !before.includes(name)) })
    }
  } finally {
    await server.close()
    rmSync(folder, { recursive: true })
  }
  return killed
}

const namesOn = (server: ReferenceServer): readonly string[] =>
  Object.entries(server.inventory()).flatMap(([kind, names]) => names.map((name) => `${kind} ${name}`))

/** Returns the exit code; null if the process was killed before it ended. */
function ended(args: readonly string[], env: NodeJS.ProcessEnv, killAfterMs?: number): Promise<number | null> {
  const child = spawn(process.execPath, [cli, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout.resume()
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  // The pipe is closed once the judging process has ended, too.
  return new Promise((done) =>
    child.once('close', (code) => {
      clearTimeout(timer)
      done(code)
    }),
  )
}
