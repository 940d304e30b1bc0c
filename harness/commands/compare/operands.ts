/** Reads the operands of `compare`: results, compact results, and folders with one of them. Targets are judged
 * first. */
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { reasonsIn } from '../../acceptance/known.ts'
import { compactOf } from '../../compare/compact.ts'
import { faultOfCompact } from '../../compare/compact-text.ts'
import type { Compared } from '../../compare/comparison.ts'
import { readText } from '../../safety/files.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { type CompactResult, compactSchemaId, sizeBounds } from '../../vocabulary/index.ts'
import { readResult } from '../output/result-file.ts'

export const isProfile = (operand: string): boolean => /\.ya?ml$/.test(operand)
export const isLive = (operand: string): boolean => /^https?:\/\//.test(operand) || isProfile(operand)

/** Throws `UsageError` if the operand is neither a result nor a folder with one. A list of known deviations beside the
 * result provides the reasons. */
export async function readOperand(operand: string): Promise<Compared> {
  const file = fileOf(operand)
  const known = join(dirname(file), 'known.yaml')
  const reasons = existsSync(known) ? { reasons: reasonsIn(known) } : {}
  if (isCompact(file)) return { result: readCompact(file), ...reasons }
  const document = await readResult(file)
  return { result: compactOf(document), document, ...reasons }
}

function fileOf(operand: string): string {
  if (!statSync(operand, { throwIfNoEntry: false })?.isDirectory()) return operand
  const file = ['result.json', 'compact.json'].map((name) => join(operand, name)).find((one) => existsSync(one))
  if (file) return file
  throw new UsageError(`${operand} has no result.json and no compact.json: give the folder of a run`)
}

const textOf = (file: string): string =>
  readText(file, { what: 'a result', most: sizeBounds.resultFile.value, mend: 'give one that a run wrote' })

/** Looks only at the first characters, because a full result may have many megabytes. */
function isCompact(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size > sizeBounds.resultFile.value) return false
  return textOf(file).slice(0, 200).includes(`"${compactSchemaId}"`)
}

function readCompact(file: string): CompactResult {
  let json: unknown
  try {
    json = JSON.parse(textOf(file))
  } catch {
    throw new UsageError(`${file} is not JSON: give a compact.json as "assay compact" wrote it`)
  }
  const fault = faultOfCompact(json)
  if (fault) throw new UsageError(`${file} is not a compact result: ${fault}`)
  return json as CompactResult
}
