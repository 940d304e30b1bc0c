/** The lock of an output folder: a file with the id and the start of the process that holds it. */
import { join } from 'node:path'
import { createFile, type Expected, findText, removeFile } from '../../safety/files.ts'
import { UsageError } from '../../targets/usage-error.ts'

const lockFile = 'assay.lock'

export class FolderUnwritable extends UsageError {}

/** Locks a folder until the returned function is called. Throws `UsageError` if another process holds the lock. The lock
 * of a process that has ended is taken over, with a word to the user. */
export function lock(folder: string, say: (text: string) => void): () => void {
  const file = join(folder, lockFile)
  if (!created(file, folder)) {
    const holder = heldBy(file, folder)
    if (holder !== undefined && isAlive(holder)) throw inUse(folder, holder.pid)
    const words = holder === undefined ? 'names no process' : `is of process ${holder.pid}, which has ended`
    say(`took over the lock of ${folder}: it ${words}`)
    removeFile(file)
    if (!created(file, folder)) throw inUse(folder, heldBy(file, folder)?.pid)
  }
  return () => release(file)
}

const inUse = (folder: string, pid: number | undefined): UsageError =>
  new UsageError(
    `--out ${folder} is in use by another run (process ${pid ?? 'unknown'}): name another folder, or wait until that run ends`,
  )

/** Returns false if the folder is locked already. */
function created(file: string, folder: string): boolean {
  try {
    createFile(file, `${process.pid} ${startOf(process.pid) ?? '-'}\n`)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    release(file)
    throw new FolderUnwritable(`--out ${folder} cannot be written to (${code}): name another folder`)
  }
}

/** Ignores errors: a lock that cannot be removed, such as on a disk that became read-only, must not cost a run its
 * verdict. The next run takes the lock over. */
function release(file: string): void {
  try {
    removeFile(file)
  } catch {}
}

interface Holder {
  readonly pid: number
  /** When the process started, in a form that only this machine understands. */
  readonly start: string | undefined
}

/** Returns undefined if the lock is gone or names no process, because it was cut off while it was written. */
function heldBy(file: string, folder: string): Holder | undefined {
  const expected: Expected = {
    ...{ what: 'a lock', most: 4096, own: true, mayBeEmpty: true },
    mend: `remove it if no run uses ${folder}, or name another folder with --out`,
  }
  const [, pid, start] = /^([1-9]\d{0,9})(?: (\S+))?\n?$/.exec(findText(file, expected) ?? '') ?? []
  return pid === undefined ? undefined : { pid: Number(pid), start: start === '-' ? undefined : start }
}

/** In a container, every run may have the same process id, so a lock with our own id belongs to a run that has ended.
 * A process with the same id that started at another moment is another process. */
function isAlive({ pid, start }: Holder): boolean {
  if (pid === process.pid || (start !== undefined && start !== startOf(pid))) return false
  try {
    process.kill(pid, 0)
    const [state] = fieldsOf(pid)
    // A system that told the start tells of every process, so one without a state has ended since the line before.
    return state === undefined ? start === undefined : !isDefunct(state)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A zombie: killed, but listed until its parent waits for it. In a container the parent may be any program and never
 * wait. */
const isDefunct = (state: string): boolean => /^[ZX]$/.test(state)

/** Returns the boot of the machine and the moment since then. Undefined on a system without /proc. */
function startOf(pid: number): string | undefined {
  const boot = system('/proc/sys/kernel/random/boot_id')?.trim()
  const moment = fieldsOf(pid)[19]
  return boot === undefined || moment === undefined ? undefined : `${boot}/${moment}`
}

/** Returns the fields after the name of the program, which may contain any character. */
const fieldsOf = (pid: number): readonly string[] =>
  /\) ([\s\S]+)$/.exec(system(`/proc/${pid}/stat`) ?? '')?.[1]?.split(' ') ?? []

function system(file: string): string | undefined {
  try {
    return findText(file, { what: 'a file of the system', most: 64 * 1024, mend: 'mount /proc' })
  } catch {
    return undefined
  }
}
