/** vitest inside another program: threads that keep what they load, no output, no configuration file, no listeners. */
import { accessSync, constants, existsSync, mkdtempSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { createVitest } from 'vitest/node'

type Options = NonNullable<Parameters<typeof createVitest>[1]>
export type Vitest = Awaited<ReturnType<typeof createVitest>>

const here = import.meta.url
const packageRoot = fileURLToPath(new URL(here.endsWith('.ts') ? '../..' : '../../..', here))

/** Unless told otherwise, all topics share one session: its connections, locks and secrets. */
const oneWorker: Options = { pool: 'threads', isolate: false, maxWorkers: 1 }

/** vitest is loaded with the first call: what only plans or reads works without it. */
export const quietVitest = async (options: Options): Promise<Vitest> => {
  const { createVitest } = await import('vitest/node')
  haveDataFolder()
  return withoutNewListeners(() =>
    createVitest(
      'test',
      {
        ...oneWorker,
        config: false,
        root: packageRoot,
        exclude: [],
        watch: false,
        passWithNoTests: true,
        includeTaskLocation: false,
        // Node itself loads the topics, and keeps what it has compiled, as in the process that starts the workers.
        experimental: { viteModuleRunner: false, nodeLoader: false },
        env: cacheOfCompiled(),
        ...options,
      },
      {},
      { stdout: silence(), stderr: silence() },
    ),
  )
}

/** A thread keeps what it compiles only where its environment names the folder. */
function cacheOfCompiled(): Record<string, string> {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/** vitest keeps a token for its pages in the home of the user, or else beside itself, and starts nowhere without it. No run
 * has such pages, and in a container both places may be read-only. */
export function haveDataFolder(env = process.env, places = [homedir(), join(packageRoot, 'node_modules')]): void {
  if (env.XDG_DATA_HOME === undefined && !places.some(isWritable))
    env.XDG_DATA_HOME = mkdtempSync(join(tmpdir(), 'assay-vitest-'))
}

/** Tells whether something can be made in a folder, or in the folder that it would be made in. */
function isWritable(folder: string): boolean {
  const nearest = existsSync(folder) ? folder : dirname(folder)
  try {
    accessSync(nearest, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const listened = ['SIGINT', 'SIGTERM', 'exit', 'unhandledRejection'] as const

/** vitest ends the process on signals and unhandled rejections. The program that started it has to decide that itself,
 * because it must first take back what the checks made. */
async function withoutNewListeners<T>(start: () => Promise<T>): Promise<T> {
  const before = listened.map((event) => new Set(process.rawListeners(event)))
  const started = await start()
  for (const [index, event] of listened.entries())
    for (const listener of process.rawListeners(event))
      if (!before[index]?.has(listener)) process.removeListener(event, listener as () => void)
  return started
}

const silence = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() })
