/** A copy of the server that is behind it by a fixed time. Standby nodes answer from it. */
import { type Core, createCore } from './core.ts'
import type { Engines } from './engines/list.ts'
import type { OnMet } from './faults/rule-set.ts'
import type { KernelOptions } from './kernel/create-kernel.ts'
import type { Answer, IncomingRequest } from './kernel/http/request-context.ts'
import type { Choices } from './kernel/variation.ts'
import { isAboutNode, reads } from './standby.ts'

/** A change is copied together with those that follow within this part of the lag, because each copy is one of the whole
 * state. */
const gathering = 0.125
const leastGatheringMs = 10

/** Adds a copy to a server, which answers requests to standby nodes. The state of the server is copied after each change,
 * and the copy shows it when the lag is over. */
export async function withReplica(
  main: Core,
  lagMs: number | undefined,
  options: KernelOptions,
  parts: Engines,
): Promise<Core> {
  if (!lagMs) return main
  const { clock } = options
  // Only the server itself acts as time passes; the effects arrive here like all other changes.
  const still = { now: () => clock.now(), at: () => () => {}, advance: async () => {} }
  const copy = await createCore({ ...options, network: undefined, rootToken: main.rootToken, clock: still }, parts)
  let hasChanged = false
  copy.onChange(() => {
    hasChanged = true
  })
  /** Increases when the copies under way must not be applied any more. */
  let epoch = 0
  let isGathering = false

  const later = (ms: number, due: () => void): void => {
    const begun = epoch
    clock.at(clock.now() + ms, () => {
      if (begun === epoch) due()
    })
  }
  const copied = (): string => JSON.stringify(main.snapshot())
  const apply = (state: string): void => copy.restore(JSON.parse(state))

  main.onChange(() => {
    if (isGathering) return
    isGathering = true
    later(Math.max(lagMs * gathering, leastGatheringMs), () => {
      isGathering = false
      const state = copied()
      later(lagMs, () => apply(state))
    })
  })

  function catchUp(): void {
    epoch++
    isGathering = false
    apply(copied())
  }
  catchUp()

  // The properties of a server are getters, so this object is derived from it.
  return Object.assign(Object.create(main) as Core, {
    /** A standby node refuses by what it knows. What it lets through and cannot do, the active node does. */
    async serve(incoming: IncomingRequest): Promise<Answer> {
      const { isStandby, ...forwarded } = incoming
      if (!isStandby || isAboutNode(incoming.url)) return main.serve(incoming)
      const { refusal, changes = false } = await copy.admit(incoming)
      if (changes) return main.serve(forwarded)
      if (refusal && !reads.has(incoming.method)) return refusal
      hasChanged = false
      const answer = await copy.serve(incoming)
      return hasChanged ? main.serve(forwarded) : answer
    },
    loadMutants(ids: readonly string[]) {
      main.loadMutants(ids)
      copy.loadMutants(ids)
    },
    watchMutants(onMet: OnMet) {
      main.watchMutants(onMet)
      copy.watchMutants(onMet)
    },
    vary(seed: number, named?: Choices) {
      main.vary(seed, named)
      copy.vary(seed, named)
    },
    restore(state: Readonly<Record<string, unknown>>) {
      main.restore(state)
      catchUp()
    },
    reset() {
      main.reset()
      catchUp()
    },
    stop() {
      main.stop()
      copy.stop()
    },
  })
}
