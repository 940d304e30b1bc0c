/** Proves the checks by faults on a server that is not discarded. Everything that the proof creates there is first
 * written into one journal, and no fault acts on objects that the proof has not created. */
import { widthsOf } from '../mutation/red-rows.ts'
import { journalOf } from '../run/session.ts'
import type { SessionPlan } from '../run/session-plan.ts'
import type { Journal } from '../safety/journal.ts'
import type { Change } from '../safety/journal-lines.ts'
import { isNameOf } from '../safety/names.ts'
import { type FaultOperator, requirementsOf, type WireFault } from '../vocabulary/index.ts'
import { WaysBack } from '../way/ways-back.ts'
import { type Excuse, judgedBy } from './excuses.ts'
import { type Candidate, type Judge, judgeOn } from './ground.ts'
import { type FaultOutcome, tryFaults } from './matrix.ts'
import type { Proof } from './proof.ts'
import { isAt } from './site.ts'

export interface TargetProof extends Proof {
  /** Ids of faults that no check meets there, or that change nothing there, because they need another edition, form
   * or safety class. */
  readonly unmet: readonly string[]
  /** Changes that could not be written into the journal. */
  readonly unsaved: readonly Change[]
}

interface Order {
  /** The plan of the sessions. It has a journal, unless the server is discarded. */
  readonly plan: SessionPlan
  readonly faults: readonly WireFault[]
  readonly excuses: readonly Excuse[]
  readonly candidates: readonly Candidate[]
  readonly signal: AbortSignal
  readonly onProgress?: (text: string) => void
}

/** The number is small, in order not to overload the target. */
const lanes = 4
/** Under a fault, a change that a check waits for may never happen. */
const longestPatienceSeconds = 5

/** Operators that execute a request, but hide or replace its reply. */
const hiding: ReadonlySet<FaultOperator> = new Set([
  ...(['ghost', 'twice', 'accept', 'open-door', 'overreach'] as const),
  ...(['reply-without-field', 'reply-with-other-value', 'constant'] as const),
])

/** Tells whether objects that are created under a fault could not be deleted, because only a reply that the fault
 * hides contains their names. */
const wouldLose = (fault: WireFault, nameless: ReadonlySet<string>): boolean =>
  hiding.has(fault.operator) &&
  [...nameless].some((words) => {
    const [method = '', path = ''] = words.split(' ')
    return isAt({ method, path: `/v1/${path}` }, fault.at)
  })

export async function proveOnTarget({
  plan,
  faults,
  excuses,
  candidates,
  signal,
  onProgress,
}: Order): Promise<TargetProof> {
  const started = performance.now()
  const { target, runId } = plan
  const journal = journalOf(plan)
  let count = 0
  /** Requests that created objects whose names only the replies contain, such as `POST identity/mfa/method/totp`. */
  const nameless = new Set<string>()
  const recordingJournal: Journal = {
    ...journal,
    intend(undo) {
      if (!('path' in undo)) nameless.add(undo.words)
      return journal.intend(undo)
    },
  }
  const honest = judgeOn(
    {
      ...plan,
      record: 'none',
      target: {
        ...target,
        // Each lane has its own session, and each session limits its own rate.
        maxRps: target.maxRps / lanes,
        patienceSeconds: Math.min(target.patienceSeconds, longestPatienceSeconds),
      },
    },
    {
      kept: {
        signal,
        shared: { journal: recordingJournal, next: () => ++count, waysBack: new WaysBack() },
        mayTouch: (path) => path.split('/').some((segment) => isNameOf(runId, segment)),
      },
    },
  )
  const judge: Judge = {
    ...honest,
    async under(fault, candidate, memory) {
      if (!wouldLose(fault, nameless)) return honest.under(fault, candidate, memory)
      return { result: (await honest.plainly(candidate)).result, bent: false }
    },
  }
  try {
    const tried = await tryFaults({
      ...{ judge, faults, candidates, lanes, signal },
      onProgress: (done, of, text) => onProgress?.(`${done} of ${of}: ${text}`),
    })
    const cited = new Set(candidates.flatMap(({ check }) => requirementsOf(check)))
    // A fault may change something only in another form or edition, or be noticed only by checks of another safety
    // class.
    const isMet = ({ fault, bent, noticedBy }: FaultOutcome): boolean =>
      bent > 0 && (noticedBy !== undefined || fault.rows.some((row) => cited.has(row)))
    const met = tried.outcomes.filter(isMet)
    const unmet = tried.outcomes.filter((outcome) => !isMet(outcome)).map(({ fault }) => fault.id)
    const { rows } = judgedBy(excuses, met)
    return {
      ...{ rows, unmet, idle: tried.idle, unsaved: journal.unsaved() },
      // Excuses are not reported as stale, because they may be needed on other servers.
      stale: [],
      widths: widthsOf([]),
      interrupted: signal.aborted,
      seconds: (performance.now() - started) / 1000,
    }
  } finally {
    journal.close()
  }
}
