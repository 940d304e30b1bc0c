/** The key that signs journals. It is made once per user and machine, and is kept outside every output folder, so that
 * a file which somebody else puts into an output folder does not pass for a journal of this user. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

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
    if (code === 'ELOOP') return { unavailable: `${file} is a symbolic link: put the key file itself there` }
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
    writeFileSync(draft, `${randomBytes(keyBytes).toString('hex')}\n`, { flag: 'wx', mode: 0o600 })
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
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
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) return { unavailable: `${file} is not a regular file` }
    if (owner !== undefined && stat.uid !== owner) return { unavailable: `${file} belongs to another user` }
    if (owner !== undefined && stat.mode & 0o077)
      return { unavailable: `${file} can be read by others: chmod 600 ${file}, or delete it so that a new one is made` }
    const text = Buffer.alloc(2 * keyBytes + 2)
    const hex = text.toString('latin1', 0, readSync(descriptor, text)).trim()
    if (stat.size > text.length || !/^[0-9a-f]{64}$/.test(hex))
      return { unavailable: `${file} does not hold a key: delete it so that a new one is made` }
    return { key: createSecretKey(hex, 'hex') }
  } finally {
    closeSync(descriptor)
  }
}
