import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const schema = 'assay/state/1'

interface StateFile {
  readonly schema: typeof schema
  /** The SHA-256 of the JSON of `state`. A file that was truncated or edited is refused. */
  readonly sum: string
  readonly state: Readonly<Record<string, unknown>>
}

const sumOf = (json: string): string => createHash('sha256').update(json).digest('hex')

const isStateFile = (value: unknown): value is StateFile =>
  typeof value === 'object' && value !== null && 'schema' in value && value.schema === schema && 'state' in value

function refuse(file: string, reason: string): never {
  throw new Error(`state file ${file} ${reason}; it was not changed: move it away, or name another file`)
}

/** Reads the state from a file. Returns undefined if the file does not exist. Throws an error with the name of the file
 * if it cannot be used. */
export function readState(file: string): StateFile['state'] | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return refuse(file, `cannot be read (${(error as Error).message})`)
  }
  return parseState(text, (reason) => refuse(file, reason))
}

/** Reads the text of a state file. Calls `refused` with the reason if it cannot be used. */
export function parseState(text: string, refused: (reason: string) => never): StateFile['state'] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return refused('is corrupt: it is not JSON')
  }
  if (!isStateFile(parsed)) return refused(`is not a state of this server (${schema})`)
  if (sumOf(JSON.stringify(parsed.state)) !== parsed.sum) return refused('is corrupt: its checksum does not match')
  return parsed.state
}

/** Returns the text of a state file. */
export const textOf = (state: StateFile['state']): string => {
  const json = JSON.stringify(state)
  return `{"schema":"${schema}","sum":"${sumOf(json)}","state":${json}}\n`
}

const unwritable = (file: string, error: unknown): Error =>
  new Error(`state file ${file} cannot be written: ${(error as Error).message}; free space or fix the path`)

/** Removes unfinished copies of a server that was killed, because they contain secrets. Throws if a copy cannot be
 * removed. */
function removeUnfinished(file: string): void {
  const name = basename(file)
  for (const entry of readdirSync(dirname(file), { withFileTypes: true })) {
    const isUnfinished = entry.name.startsWith(`${name}.`) && /^\.(\d+\.)?tmp$/.test(entry.name.slice(name.length))
    if (isUnfinished && !entry.isDirectory()) rmSync(join(dirname(file), entry.name))
  }
}

/** Writes a new file beside the old one and renames it, so that a crash leaves either the old or the new file. */
async function replace(file: string, text: string): Promise<void> {
  const beside = `${file}.tmp`
  try {
    await rm(beside, { force: true })
    // Opening fails if another process has created a file or a link of that name meanwhile.
    const written = await open(beside, 'wx', 0o600)
    try {
      await written.writeFile(text)
      await written.sync()
    } finally {
      await written.close()
    }
    await rename(beside, file)
    const folder = await open(dirname(file))
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {})
    throw unwritable(file, error)
  }
}

/** The pause between two snapshots is `timesTaken` times as long as the last snapshot took, within these bounds in
 * milliseconds. A snapshot blocks requests, so large states are written less often. */
const pauses = { shortest: 10, timesTaken: 9, longest: 5000, afterFailure: 1000 } as const

/** Saves a state as snapshots at intervals. A snapshot includes all changes since the last one. */
export interface StateKeeper {
  /** Must be called after each change. The change is saved soon. Throws while the file cannot be written. */
  changed(): void
  /** Resolves when all changes are saved. */
  flush(): Promise<void>
  /** Saves all changes. Later changes are not saved. */
  close(): Promise<void>
}

/** Writes the state at once, so that an unwritable path is noticed at the start. */
export async function keepState(file: string, snapshot: () => StateFile['state']): Promise<StateKeeper> {
  let isDirty = false
  let isClosed = false
  let waiting: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let failure: Error | undefined
  let pause: number = pauses.shortest

  async function write(): Promise<void> {
    isDirty = false
    const began = performance.now()
    const text = textOf(snapshot())
    const taken = performance.now() - began
    pause = Math.min(Math.max(taken * pauses.timesTaken, pauses.shortest), pauses.longest)
    try {
      await replace(file, text)
      failure = undefined
    } catch (error) {
      isDirty = true
      pause = pauses.afterFailure
      failure = error as Error
      throw error
    }
  }

  function start(): Promise<void> {
    clearTimeout(waiting)
    waiting = undefined
    writing = write().finally(() => {
      writing = undefined
      if (isDirty) schedule()
    })
    return writing
  }

  function schedule(): void {
    if (waiting || writing || isClosed) return
    // The next call of `changed` throws the error, so the next request that changes something is refused.
    waiting = setTimeout(() => void start().catch(() => {}), pause).unref()
  }

  async function flush(): Promise<void> {
    await writing?.catch(() => {})
    while (isDirty) await (writing ?? start())
  }

  try {
    removeUnfinished(file)
  } catch (error) {
    throw unwritable(file, error)
  }
  await write()
  return {
    changed() {
      isDirty = true
      schedule()
      if (failure) throw failure
    },
    flush,
    async close() {
      isClosed = true
      clearTimeout(waiting)
      waiting = undefined
      isDirty = true
      await flush()
    },
  }
}
