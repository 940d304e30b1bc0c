/** Reads the file with the initial state of the reference server. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { UsageError } from '../../targets/usage-error.ts'

const parts = ['mounts', 'policies', 'users', 'roles', 'entities', 'tokens', 'writes', 'faults'] as const

/** Returns the options in a YAML or JSON file. Throws `UsageError`. */
export function seededOptions(file: string): Readonly<Partial<Record<(typeof parts)[number], never>>> {
  let content: unknown
  try {
    content = parse(readFileSync(file, 'utf8'))
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
