/** Reading a result.json that an earlier run wrote. */
import { readFileSync } from 'node:fs'
import { UsageError } from '../targets/usage-error.ts'
import type { ResultDocument } from '../vocabulary/index.ts'

/** Throws `UsageError` where the file is none. */
export async function readResult(file: string): Promise<ResultDocument> {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EISDIR') throw new UsageError(`${file} is a folder: give the result.json in it`)
    throw new UsageError(
      code
        ? `${file} cannot be read (${code}): give the path of a result.json`
        : `${file} is no JSON: give a result.json`,
    )
  }
  const { validateResult } = await import('../../reports/formats.ts')
  const faults = validateResult(json)
  if (faults.length > 0) throw new UsageError(`${file} is no result of assay: ${faults[0]}`)
  return json as ResultDocument
}
