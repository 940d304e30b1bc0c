import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../targets/usage-error.ts'

/** Creates the folder at the start, so that a run of an hour does not end with reports that cannot be written. */
export function prepareFolder(folder: string, flag = '--out'): void {
  try {
    if (folder.trim() === '') throw new UsageError(`${flag} is empty: name a folder of your own`)
    make(resolve(folder))
    accessSync(folder, constants.W_OK)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${flag} ${folder} cannot be written to (${code}): name a folder of your own`)
  }
}

/** Prepares the folder and locks it until the returned function is called: two runs would overwrite each other's
 * reports, and one would mistake the other's journal for that of a dead run. Also removes drafts that a killed process
 * left. Throws `UsageError` if another process holds the lock. */
export function holdFolder(folder: string): () => void {
  prepareFolder(folder)
  const release = lock(folder)
  for (const name of readdirSync(folder))
    if (draft.test(name)) rmSync(join(folder, name), { recursive: true, force: true })
  return release
}

/** The names of reports while they are being written. */
const draft = /\.[0-9a-f]{12}\.part$|^\.allure-[0-9a-f]{12}$/

class FolderUnwritable extends UsageError {}

/** Throws `UsageError` if another process holds the lock; the lock of a dead process is taken over. */
export function lock(folder: string, isRetry = false): () => void {
  const file = join(folder, 'assay.lock')
  try {
    writeFileSync(file, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
    return () => releaseLock(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') {
      releaseLock(file)
      throw new FolderUnwritable(`--out ${folder} cannot be written to (${code}): name another folder`)
    }
  }
  const holder = Number(readFileSync(file, 'utf8'))
  if (isRetry || isAlive(holder))
    throw new UsageError(
      `--out ${folder} is in use by another run (process ${holder}): name another folder, or wait until that run ends`,
    )
  rmSync(file, { force: true })
  return lock(folder, true)
}

/** Ignores errors: a lock that cannot be removed, such as on a disk that became read-only, must not cost a run its
 * verdict. The next run takes the lock over from the dead process. */
function releaseLock(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {}
}

/** Locks the folder for a clean-up, which never depends on writing: on a full or read-only disk it goes on without a
 * lock, unless another process holds it. */
export function lockIfWritable(folder: string): () => void {
  try {
    return lock(folder)
  } catch (error) {
    if (error instanceof FolderUnwritable) return () => {}
    throw error
  }
}

/** In a container, every run may have the same process id, so a lock with our own id belongs to a run that has
 * ended. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return !isDefunct(pid)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A zombie: killed, but listed until its parent waits for it. In a container the parent may be any program and never
 * wait. */
function isDefunct(pid: number): boolean {
  try {
    return /^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Creates a folder and its parents. Does not use the option `recursive`, which never returns below a place such as
 * /proc, where a folder's parent exists but nothing can be created. */
function make(folder: string, isRetry = false): void {
  try {
    // Reports show names and paths of the target, so other users of this machine must not read them.
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && isFolder(folder)) return
    if (code !== 'ENOENT' || isRetry || dirname(folder) === folder) throw error
    make(dirname(folder))
    make(folder, true)
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
