/** The door to files: every file that a user names, and every file of an output folder, is opened here. A file that
 * somebody else put there must neither hang the run, as a named pipe would, nor redirect what it writes. Each fault is
 * one sentence that names the file and what to do. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { UsageError } from '../targets/usage-error.ts'

/** What a file has to be before it is read. */
export interface Expected {
  /** For messages, such as "a profile". */
  readonly what: string
  /** The largest size in bytes. */
  readonly most: number
  /** What the user can do, such as "give the path of a profile". */
  readonly mend: string
  /** True for files that Assay writes itself: they are not symbolic links and belong to this user. A file that the user
   * names may be a link, because Kubernetes mounts configuration and secrets as links. */
  readonly own?: boolean
  /** True for a secret of this user, which nobody else may read. */
  readonly secret?: boolean
  /** True if a file without content has a meaning. */
  readonly mayBeEmpty?: boolean
  /** The flag that names the file. */
  readonly flag?: string
}

/** A file cannot be opened, or is not what was expected. */
export class FileFault extends UsageError {
  /** The message without the name of the file. */
  readonly words: string
  readonly code: string | undefined
  constructor(file: string, words: string, code?: string) {
    super(`${file} ${words}`)
    this.words = words
    this.code = code
  }
}

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants

/** Reads a whole file. Throws `FileFault`. */
export function readBytes(file: string, expected: Expected): Buffer {
  const { what, most, mend, own = false, secret = false, mayBeEmpty = false, flag } = expected
  const named = flag === undefined ? file : `${flag} ${file}`
  const fault = (words: string, code?: string) => new FileFault(named, `${words}: ${mend}`, code)
  const descriptor = opened(file, O_RDONLY | (own ? O_NOFOLLOW : 0), what, fault)
  try {
    const stat = fstatSync(descriptor)
    assertRegular(stat, what, own, fault)
    if (secret) assertSecret(stat, fault)
    const tooLarge = (size: number) => fault(`has ${size} bytes, but ${what} has at most ${most}`)
    if (stat.size > most) throw tooLarge(stat.size)
    const content = contentOf(descriptor, stat.size, most)
    if (content.length > most) throw tooLarge(content.length)
    if (content.length === 0 && !mayBeEmpty) throw fault('is empty')
    return content
  } catch (error) {
    throw error instanceof FileFault ? error : fault(`cannot be read (${codeOf(error)})`, codeOf(error))
  } finally {
    closeSync(descriptor)
  }
}

export const readText = (file: string, expected: Expected): string => readBytes(file, expected).toString('utf8')

/** Returns the content of a file that may be missing. */
export function findText(file: string, expected: Expected): string | undefined {
  try {
    return readText(file, expected)
  } catch (error) {
    if (error instanceof FileFault && error.code === 'ENOENT') return undefined
    throw error
  }
}

const beginning = 256 * 1024

/** Returns the beginning of a file, where the marks of all our reports are; empty if there is no regular file that can
 * be read. */
