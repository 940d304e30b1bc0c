/** Opens the files of a folder of reports: never a symbolic link, and without waiting for a named pipe. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** Returns the first 256 KiB, where all marks of our reports are; empty if there is no regular file that can be read. */
export async function beginningOf(file: string): Promise<string> {
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined)
  try {
    if (!(await handle?.stat())?.isFile()) return ''
    const { buffer, bytesRead } = (await handle?.read(Buffer.alloc(262_144), 0, 262_144)) ?? { bytesRead: 0 }
    return buffer?.toString('utf8', 0, bytesRead) ?? ''
  } catch {
    return ''
  } finally {
    await handle?.close()
  }
}

/** Writes a file under a temporary name, and then gives it its own. Only the current account can read it. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(text)
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}
