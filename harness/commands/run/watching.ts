/** Judges again and again: when the version of the target or a file that describes the run changes, and after a time. */

import { healthOf } from '../../run/learned-nodes.ts'
import { openSession } from '../../run/session.ts'
import { FileFault, readText } from '../../safety/files.ts'
import { resolveTarget } from '../../targets/resolve.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { exitCodes, fieldOf, sizeBounds } from '../../vocabulary/index.ts'
import { isInterrupted } from '../../way/interruptions.ts'
import { realTimer, type Timer } from '../../wire/timer.ts'
import { endingWith, planFor } from '../clean/cleaning.ts'
import type { Terminal } from '../output/terminal.ts'
import type { RunFlags } from './flags.ts'

/** How often the target is asked for its version: one request without a token. */
const lookMs = 30_000

/** What a new judgement depends on, by name. A value that is not known says nothing of a change. */
export type Marks = Readonly<Record<string, string | undefined>>

export interface Watched {
  judge(): Promise<number>
  marks(): Promise<Marks>
  /** Judges after this many seconds, even if nothing has changed. */
  readonly everySeconds: number | undefined
}

/** Returns when it is interrupted. The first judgement may throw; a later one that cannot begin is only reported, because
 * the profile may be edited just then. */
export async function watch(
  { judge, marks, everySeconds }: Watched,
  { signal, say }: Pick<Terminal, 'signal' | 'say'>,
  timer: Timer = realTimer,
): Promise<number> {
  let known = await marks()
  if ((await judge()) === exitCodes.leftBehind) return exitCodes.leftBehind
  while (!isInterrupted(signal)) {
    say('watching for changes; Ctrl-C ends')
    const why = await untilDue()
    if (why === undefined) break
    say(`judging again: ${why}`)
    const code = await judge().catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error
      say(`assay: ${error.message}`)
    })
    // Each further run would leave more there.
    if (code === exitCodes.leftBehind) return code
  }
  return exitCodes.interrupted

  async function untilDue(): Promise<string | undefined> {
    const since = timer.now()
    const isOver = () => everySeconds !== undefined && timer.now() - since >= everySeconds * 1000
    while (!signal.aborted) {
      await timer.wait(Math.min(lookMs, (everySeconds ?? Number.POSITIVE_INFINITY) * 1000), signal)
      if (signal.aborted) return undefined
      const now = await marks()
      const changed = Object.keys(now).find((name) => isChange(known[name], now[name]))
      known = { ...known, ...Object.fromEntries(Object.entries(now).filter(([, value]) => value !== undefined)) }
      if (changed !== undefined) return `${changed} has changed`
      if (isOver()) return `${everySeconds} s are over`
    }
    return undefined
  }
}

const isChange = (before: string | undefined, now: string | undefined): boolean =>
  before !== undefined && now !== undefined && before !== now

/** Returns the version of the target, and the texts of the files that the run reads. */
export async function marksOf(flags: RunFlags, { env, signal }: Terminal): Promise<Marks> {
  const files = Object.entries({ profile: flags.profile, 'list of accepted findings': flags.accept })
  return {
    'the version of the target': await versionAt(flags, env, signal).catch(ofNothing),
    ...Object.fromEntries(files.map(([name, file]) => [`the ${name}`, file === undefined ? undefined : textOf(file)])),
  }
}

/** A file that is being replaced, or a profile that is being edited, is read at the next look. */
function textOf(file: string): string | undefined {
  try {
    return readText(file, { what: 'a file', most: sizeBounds.resultFile.value, mend: 'fix the path', mayBeEmpty: true })
  } catch (error) {
    if (error instanceof FileFault) return undefined
    throw error
  }
}

function ofNothing(error: unknown): undefined {
  if (!(error instanceof UsageError)) throw error
}

async function versionAt(flags: RunFlags, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string | undefined> {
  const target = resolveTarget(flags, env)
  if (target === undefined) return undefined
  const session = await openSession(planFor(target, '0'), endingWith(signal))
  try {
    const reply = await healthOf(session)
    const version = reply && fieldOf(reply, 'version')
    return typeof version === 'string' ? version : undefined
  } finally {
    await session.close()
  }
}
