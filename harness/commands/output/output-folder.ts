import { accessSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { removeFolder } from '../../safety/files.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { FolderUnwritable, lock } from './folder-lock.ts'

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
export function holdFolder(folder: string, say: (text: string) => void): () => void {
  prepareFolder(folder)
  const release = lock(folder, say)
  for (const name of readdirSync(folder)) if (draft.test(name)) removeFolder(join(folder, name))
  return release
}

/** The names of reports while they are being written. */
const draft = /\.[0-9a-f]{12}\.part$|^\.allure-[0-9a-f]{12}$/

/** Locks the folder for a clean-up, which never depends on writing: on a full or read-only disk it goes on without a
 * lock, unless another process holds it. */
export function lockIfWritable(folder: string, say: (text: string) => void): () => void {
  try {
    return lock(folder, say)
  } catch (error) {
    if (error instanceof FolderUnwritable) return () => {}
    throw error
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
