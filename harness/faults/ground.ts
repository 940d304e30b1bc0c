/** Judges checks on one target: on the unchanged target, under faults, and under legal differences. All sessions
 * share its locks. */
import { request as fetchFrom } from 'undici'
import { jumpingTimer } from '../differences/jumping-timer.ts'
import { differingClient, type Opening } from '../differences/player.ts'
import { mainCluster } from '../run/clusters.ts'
import { judge } from '../run/judge.ts'
import { endOtherCaller } from '../run/other-caller.ts'
import { redactJudgement } from '../run/redact-document.ts'
import { listFormsOf, openSession, type Session, type SessionParts } from '../run/session.ts'
import type { SessionPlan } from '../run/session-plan.ts'
import type { Settle } from '../run/settling.ts'
import { createLocks, type Locks } from '../safety/locks.ts'
import { loadDialect } from '../targets/dialects/index.ts'
import { probe } from '../targets/probe.ts'
import type { Check, CheckResult, Facts, Topic, WireFault } from '../vocabulary/index.ts'
import { realTimer } from '../wire/timer.ts'
import { type Bend, faultyClient, type Memory } from './player.ts'
import { type Recorded, recordingClient } from './recorder.ts'

export interface Candidate {
  readonly topic: Topic
  readonly check: Check
  readonly address: string
}

export interface Judge {
  /** Judges on the unchanged target, and returns the requests and replies. */
  plainly(candidate: Candidate): Promise<{ readonly result: CheckResult; readonly recorded: readonly Recorded[] }>
  /** Judges under a fault, by default with little patience. `bent` tells whether the fault changed anything that the check
   * sent or got. */
  under(
    fault: WireFault,
    candidate: Candidate,
    memory: Memory,
    isPatient?: boolean,
  ): Promise<{ readonly result: CheckResult; readonly bent: boolean }>
  /** Judges on a correct server that differs, with the patience of a plain run. With `waits: 'real'`, waits take
   * real time; with `'jumping'`, the clock jumps to the end of each wait. */
  legally(
    open: Opening,
    candidate: Candidate,
    more?: { readonly waits?: 'real' | 'jumping' | undefined; readonly facts?: Facts },
  ): Promise<{ readonly result: CheckResult; readonly bent: boolean }>
  /** Probes a server that differs in this way, and returns its facts. */
  factsUnder(open: Opening): Promise<Facts>
}

const longestOwner = 128

/** Returns a function that asks the provider stub to bend calls. Without a control listener of the stub, it does
 * nothing. */
function bendAt(provider: unknown): Bend {
  const { control } = (provider ?? {}) as { readonly control?: string }
  return async (owner, order) => {
    // The provider knows an ARN by the account number in it.
    const name = /^arn:[^:]*:[^:]*::(\d{12}):/.exec(owner)?.[1] ?? owner
    if (control === undefined || name.length > longestOwner) return false
    const { statusCode, body } = await fetchFrom(`${control}/owners/${encodeURIComponent(name)}/bends`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
    })
    const text = await body.text()
    // If the provider does not know the owner (404), no calls are made for it, so there is nothing to bend.
    if (statusCode >= 300 && statusCode !== 404)
      throw new Error(`the provider stub answered ${statusCode} to the order for a fault: ${text}`)
    return statusCode < 300
  }
}

/** What all sessions share on a server that is not discarded: one journal and one signal. They also have the same
 * run id. */
export interface Kept extends Pick<SessionParts, 'signal' | 'shared'> {
  /** Tells whether a fault may act on this path. */
  readonly mayTouch: (path: string) => boolean
}

async function ended(session: Session): Promise<void> {
  await endOtherCaller(session)
  await session.close()
}

