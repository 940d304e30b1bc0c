/** Starts vitest inside another program: with threads that are not isolated, and without output, configuration file
 * and signal listeners. */
import { accessSync, constants, existsSync, mkdtempSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { BaseSequencer, createVitest } from 'vitest/node'

type Options = NonNullable<Parameters<typeof createVitest>[1]>
export type Vitest = Awaited<ReturnType<typeof createVitest>>

const here = import.meta.url
const packageRoot = fileURLToPath(new URL(here.endsWith('.ts') ? '../..' : '../../..', here))

/** The default: with one worker, all topics share one session with its connections, locks and secrets. */
const oneWorker: Options = { pool: 'threads', isolate: false, maxWorkers: 1 }

/** Starts vitest. The package is loaded only by the first call, because commands that judge nothing work without it. */
export const quietVitest = async (options: Options): Promise<Vitest> => {
  const { BaseSequencer, createVitest } = await import('vitest/node')
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
        // Node itself loads the topics, so that its compile cache works in the workers, too.
        experimental: { viteModuleRunner: false, nodeLoader: false },
        env: cacheOfCompiled(),
        sequence: { sequencer: keepingOrder(BaseSequencer, options.include ?? []) },
        ...options,
      },
      {},
      { stdout: silence(), stderr: silence() },
    ),
  )
}

/** Runs files in the order in which they are included. By itself, vitest runs the largest first, so that an area begins and
 * ends many times: what its checks share would be taken back, or grow old, in between. */
const keepingOrder = (sequencer: typeof BaseSequencer, included: readonly string[]): typeof BaseSequencer =>
  class extends sequencer {
    override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
      return files.toSorted((one, other) => included.indexOf(one.moduleId) - included.indexOf(other.moduleId))
    }
  }

/** A thread uses the compile cache only if its environment names the folder. */
function cacheOfCompiled(): Record<string, string> {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/** Sets `XDG_DATA_HOME` to a temporary folder if none of the places is writable. vitest stores a token for its web
 * pages in the user's home or in `node_modules`, and does not start without it. In a container, both may be
 * read-only. */
export function haveDataFolder(env = process.env, places = [homedir(), join(packageRoot, 'node_modules')]): void {
  if (env.XDG_DATA_HOME === undefined && !places.some(isWritable))
    env.XDG_DATA_HOME = mkdtempSync(join(tmpdir(), 'assay-vitest-'))
}

/** Tells whether a folder is writable or, if it does not exist, can be created. */
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

/** Removes the listeners with which vitest ends the process on signals and unhandled rejections. The program that
 * started it has to clean up first. */
async function withoutNewListeners<T>(start: () => Promise<T>): Promise<T> {
  const before = listened.map((event) => new Set(process.rawListeners(event)))
  const started = await start()
  for (const [index, event] of listened.entries())
    for (const listener of process.rawListeners(event))
      if (!before[index]?.has(listener)) process.removeListener(event, listener as () => void)
  return started
}

const silence = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() })
