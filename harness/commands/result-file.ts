/** Reads a result.json that an earlier run wrote. */
import { readText } from '../safety/files.ts'
import { UsageError } from '../targets/usage-error.ts'
import { type ResultDocument, sizeBounds } from '../vocabulary/index.ts'
import { excessOf } from '../wire/reply.ts'

const { resultFile, resultDepth } = sizeBounds

/** Throws `UsageError` if the file is not a result. */
export async function readResult(file: string): Promise<ResultDocument> {
  let json: unknown
  try {
    const text = readText(file, { what: 'a result.json', most: resultFile.value, mend: 'give one that a run wrote' })
    const excess = excessOf(text, { depth: resultDepth.value, values: Number.POSITIVE_INFINITY })
    if (excess !== undefined) throw new UsageError(`${file} is ${excess}: give a result.json that a run wrote`)
    json = JSON.parse(text)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} is not JSON; give a result.json`)
  }
  const { validateResult } = await import('../../reports/formats.ts')
  const faults = validateResult(json)
  if (faults.length > 0) throw new UsageError(`${file} is not a result of assay: ${faults[0]}`)
  return json as ResultDocument
}
