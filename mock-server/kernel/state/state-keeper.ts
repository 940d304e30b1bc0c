/** Saves the state of a server in a file as it changes. */
import { readdirSync, rmSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { rewriteState } from './rewrite-state.ts'
import { type Change, copyOf, type Json, update } from './state-changes.ts'
import { lineOf, snapshotOf } from './state-file.ts'

type State = Readonly<Record<string, unknown>>

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

/** Milliseconds between a change and the moment when saving begins, unless changes are saved before they are answered:
 * three times as long as comparing the state took last time. Together they stay below `longest`, so that the disk has
 * the rest of 200 ms. */
const pauses = { shortest: 10, timesTaken: 3, longest: 150, afterFailure: 1000 } as const
const pauseAfter = (taken: number): number =>
  Math.max(pauses.shortest, Math.min(taken * pauses.timesTaken, pauses.longest - taken))

/** Once the lines with changes are longer than this and than the first line, the whole state is written anew. */
const leastChanges = 4 * 2 ** 20

export interface StateKeeper {
  /** Must be called after each change. In a durable keeper, the result resolves when the change is on disk, and rejects if it
   * cannot be written. Otherwise the change is saved soon, and `changed` throws while the file cannot be written. */
  changed(): Promise<void> | undefined
  /** Resolves when all changes are saved. */
  flush(): Promise<void>
  /** Saves all changes. Later changes are not saved. */
  close(): Promise<void>
}

/** A file with the whole state as its first line. */
interface Whole {
  readonly handle: FileHandle
  readonly size: number
  /** The sum of its last line. */
  sum: string
}

/** A file that is being written to replace the present one. */
interface Successor {
  /** The changes since the rewriting began. They are in the present file as well. */
  readonly changes: Change[]
  readonly written: Promise<Whole>
  isWritten: boolean
}

/** The state in its file. Each call must wait for the one before. */
class Saved {
  readonly #file: string
  readonly #snapshot: () => State
  /** A copy of what the file contains. */
  #kept: Json = {}
  #present: Whole | undefined
  #appended = 0
  #successor: Successor | undefined

  constructor(file: string, snapshot: () => State) {
    this.#file = file
    this.#snapshot = snapshot
  }

  /** Saves what has changed since the last call, and returns the milliseconds that it took to find out. */
  async save(): Promise<number> {
    try {
      if (!this.#present || !(await this.#isInPlace(this.#present))) return await this.#saveWhole()
      if (this.#successor?.isWritten) await this.#succeed(await this.#successor.written, this.#successor.changes)
      return await this.#append(this.#present)
    } catch (error) {
      await this.close()
      throw unwritable(this.#file, error)
    }
  }

  async close(): Promise<void> {
    const [present, successor] = [this.#present, this.#successor]
    this.#present = undefined
    this.#successor = undefined
    await present?.handle.close()
    if (!successor) return
    await successor.written.then(({ handle }) => handle.close()).catch(() => {})
    await rm(this.#beside, { force: true }).catch(() => {})
  }

  get #beside(): string {
    return `${this.#file}.tmp`
  }

  async #append(present: Whole): Promise<number> {
    const began = performance.now()
    const change = update(this.#kept, this.#snapshot())
    const taken = performance.now() - began
    if (!change) return taken
    this.#appended += await this.#add(present, [change])
    this.#successor?.changes.push(change)
    if (this.#appended > Math.max(leastChanges, present.size)) this.#successor ??= this.#makeSuccessor(present)
    return taken
  }

  /** Adds changes to the end of a file, and returns how many bytes they take. */
  async #add(to: Whole, changes: readonly Change[]): Promise<number> {
    let text = ''
    for (const change of changes) {
      const { line, sum } = lineOf(change, to.sum)
      text += line
      to.sum = sum
    }
    await to.handle.writeFile(text)
    await to.handle.datasync()
    return Buffer.byteLength(text)
  }

  async #saveWhole(): Promise<number> {
    await this.close()
    const began = performance.now()
    this.#kept = copyOf(this.#snapshot())
    const taken = performance.now() - began
    await rm(this.#beside, { force: true })
    const { text, sum } = snapshotOf(this.#kept as State)
    // Opening fails if another process has created a file or a link of that name meanwhile.
    const handle = await open(this.#beside, 'wx', 0o600)
    const whole = { handle, size: Buffer.byteLength(text), sum }
    try {
      await handle.writeFile(text)
      await handle.sync()
      await this.#succeed(whole, [])
    } catch (error) {
      await handle.close()
      await rm(this.#beside, { force: true })
      throw error
    }
    return taken
  }

  /** Begins a new file beside the present one. Renaming it later means that a crash leaves either the one or the other. */
  #makeSuccessor({ size }: Whole): Successor {
    const write = async (): Promise<Whole> => {
      await rm(this.#beside, { force: true })
      const order = { from: this.#file, size: size + this.#appended, to: this.#beside }
      const written = await rewriteState(order)
      return { ...written, handle: await open(this.#beside, 'a') }
    }
    const successor: Successor = { changes: [], written: write(), isWritten: false }
    const isOver = () => {
      successor.isWritten = true
    }
    successor.written.then(isOver, isOver)
    return successor
  }

  async #succeed(next: Whole, changes: readonly Change[]): Promise<void> {
    this.#appended = changes.length > 0 ? await this.#add(next, changes) : 0
    await rename(this.#beside, this.#file)
    const folder = await open(dirname(this.#file))
    await folder.sync().finally(() => folder.close())
    await this.#present?.handle.close()
    this.#present = next
    this.#successor = undefined
  }

  /** Returns false if the file was moved or deleted, so that it must be written again. */
  async #isInPlace({ handle }: Whole): Promise<boolean> {
    const [there, own] = await Promise.all([stat(this.#file).catch(() => undefined), handle.stat()])
    return there?.ino === own.ino && there.dev === own.dev
  }
}

/** Writes the state at once, so that an unwritable path is noticed at the start. */
export async function keepState(file: string, snapshot: () => State, isDurable = false): Promise<StateKeeper> {
  const saved = new Saved(file, snapshot)
  let isDirty = false
  let isClosed = false
  let waiting: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let failure: Error | undefined
  let pause: number = pauses.shortest
  /** The moment of the first change that no writing contains. */
  let dirtySince = 0
  /** The changes that the next writing will save. */
  let group: PromiseWithResolvers<void> | undefined

  async function write(): Promise<void> {
    const saving = group
    group = undefined
    isDirty = false
    try {
      const taken = await saved.save()
      pause = isDurable ? 0 : pauseAfter(taken)
      failure = undefined
      saving?.resolve()
    } catch (error) {
      isDirty = true
      pause = pauses.afterFailure
      failure = error as Error
      saving?.reject(error)
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
    // The error reaches the requests that wait for this group, or else the next call of `changed`.
    const waited = failure ? 0 : performance.now() - dirtySince
    waiting = setTimeout(() => void start().catch(() => {}), Math.max(0, pause - waited)).unref()
  }

  async function flush(): Promise<void> {
    await writing?.catch(() => {})
    while (isDirty) await (writing ?? start())
  }

  function joinGroup(): Promise<void> {
    if (!group) {
      group = Promise.withResolvers<void>()
      // A caller may ignore the result.
      group.promise.catch(() => {})
    }
    return group.promise
  }

  try {
    removeUnfinished(file)
  } catch (error) {
    throw unwritable(file, error)
  }
  await write()
  return {
    changed() {
      if (!isDirty) dirtySince = performance.now()
      isDirty = true
      const result = isDurable ? joinGroup() : undefined
      schedule()
      if (failure && !isDurable) throw failure
      return result
    },
    flush,
    async close() {
      isClosed = true
      clearTimeout(waiting)
      waiting = undefined
      isDirty = true
      await flush().finally(() => saved.close())
    },
  }
}
