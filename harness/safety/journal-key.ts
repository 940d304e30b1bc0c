/** The key that signs journals. It is made once per user and machine, and is kept outside every output folder, so that
 * a file which somebody else puts into an output folder does not pass for a journal of this user. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { createFile, FileFault, readText, removeFile } from './files.ts'

/** A prepared key object: a run signs thousands of lines, and passing the bytes each time takes four times as long. */
export type JournalKey = KeyObject
export type FoundKey = { readonly key: JournalKey } | { readonly unavailable: string }

const keyName = 'journal.key'
const keyBytes = 32

/** Returns the folder of this user's key: `ASSAY_STATE_DIR`, else `$XDG_STATE_HOME/assay`, else
 * `~/.local/state/assay`. */
export function stateFolderOf(env: NodeJS.ProcessEnv): string {
  if (env.ASSAY_STATE_DIR) return resolve(env.ASSAY_STATE_DIR)
  // The XDG Base Directory specification says that a relative path is invalid and must be ignored.
  const base = env.XDG_STATE_HOME && isAbsolute(env.XDG_STATE_HOME) ? env.XDG_STATE_HOME : undefined
  return join(base ?? join(env.HOME || homedir(), '.local', 'state'), 'assay')
}

/** Returns the key in a folder; `make` creates a missing one. Never throws: without a key that can be trusted, it
 * returns a sentence that says why. */
export function findKey(folder: string, make: 'make' | 'read' = 'read'): FoundKey {
  const file = join(folder, keyName)
  try {
    if (make === 'make') makeKey(folder, file)
    const unsafe = unsafeFolder(folder)
    return unsafe === undefined ? readKey(file) : { unavailable: unsafe }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { unavailable: `there is no key ${file}` }
    if (error instanceof FileFault) return { unavailable: error.message }
    return { unavailable: `${file} cannot be ${make === 'make' ? 'made or read' : 'read'} (${code ?? error})` }
  }
}

function makeKey(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (statSync(file, { throwIfNoEntry: false }) || unsafeFolder(folder) !== undefined) return
  // The file is written under another name and then linked, so that a process that starts at the same time never reads
  // half a key.
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    createFile(draft, `${randomBytes(keyBytes).toString('hex')}\n`)
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    removeFile(draft)
  }
}

/** The user id of this process. Undefined on Windows, which has neither owners nor modes in this sense. */
const owner = process.getuid?.()

function unsafeFolder(folder: string): string | undefined {
  const { uid, mode } = statSync(folder)
  if (owner === undefined) return undefined
  if (uid !== owner && uid !== 0) return `${folder} belongs to another user`
  return mode & 0o022 ? `${folder} can be written to by others: chmod 700 ${folder}` : undefined
}

function readKey(file: string): FoundKey {
  const mend = `delete it so that a new one is made, or chmod 600 ${file}`
  const expected = { what: 'a key', most: 2 * keyBytes + 2, mend, own: true, secret: true, mayBeEmpty: true }
  const hex = readText(file, expected).trim()
  return /^[0-9a-f]{64}$/.test(hex)
    ? { key: createSecretKey(hex, 'hex') }
    : { unavailable: `${file} does not hold a key: delete it so that a new one is made` }
}