export function beginningOf(file: string): string {
  const fault = (words: string) => new FileFault(file, words)
  let descriptor: number | undefined
  try {
    descriptor = opened(file, O_RDONLY | O_NOFOLLOW, 'a report', fault)
    assertRegular(fstatSync(descriptor), 'a report', false, fault)
    return contentOf(descriptor, beginning - 1, beginning - 1).toString('utf8')
  } catch {
    return ''
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

export interface Appending {
  append(text: string): void
  close(): void
}

/** Opens a file of an output folder for appending, and creates it if it is missing. Throws the error of the operating
 * system, or `FileFault`. */
export function openForAppending(file: string, what: string): Appending {
  const fault = (words: string, code?: string) => new FileFault(file, words, code)
  const descriptor = opened(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, what, fault, 0o600)
  try {
    assertRegular(fstatSync(descriptor), what, true, fault)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return {
    append(text) {
      // A disk that fills up accepts a part first, and fails at the next call.
      for (let bytes = Buffer.from(text); bytes.length > 0; ) bytes = bytes.subarray(writeSync(descriptor, bytes))
    },
    close: () => closeSync(descriptor),
  }
}

/** Creates a file; fails with `EEXIST` if there is anything of this name, even a dangling link. */
export const createFile = (file: string, content: string, mode = 0o600): void =>
  writeFileSync(file, content, { flag: 'wx', mode })

/** Writes a file under a temporary name, and then gives it its own, so that no reader sees half a file and an earlier
 * one stays if the disk is full. */
export function replaceFile(file: string, content: string, mode = 0o600): void {
  const draft = draftName(file)
  try {
    createFile(draft, content, mode)
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

export interface Disk {
  readonly open: typeof open
}

/** A file that is complete on the disk, under a temporary name beside its own. */
export interface Draft {
  /** Gives the file its own name, in place of an earlier one. */
  commit(): void
  discard(): void
}

/** Writes a large file in parts, without blocking the thread, and waits until the disk has it. */
export async function draftFile(
  file: string,
  content: Parameters<FileHandle['writeFile']>[0],
  { mode = 0o600, disk = { open } }: { readonly mode?: number; readonly disk?: Disk } = {},
): Promise<Draft> {
  const draft = draftName(file)
  const discard = () => removeFile(draft)
  try {
    const handle = await disk.open(draft, 'wx', mode)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    discard()
    throw error
  }
  return { commit: () => moveFile(draft, file), discard }
}

const draftName = (file: string): string => `${file}.${randomBytes(6).toString('hex')}.part`

/** Also moves a folder. Replaces a file of the new name. */
export const moveFile = (from: string, to: string): void => renameSync(from, to)

export const removeFile = (file: string): void => rmSync(file, { force: true })

/** Also removes a file; a symbolic link itself, and not what it leads to. */
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

type Fault = (words: string, code?: string) => FileFault

function opened(file: string, flags: number, what: string, fault: Fault, mode?: number): number {
  try {
    return openSync(file, flags | O_NONBLOCK | O_NOCTTY, mode)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ELOOP') throw fault(`is a symbolic link, not ${what}`, code)
    if (code === 'EISDIR') throw fault(`is a folder, not ${what}`, code)
    // What a socket answers, and a named pipe that nobody reads.
    if (code === 'ENXIO') throw fault(`is a socket, a pipe or a device, not ${what}`, code)
    if ((flags & O_CREAT) !== 0) throw error
    throw fault(`cannot be read (${code})`, code)
  }
}

function assertRegular(stat: Stats, what: string, own: boolean, fault: Fault): void {
  const kind = kindOf(stat)
  if (kind !== undefined) throw fault(`is ${kind}, not ${what}`)
  if (own && !isOurs(stat)) throw fault('belongs to another user')
}

function assertSecret({ uid, mode }: Stats, fault: Fault): void {
  const owner = process.getuid?.()
  if (owner === undefined) return
  if (uid !== owner) throw fault('belongs to another user')
  if (mode & 0o077) throw fault('can be read by others')
}

function kindOf(stat: Stats): string | undefined {
  if (stat.isFile()) return undefined
  if (stat.isDirectory()) return 'a folder'
  if (stat.isFIFO()) return 'a named pipe'
  return stat.isSocket() ? 'a socket' : 'a device'
}

/** Windows has no owners in this sense, and root may read everything. */
function isOurs({ uid }: Stats): boolean {
  const owner = process.getuid?.()
  return owner === undefined || owner === 0 || uid === owner || uid === 0
}

/** Reads at most one byte more than `most`: the size of a file below /proc is 0, and a file may grow. */
function contentOf(descriptor: number, size: number, most: number): Buffer {
  const parts: Buffer[] = []
  let length = 0
  for (let room = size + 1; length <= most; room = 64 * 1024) {
    const part = Buffer.allocUnsafe(Math.min(room, most + 1 - length))
    const count = readSync(descriptor, part)
    if (count === 0) break
    parts.push(part.subarray(0, count))
    length += count
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error)
