/** The files of plugins: where a command leads, and the digest of what lies there. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { badRequest } from '../../kernel/http/refusal.ts'

const refuse = (message: string): never => {
  throw badRequest(`could not set plugin, ${message}`)
}

/** Says nothing about what is there: a command that is written so as to leave the directory. */
export const leadsOut = (command: string): boolean =>
  command.startsWith('/') || command.split(/[/\\]/).includes('..') || command.includes('\0')

/** The file of a command, links followed. Refuses what is missing, no file, or not inside the directory. */
export async function fileOf(directory: string | undefined, command: string): Promise<string> {
  if (directory === undefined) return refuse('plugin directory is not configured')
  if (leadsOut(command)) return refuse(`path cannot leave the plugin directory: ${command}`)
  const root = await realpath(directory).catch(() => refuse('the configured plugin directory cannot be read'))
  const file = await realpath(join(root, command)).catch(() => refuse(`no such file: ${command}`))
  const below = relative(root, file)
  if (below === '' || below === '..' || below.startsWith(`..${sep}`))
    return refuse(`cannot execute files outside of configured plugin directory: ${command}`)
  // Devices and pipes have no content to compare, and reading them may never end.
  if (!(await stat(file)).isFile()) return refuse(`no regular file: ${command}`)
  return file
}

/** SHA-256 of a file, hexadecimal. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
