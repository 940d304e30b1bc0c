import type { Bound } from '../vocabulary/index.ts'

/** Every bound on the time of a run, whatever the target does. The bounds on sizes are in the vocabulary instead, because the
 * suites need them, which know nothing of the wire. */
export const bounds = {
  run: {
    what: 'a run, unless `--max-duration` or the profile says otherwise',
    value: 1800,
    unit: 's',
    why: 'a job in CI must end, and all suites take minutes on a server that answers',
  },
  grace: {
    what: 'after the time limit or an interrupt: requests in flight',
    value: 2,
    unit: 's',
    why: 'most get their response by then, and a response names what has to be cleaned up',
  },
  checksTakeBack: {
    what: 'after the time limit or an interrupt: checks clean up after themselves',
    value: 8,
    unit: 's',
    why: 'the journal keeps the rest for the clean-up of the run',
  },
  checksThread: {
    what: 'after the time limit or an interrupt: the thread of the checks',
    value: 10,
    unit: 's',
    why: 'a check that is busy computing does not receive the signal to stop, and the run continues without it',
  },
  takeBack: {
    what: 'after the time limit or an interrupt: the clean-up of the run, counted from the same moment',
    value: 12,
    unit: 's',
    why: 'the journal keeps the rest for `assay clean`',
  },
  takeBackReply: {
    what: 'after the time limit or an interrupt: one reply',
    value: 2,
    unit: 's',
    why: 'one object that cannot be deleted must not use up the time of the others',
  },
  interrupt: {
    what: 'an interrupt, with everything that follows',
    value: 18,
    unit: 's',
    why: 'nobody has to wait longer after Ctrl-C; the process ends then, whatever it is doing',
  },
  ending: {
    what: 'the end of the process, once everything is written',
    value: 3,
    unit: 's',
    why: 'Node waits for its threads, and one of them may be busy computing',
  },
  retryAfterOnce: {
    what: 'Retry-After: one wait',
    value: 10,
    unit: 's',
    why: 'the header is chosen by the target, which may ask for a day',
  },
  retryAfterExchange: {
    what: 'Retry-After: all waits of one exchange',
    value: 15,
    unit: 's',
    why: 'a target that asks for it repeatedly is not going to stop throttling',
  },
  retryAfterRun: {
    what: 'Retry-After: all waits at one cluster, summed over exchanges',
    value: 60,
    unit: 's',
    why: 'beyond it, retries wait for a second at most',
  },
  decoding: {
    what: 'decoding the body of a compressed reply',
    value: 5,
    unit: 's',
    why: 'a body within the bounds on its size takes milliseconds',
  },
  lateInProbe: {
    what: 'late replies before the probe stops',
    value: 2,
    unit: 'replies',
    why: 'each costs the whole timeout, and a target that is late twice will not be judged',
  },
  lateInCleanUp: {
    what: 'late replies in a row before the clean-up stops',
    value: 2,
    unit: 'replies',
    why: 'the journal keeps the rest for `assay clean`',
  },
  badInCleanUp: {
    what: 'replies in a row that are late, broken, oversized or throttled before the clean-up stops',
    value: 5,
    unit: 'replies',
    why: 'the journal keeps the rest for `assay clean`',
  },
  badInARow: {
    what: 'replies in a row, over all checks, that are late, broken, oversized or throttled before the circuit breaker asks for the health of the cluster',
    value: 5,
    unit: 'replies',
    why: 'checks wait for a cluster that does not reply to it; one that only cuts off a single request does reply',
  },
  badInARowForGood: {
    what: 'such replies in a row before the circuit breaker opens even though the health request succeeds',
    value: 15,
    unit: 'replies',
    why: 'a proxy may reply in place of a target that is gone',
  },
  differentRequests: {
    what: 'different requests among them, at least',
    value: 3,
    unit: 'replies',
    why: 'one request that is always cut off is a finding about that request and not about the cluster',
  },
  healthReply: {
    what: 'the health reply that the circuit breaker waits for',
    value: 5,
    unit: 's',
    why: 'it is the cheapest reply that a server has',
  },
  outage: {
    what: 'a cluster that went away, until it answers again, unless the profile says otherwise (`outageSeconds`); checks wait for it',
    value: 60,
    unit: 's',
    why: 'a restart, an unseal or a failover takes seconds; what is away for longer is down',
  },
  outageInCleanUp: {
    what: 'the same while the run cleans up at its end',
    value: 15,
    unit: 's',
    why: 'the journal keeps the rest for `assay clean`',
  },
  nodesBehind: {
    what: 'nodes of a cluster that do not show what was written, while a run or `assay clean` cleans up, summed over all writes',
    value: 15,
    unit: 's',
    why: 'what was written is sent to the active node nevertheless, and the journal keeps what was not confirmed for `assay clean`',
  },
  ownStall: {
    what: 'this machine or its provider stub stands still during a check that waits for time to pass or calls the stub or a forwarder, before a finding of it is doubted',
    value: 2,
    unit: 's',
    why: 'what was late then may be late because of this machine; the check is judged again, and then not verified',
  },
  longPoll: {
    what: 'a check polls in vain before it is judged in other ways meanwhile, if it needs no lock',
    value: 5,
    unit: 's',
    why: 'it probably contradicts the target, and would wait as long again in each of them',
  },
} as const satisfies Readonly<Record<string, Bound>>

type Name = keyof typeof bounds

/** Returns a bound in milliseconds. */
export const boundMs = (name: { [N in Name]: (typeof bounds)[N]['unit'] extends 's' ? N : never }[Name]): number =>
  bounds[name].value * 1000
