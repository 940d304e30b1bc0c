/** Judges the targets of a comparison. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { removeFile } from '../../safety/files.ts'
import type { SelectedCheck } from '../../select/select.ts'
import { resolveTarget, type TargetFlags } from '../../targets/resolve.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { exitCodes } from '../../vocabulary/index.ts'
import type { Terminal } from '../output/terminal.ts'
import { conduct } from '../run/conduct-run.ts'
import type { RunFlags } from '../run/flags.ts'
import { assertToken } from '../run/without-token.ts'

export interface LiveTarget {
  /** The position of the target, counted from 1. */
  readonly number: number
  readonly name: string
  readonly flags: Pick<TargetFlags, 'target' | 'profile' | 'tokenVariable'>
}

/** Throws `UsageError` if the target cannot be judged, before any request is sent to any target. Each target has its
 * own token variable, so that a token is never sent to another target. */
export function liveTarget(
  given: string,
  number: number,
  env: NodeJS.ProcessEnv,
  selected: readonly SelectedCheck[],
): LiveTarget {
  const tokenVariable = `ASSAY_TOKEN_${number}`
  const isUrl = /^https?:/.test(given)
  const flags = isUrl ? { target: given, tokenVariable } : { profile: given, tokenVariable }
  try {
    const target = resolveTarget(flags, env)
    if (target) assertToken(target, selected, tokenVariable)
    return { number, name: target?.name ?? given, flags }
  } catch (error) {
    if (!(error instanceof UsageError) || !isUrl) throw error
    throw new UsageError(
      error.message.replace(/^the address/, `the URL of server ${number}`).replace(/ASSAY_TOKEN$/, tokenVariable),
    )
  }
}

/** Returns the exit code of the run, and the folder of its result; without a folder, there is no complete result. */
export async function judgeTarget(
  { number, name, flags }: LiveTarget,
  of: number,
  run: Omit<RunFlags, 'target' | 'profile' | 'tokenVariable'>,
  terminal: Terminal,
): Promise<{ readonly code: number; readonly folder?: string }> {
  const folder = join(run.out, String(number))
  removeFile(join(folder, 'result.json'))
  terminal.say(`server ${number} of ${of}: ${name}`)
  try {
    const code = await conduct({ ...run, ...flags, out: folder }, terminal)
    if (code === exitCodes.interrupted || !existsSync(join(folder, 'result.json'))) return { code }
    return { code, folder }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`server ${number}, ${name}: ${error.message}`)
  }
}
