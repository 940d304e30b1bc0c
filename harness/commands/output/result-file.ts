/** Reads a result.json that an earlier run wrote, and other files in a format of ours. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { readBytes, readText } from '../../safety/files.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { type ResultDocument, sizeBounds } from '../../vocabulary/index.ts'
import { excessOf } from '../../wire/reply.ts'

const { resultFile, resultDepth } = sizeBounds

export function bytesOfResult(file: string): Buffer {
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false
  const mend = isFolder ? `give ${join(file, 'result.json')}` : 'give one that a run wrote'
  return readBytes(file, { what: 'a result.json', most: resultFile.value, mend })
}

/** Throws `UsageError` if the file is not a result. */
export const readResult = async (file: string): Promise<ResultDocument> => resultIn(bytesOfResult(file), file)

/** Returns the result in the bytes of a file, which is named in faults. */
export async function resultIn(bytes: Buffer, file: string): Promise<ResultDocument> {
  const text = bytes.toString('utf8')
  const excess = excessOf(text, { depth: resultDepth.value, values: Number.POSITIVE_INFINITY })
  if (excess !== undefined) throw new UsageError(`${file} is ${excess}: give a result.json that a run wrote`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new UsageError(`${file} is not JSON; give a result.json`)
  }
  const { validateResult } = await import('../../../reports/formats.ts')
  const faults = validateResult(json)
  if (faults.length > 0) throw new UsageError(`${file} is not a result of assay: ${faults[0]}`)
  return json as ResultDocument
}

/** Returns what a file contains in the format that `parse` reads. Throws `UsageError` if it is something else. */
export function parsedFile<T>(file: string, what: string, mend: string, parse: (text: string) => T): T {
  const text = readText(file, { what, most: resultFile.value, mend })
  try {
    return parse(text)
  } catch (error) {
    throw new UsageError(`${file} is not ${what} (${(error as Error).message}): ${mend}`)
  }
}
