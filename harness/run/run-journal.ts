/** The journal of a run, as its plan says. */
import { digestOf, type Journal, noJournal, openJournal } from '../safety/journal.ts'
import { findKey } from '../safety/journal-key.ts'
import type { JournalHead } from '../safety/journal-lines.ts'
import type { SessionPlan } from './session-plan.ts'

const headOf = ({ target: { url }, runId, clusterId }: SessionPlan): JournalHead => ({
  ...{ url, runId },
  ...(clusterId ? { cluster: digestOf(clusterId) } : {}),
})

function keyOf({ stateFolder }: SessionPlan) {
  const found = stateFolder === undefined ? undefined : findKey(stateFolder)
  return found && 'key' in found ? found.key : undefined
}

/** Makes the file where it is missing. Without a file in the plan, nothing is journaled. */
export const journalOf = (plan: SessionPlan, guard?: (text: string) => boolean): Journal =>
  plan.journalFile === undefined
    ? noJournal
    : openJournal(plan.journalFile, headOf(plan), { key: keyOf(plan), ...(guard ? { guard } : {}) })
