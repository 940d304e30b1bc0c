/** Reads a result.json that an earlier run wrote. */
import { readFileSync, statSync } from 'node:fs'
import { UsageError } from '../targets/usage-error.ts'
import { type ResultDocument, sizeBounds } from '../vocabulary/index.ts'
import { excessOf } from '../wire/reply.ts'

const { resultFile, resultDepth } = sizeBounds

/** Throws `UsageError` if the file is not a result. */
export async function readResult(file: string): Promise<ResultDocument> {
  let json: unknown
  try {
    const { size } = statSync(file)
    if (size > resultFile.value)
      throw new UsageError(
        `${file} has ${size} bytes, but a result.json has at most ${resultFile.value}: give another file`,
      )
    const text = readFileSync(file, 'utf8')
    const excess = excessOf(text, { depth: resultDepth.value, values: Number.POSITIVE_INFINITY })
    if (excess !== undefined) throw new UsageError(`${file} is ${excess}: give a result.json that a run wrote`)
    json = JSON.parse(text)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EISDIR') throw new UsageError(`${file} is a folder: give the result.json in it`)
    throw new UsageError(
      code
        ? `${file} cannot be read (${code}): give the path of a result.json`
        : `${file} is not JSON; give a result.json`,
    )
  }
  const { validateResult } = await import('../../reports/formats.ts')
  const faults = validateResult(json)
  if (faults.length > 0) throw new UsageError(`${file} is not a result of assay: ${faults[0]}`)
  return json as ResultDocument
}
