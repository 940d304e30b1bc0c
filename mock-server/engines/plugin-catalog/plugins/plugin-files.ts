/** Finds the file that a command names, and computes its digest. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { badRequest } from '../../../kernel/http/refusal.ts'

const refuse = (message: string): never => {
  throw badRequest(`could not set plugin, ${message}`)
}

/** Returns whether the text of a command leaves the directory. It does not look at files. */
export const leavesDirectory = (command: string): boolean =>
  command.startsWith('/') || command.split(/[/\\]/).includes('..') || command.includes('\0')

/** Returns the path of the file that a command names, with links resolved. Refuses a missing file, anything that is not
 * a regular file, and a file outside the directory. */
export async function fileOf(directory: string | undefined, command: string): Promise<string> {
  if (directory === undefined) return refuse('plugin directory is not configured')
  if (leavesDirectory(command)) return refuse(`path cannot leave the plugin directory: ${command}`)
  const root = await realpath(directory).catch(() => refuse('the configured plugin directory cannot be read'))
  const file = await realpath(join(root, command)).catch(() => refuse(`no such file: ${command}`))
  const below = relative(root, file)
  if (below === '' || below === '..' || below.startsWith(`..${sep}`))
    return refuse(`cannot execute files outside of configured plugin directory: ${command}`)
  // Devices and pipes have no content to compare, and reading them may never end.
  if (!(await stat(file)).isFile()) return refuse(`no regular file: ${command}`)
  return file
}

/** Returns the SHA-256 of a file, in hexadecimal. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
