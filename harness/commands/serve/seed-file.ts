/** Reads the file with the initial state of the reference server. */
import { parse } from 'yaml'
import { readText } from '../../safety/files.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { sizeBounds } from '../../vocabulary/index.ts'

const parts = ['mounts', 'policies', 'users', 'roles', 'entities', 'tokens', 'writes', 'faults'] as const

/** Returns the options in a YAML or JSON file. Throws `UsageError`. */
export function seededOptions(file: string): Readonly<Partial<Record<(typeof parts)[number], never>>> {
  const most = sizeBounds.resultFile.value
  const text = readText(file, { what: 'a seed file', most, mend: 'fix the path', flag: '--seed-file' })
  let content: unknown
  try {
    content = parse(text)
  } catch (error) {
    throw new UsageError(`--seed-file ${file} cannot be read: ${(error as Error).message.split('\n')[0]}`)
  }
  const isMap = typeof content === 'object' && content !== null && !Array.isArray(content)
  const unknown = isMap
    ? Object.keys(content as object).find((name) => !parts.some((part) => part === name))
    : undefined
  if (!isMap || unknown !== undefined)
    throw new UsageError(
      `--seed-file ${file}: ${isMap ? `unknown key "${unknown}"` : 'it is not a map'}; known keys are ${parts.join(', ')}`,
    )
  return content as Readonly<Partial<Record<(typeof parts)[number], never>>>
}
