/** Judges a target that is to be compared. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../targets/usage-error.ts'
import type { CompareFlags } from '../compare.ts'
import type { Terminal } from '../terminal.ts'

/** Returns the folder of the result. The token of one target is never sent to another, so each has a variable of its own.
 * Throws `UsageError` where the run came to no result. */
export async function judgeOperand(
  operand: string,
  index: number,
  { area, check, level, jobs, out }: CompareFlags,
  terminal: Terminal,
): Promise<string> {
  const { conduct } = await import('../run/conduct-run.ts')
  const folder = join(out, String(index + 1))
  rmSync(join(folder, 'result.json'), { force: true })
  const { ASSAY_TOKEN: _, ...env } = terminal.env
  const token = env[`ASSAY_TOKEN_${index + 1}`]
  const code = await conduct(
    {
      ...(/^https?:/.test(operand) ? { target: operand } : { profile: operand }),
      ...(area ? { area } : {}),
      ...(check ? { check } : {}),
      ...{ level, jobs, seed: 1, out: folder, format: ['html'] },
    },
    { ...terminal, env: { ...env, ...(token ? { ASSAY_TOKEN: token } : {}) } },
  )
  if (!existsSync(join(folder, 'result.json')))
    throw new UsageError(`${operand} was not judged (exit code ${code}), so there is nothing to compare`)
  return folder
}
