/** The target itself has to show that an id belongs to a run: it is asked where a journal is not authentic. */
import type { Dialect, Reply } from '../vocabulary/index.ts'
import { fieldOf, isSuccess } from '../vocabulary/index.ts'
import type { Ask } from '../wire/ask.ts'
import type { Undo } from './journal-lines.ts'
import { aboutToken } from './listed.ts'
import { bears } from './names.ts'
import { accessorIn, isStillThere } from './still-there.ts'

/** Fields in which a thing shows its own name. */
const names = ['name', 'display_name'] as const

/** Undefined where the target shows it, or shows that there is nothing at all; else why it cannot be relied on. */
export async function proofOf(undo: Undo, ask: Ask, dialect: Dialect, runId: string): Promise<string | undefined> {
  const accessor = accessorIn(undo, dialect)
  const question =
    accessor === undefined
      ? undo.method === 'DELETE' && { method: 'GET', path: undo.path, ...(undo.query ? { query: undo.query } : {}) }
      : aboutToken(dialect, 'tokenByAccessor', accessor)
  const reply = question ? (await ask(question)).reply : undefined
  const isShown = reply && isSuccess(reply) && bearsName(reply, runId)
  return isShown || !(await isStillThere(undo, ask, dialect))
    ? undefined
    : `the journal is not authentic, and the target does not show that this is of the run ${runId}`
}

const bearsName = (reply: Reply, runId: string): boolean =>
  names.some((name) => {
    const value = fieldOf(reply, name)
    return typeof value === 'string' && bears(runId, value)
  })
