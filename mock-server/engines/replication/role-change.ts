/** Decides when a change of role takes effect, and when the cluster is unready during it. The document states the
 * effect of a trigger, but not when it happens. */

import type { ReplicationKind } from '../../kernel/cluster/cluster-role.ts'
import type { Reply } from '../../kernel/contracts.ts'
import { Refusal } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'
import type { Variation } from '../../kernel/variation.ts'
import type { Trigger } from './rules/transitions.ts'

interface Pending {
  readonly kind: ReplicationKind
  readonly trigger: Trigger
}

export interface RoleChange {
  /** A trigger that was accepted, but has not taken effect yet. */
  readonly pending: Pending | undefined
  assertNonePending(): void
  carryOut(turn: Pending, change: () => void): Reply
  /** Cancels the pending trigger. */
  stop(): void
}

/** The milliseconds from the reply to the effect, and from the effect until the cluster is ready again. */
const pace: Readonly<Record<Variation['roleChanges'], { readonly effect: number; readonly unready: number }>> = {
  'at-once': { effect: 0, unready: 0 },
  'unready-after': { effect: 0, unready: 60 },
  late: { effect: 60, unready: 0 },
  'late-and-unready': { effect: 30, unready: 40 },
}

const announced: Reply = { kind: 'empty', warnings: ['the change of role is under way: this takes a moment'] }

export function createRoleChange({
  variation,
  clusterRole,
  clock,
}: Pick<Services, 'variation' | 'clusterRole' | 'clock'>): RoleChange {
  let pending: Pending | undefined
  let cancel: () => void = () => {}

  const wait = (ms: number, then: () => void): void => {
    cancel = clock.at(clock.now() + ms, then)
  }

  function getReady(ms: number): void {
    if (ms === 0) return
    clusterRole.ready = false
    wait(ms, () => {
      clusterRole.ready = true
    })
  }

  return {
    get pending() {
      return pending
    },
    assertNonePending() {
      if (pending) throw new Refusal('internal', { message: `${pending.kind} ${pending.trigger} is under way` })
    },
    carryOut(turn, change) {
      const { effect, unready } = pace[variation().roleChanges]
      if (effect === 0) {
        change()
        getReady(unready)
        return unready === 0 ? { kind: 'empty' } : announced
      }
      pending = turn
      wait(effect, () => {
        pending = undefined
        try {
          change()
        } catch (error) {
          // The caller already has its reply, so a change that is no longer possible is dropped.
          if (!(error instanceof Refusal)) throw error
        }
        getReady(unready)
      })
      return announced
    },
    stop() {
      cancel()
      pending = undefined
      clusterRole.ready = true
    },
  }
}
