/** The proof on a server that is not thrown away. Everything made there stands in one journal before it is made, and no
 * fault acts on anything that the proof has not made itself. */
import { journalOf } from '../run/session.ts'
import type { SessionPlan } from '../run/session-plan.ts'
import { WaysBack } from '../run/ways-back.ts'
import type { Journal } from '../safety/journal.ts'
import type { Change } from '../safety/journal-lines.ts'
import { isNameOf } from '../safety/names.ts'
import { type FaultOperator, requirementsOf, type WireFault } from '../vocabulary/index.ts'
import { type Excuse, judgedBy } from './excuses.ts'
import { type Candidate, type Judge, judgeOn } from './ground.ts'
import { type FaultOutcome, tryFaults } from './matrix.ts'
import type { Proof } from './proof.ts'
import { isAt } from './site.ts'

export interface TargetProof extends Proof {
  /** Faults that no check meets there, or that change nothing there: of an edition, form or safety class that is not judged. */
  readonly unmet: readonly string[]
  /** The journal could not be told of these changes. */
  readonly unsaved: readonly Change[]
}

interface Order {
  /** With a journal, unless the server is thrown away after all. */
  readonly plan: SessionPlan
  readonly faults: readonly WireFault[]
  readonly excuses: readonly Excuse[]
  readonly candidates: readonly Candidate[]
  readonly signal: AbortSignal
  readonly onProgress?: (text: string) => void
}

/** Few, since the target is somebody's. */
const lanes = 4
/** Under a fault, what a check waits for may never come. */
const longestPatienceSeconds = 5

/** Operators that do something and hide its reply, or give another one. */
const hiding: ReadonlySet<FaultOperator> = new Set([
  ...(['ghost', 'twice', 'accept', 'open-door', 'overreach'] as const),
  ...(['reply-without-field', 'reply-with-other-value', 'constant'] as const),
])

/** Tells whether what is made under a fault could not be found again, because its name stands in a reply that nobody
 * sees. */
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
  /** Requests that made something which only their replies name: `POST identity/mfa/method/totp`. */
  const nameless = new Set<string>()
  const noting: Journal = {
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
        // Each lane has a session of its own at any time, and each session keeps its own pace.
        maxRps: target.maxRps / lanes,
        patienceSeconds: Math.min(target.patienceSeconds, longestPatienceSeconds),
      },
    },
    {
      kept: {
        signal,
        shared: { journal: noting, next: () => ++count, waysBack: new WaysBack() },
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
    // A fault may need a form or an edition to change anything, and checks of another safety class to be noticed.
    const isMet = ({ fault, bent, noticedBy }: FaultOutcome): boolean =>
      bent > 0 && (noticedBy !== undefined || fault.rows.some((row) => cited.has(row)))
    const met = tried.outcomes.filter(isMet)
    const unmet = tried.outcomes.filter((outcome) => !isMet(outcome)).map(({ fault }) => fault.id)
    const { rows } = judgedBy(excuses, met)
    return {
      ...{ rows, unmet, idle: tried.idle, unsaved: journal.unsaved() },
      // An excuse may be about what another server shows.
      stale: [],
      seconds: (performance.now() - started) / 1000,
    }
  } finally {
    journal.close()
  }
}
