/** Begins the events of a run with everything that a report needs if the run is killed. */
import { type EventStream, eventsSchema, openEvents } from '../../run/event-stream.ts'
import { blockedBy } from '../../run/outcome.ts'
import type { Session } from '../../run/session.ts'
import { FileFault, removeFile } from '../../safety/files.ts'
import { Interrupted } from '../../way/interruptions.ts'
import type { Terminal } from '../output/terminal.ts'
import { systemWords } from '../output/written-reports.ts'
import { blockedResults } from './blocked-results.ts'
import type { Grounds } from './grounds.ts'
import type { Judged } from './judging.ts'
import { type Begun, documentOf } from './run-document.ts'

const noGrounds: Grounds = { of: () => ({}), faults: {} }

export async function beginEvents(
  begun: Begun,
  session: Session,
  grounds: Promise<Grounds>,
  terminal: Terminal,
): Promise<EventStream> {
  const { plan, reached } = begun
  const { eventsFile } = plan
  if (eventsFile === undefined) throw new Error('a run has a file for its events')
  const lost = (error: Error) => {
    if (error instanceof FileFault) throw error
    terminal.say(
      `WARNING: ${eventsFile} cannot be written (${systemWords(error)}): if this run is killed, its verdicts are lost`,
    )
  }
  removeFile(eventsFile)
  const events = openEvents(eventsFile, lost)
  events.write({
    event: 'started',
    schema: eventsSchema,
    document: documentOf(begun, unjudged(begun, session), noGrounds),
  })
  events.write({ event: 'phase', name: 'judge', at: new Date().toISOString() })
  void grounds.then(
    ({ faults, of }) => {
      const checks = Object.fromEntries(reached.map(({ address }) => [address, of(address)]))
      events.write({ event: 'grounds', faults, checks })
    },
    () => {},
  )
  return events
}

/** What is judged of a run that was killed before it judged anything. */
function unjudged({ plan, reached }: Begun, session: Session): Judged {
  const { blocker } = blockedBy(new Interrupted())
  return {
    results: blocker ? blockedResults(reached, blocker, { ...session, plan }) : [],
    ...{ executed: 0, judgingMs: 0, leftBehind: [], findings: [], interrupted: true, defects: [], measured: [] },
  }
}