/** `faulty` is the plan under faults; the default is `plan`. */
export function judgeOn(
  plan: SessionPlan,
  {
    locks = createLocks(),
    faulty = plan,
    kept,
    settle,
  }: { locks?: Locks; faulty?: SessionPlan; kept?: Kept; settle?: Settle | undefined } = {},
): Judge {
  const dialect = loadDialect(plan.target.dialect)
  const header = dialect.tokenHeader.toLowerCase()
  const bend = bendAt(plan.target.provides.provider)
  let count = 0
  /** Returns the plan of one judgement. Its run id is unique, so that throw-away names of two judgements never
   * collide. */
  const planned = (like: SessionPlan): SessionPlan =>
    kept ? { ...like, jobs: 1 } : { ...like, runId: `${plan.runId}${(count++).toString(36)}`, jobs: 1 }
  const parts: SessionParts = {
    ...{ locks, settle },
    lists: listFormsOf(plan, dialect),
    ...(kept?.signal ? { signal: kept.signal } : {}),
    ...(kept?.shared ? { shared: kept.shared } : {}),
  }

  return {
    async plainly({ topic, check }) {
      const recorded: Recorded[] = []
      const session = await openSession(planned(plan), {
        ...parts,
        between: (client) => recordingClient(client, (one) => recorded.push(one)),
      })
      try {
        return { result: redactJudgement(await judge(topic, check, session), session.redactor), recorded }
      } finally {
        await ended(session)
      }
    },
    async under(fault, { topic, check }, memory, isPatient = false) {
      let bent = false
      const session = await openSession(planned(isPatient ? plan : faulty), {
        ...parts,
        between: (client, cluster) =>
          faultyClient(
            client,
            fault,
            kept ? { ...memory, mayTouch: kept.mayTouch } : memory,
            () => {
              const token = session.operatorToken(cluster)
              return token === undefined ? {} : { [header]: token }
            },
            () => {
              bent = true
            },
            bend,
          ),
      })
      try {
        return { result: await judge(topic, check, session), bent }
      } finally {
        await ended(session)
      }
    },
    async legally(open, { topic, check }, { waits, facts = plan.facts } = {}) {
      const jumping = waits === 'jumping' ? jumpingTimer(settle) : undefined
      const timer = jumping ?? realTimer
      const opening = jumping?.watching(open) ?? open
      let bent = false
      const note = () => {
        bent = true
      }
      const session = await openSession(planned({ ...plan, facts }), {
        // The list forms that the unchanged server was seen to accept need not be accepted by one that differs.
        ...{ ...parts, lists: listFormsOf(plan, dialect) },
        ...(waits ? { timer } : {}),
        between: (client) => differingClient(client, opening, timer, note),
      })
      try {
        return { result: await judge(topic, check, session), bent }
      } finally {
        await ended(session)
      }
    },
    async factsUnder(open) {
      const session = await openSession(planned(plan), {
        ...parts,
        between: (client) => differingClient(client, open, realTimer),
      })
      try {
        const seen = await probe({
          ...{ target: plan.target, dialect, client: session.client(mainCluster), areas: [] },
          wanted: () => [],
          record: () => {},
        })
        if ('unreachable' in seen) throw new Error(seen.unreachable)
        return seen.facts
      } finally {
        await session.close()
      }
    },
  }
}

/** A judge, and a function that resets its server. */
export interface Ground {
  readonly judge: Judge
  reset(): Promise<void>
}

/** Returns a judge that judges each check on a reset server that no other check uses meanwhile. */
export function eachAlone(grounds: readonly Ground[]): Judge {
  const free = [...grounds]
  const waiting: ((ground: Ground) => void)[] = []

  async function use<T>(run: (judge: Judge) => Promise<T>): Promise<T> {
    const ground = free.pop() ?? (await new Promise<Ground>((resolve) => waiting.push(resolve)))
    try {
      await ground.reset()
      return await run(ground.judge)
    } finally {
      const next = waiting.shift()
      if (next) next(ground)
      else free.push(ground)
    }
  }

  return {
    plainly: (candidate) => use((judge) => judge.plainly(candidate)),
    under: (fault, candidate, memory, isPatient) => use((judge) => judge.under(fault, candidate, memory, isPatient)),
    legally: (open, candidate, more) => use((judge) => judge.legally(open, candidate, more)),
    factsUnder: (open) => use((judge) => judge.factsUnder(open)),
  }
}
