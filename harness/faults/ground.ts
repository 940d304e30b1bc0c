/** Judging on one target, plainly, under faults and under legal differences, with sessions that share its locks. */
import { request as fetchFrom } from 'undici'
import { jumpingTimer } from '../differences/jumping-timer.ts'
import { differingClient, type Opening } from '../differences/player.ts'
import { mainCluster } from '../run/clusters.ts'
import { judge } from '../run/judge.ts'
import { redactJudgement } from '../run/redact-document.ts'
import { listFormsOf, openSession, type SessionParts } from '../run/session.ts'
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
  /** On the target as it is; with what was sent and answered. */
  plainly(candidate: Candidate): Promise<{ readonly result: CheckResult; readonly recorded: readonly Recorded[] }>
  /** `bent`: whether the fault changed anything that the check sent or got. */
  under(
    fault: WireFault,
    candidate: Candidate,
    memory: Memory,
  ): Promise<{ readonly result: CheckResult; readonly bent: boolean }>
  /** On a correct server that differs. It has the patience of a plain run. `real` is for what takes
   * real time, `jumping` for what would take too much of it. */
  legally(
    open: Opening,
    candidate: Candidate,
    more?: { readonly waits?: 'real' | 'jumping' | undefined; readonly facts?: Facts },
  ): Promise<{ readonly result: CheckResult; readonly bent: boolean }>
  /** Returns what the server that differs in this way tells of itself. */
  factsUnder(open: Opening): Promise<Facts>
}

const longestOwner = 128

/** At the control listener of the provider that the suite plays; nothing is bent where there is none. */
function bendAt(provider: unknown): Bend {
  const { control } = (provider ?? {}) as { readonly control?: string }
  return async (owner, order) => {
    // An ARN holds the number of its account.
    const name = /^arn:[^:]*:[^:]*::(\d{12}):/.exec(owner)?.[1] ?? owner
    if (control === undefined || name.length > longestOwner) return false
    const { statusCode, body } = await fetchFrom(`${control}/owners/${encodeURIComponent(name)}/bends`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
    })
    const text = await body.text()
    // A key that the provider does not know is none that anything is asked with.
    if (statusCode >= 300 && statusCode !== 404)
      throw new Error(`the provider answered ${statusCode} to a fault: ${text}`)
    return statusCode < 300
  }
}

/** Judging on a server that is not thrown away also has one journal, one run id, and an end. */
export interface Kept extends Pick<SessionParts, 'signal' | 'shared'> {
  readonly mayTouch: (path: string) => boolean
}

/** `faulty` is the plan under faults, where it is another. */
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
  /** Names of two judgements never meet, and the names say that they come from a proof. */
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
        await session.close()
      }
    },
    async under(fault, { topic, check }, memory) {
      let bent = false
      const session = await openSession(planned(faulty), {
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
        await session.close()
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
        // What one server is seen to take says nothing of one that differs.
        ...{ ...parts, lists: listFormsOf(plan, dialect) },
        ...(waits ? { timer } : {}),
        between: (client) => differingClient(client, opening, timer, note),
      })
      try {
        return { result: await judge(topic, check, session), bent }
      } finally {
        await session.close()
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

/** A judge, and how its server becomes as it was in the beginning. */
export interface Ground {
  readonly judge: Judge
  reset(): Promise<void>
}

/** Judges each check on a server that nobody else uses meanwhile, and that is new. */
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
    under: (fault, candidate, memory) => use((judge) => judge.under(fault, candidate, memory)),
    legally: (open, candidate, more) => use((judge) => judge.legally(open, candidate, more)),
    factsUnder: (open) => use((judge) => judge.factsUnder(open)),
  }
}
