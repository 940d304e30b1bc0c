/** Moves the data of this cluster when its role changes. A DR secondary stores all data without serving them, and a
 * secondary takes over the data that its primary sends. */
import type { SavedMount } from '../../../kernel/mounts/mounts.ts'
import type { Increment } from '../connections/secondary-sessions.ts'
import type { Context } from '../context.ts'
import type { Membership } from '../membership.ts'
import type { Mode, Trigger } from '../rules/transitions.ts'
import { callersMounts, type Parts, type Reaches, sharedOf, wholeOf } from './data-parts.ts'
import { awaken, takeOver } from './take-over.ts'

type Saved = Readonly<Record<string, unknown>>

const performanceOf = (context: Context): Context => (context.kind === 'performance' ? context : context.other())

export const isDrSecondary = ({ kind }: Context, mode: Mode): boolean => kind === 'dr' && mode === 'secondary'

/** Returns the data that are sent to a secondary, restricted to what reaches it. */
export const partsFor = (context: Context, reaches: Reaches): Parts =>
  context.kind === 'dr' ? wholeParts(context) : sharedOf(context.services, context.rules, reaches)

const wholeParts = (context: Context): Parts =>
  wholeOf(context.services, context.rules, performanceOf(context).membership)

const pick = (parts: Saved, names: readonly string[]): Saved =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => names.includes(name)))

const without = (parts: Saved, names: readonly string[]): Saved =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => !names.includes(name)))

/** Removes all data from the cluster, and returns the parts that the rules spare. */
export function wipe({ services, rules }: Context): Saved {
  const { parts, clear } = services.storage
  const spared = Object.fromEntries(rules.spares.map((name) => [name, rules.spared(parts[name]?.snapshot())]))
  clear()
  for (const [name, state] of Object.entries(spared)) parts[name]?.restore(state)
  return structuredClone(spared)
}

/** Takes over the data that the primary sent. */
export function receive(context: Context, increment: Increment): void {
  const { kind, services, rules } = context
  const { parts, whole, gone, writes, root, filtered, filteredNamespaces = [], peers } = increment
  const { takes, spares } = rules
  const accepted = (whole ? takes.first : takes.later) ? parts : pick(parts, ['keys', 'performance'])
  const keepsShares = services.variation().secondaryShares === 'own'
  const taken = without(accepted, keepsShares ? [...spares, 'keys'] : spares)
  const clears = whole && takes.first
  if (kind === 'dr' && taken.keys) services.keys.adopt(taken.keys, 'root-token-too')
  if (isDrSecondary(context, context.membership.mode)) {
    const before = context.asleep?.parts ?? {}
    context.asleep = {
      beside: context.asleep?.beside ?? [],
      parts: { ...(clears ? pick(before, spares) : before), ...taken },
    }
  } else if (kind === 'dr') awaken({ parts: taken, beside: [] }, services)
  else takeOver(taken, { whole: clears && !context.membership.mingled, gone }, services)
  context.membership = {
    ...context.membership,
    synced: true,
    remoteWrites: writes,
    root,
    filtered,
    filteredNamespaces,
    peers,
  }
  void services.storage.written()
}

/** Stops serving the data when the cluster becomes a DR secondary. The data are stored, or wiped. */
export function sleep(context: Context, data: 'kept' | 'wiped', trigger: Trigger): void {
  const { services, rules } = context
  const parts = Object.fromEntries([...wholeParts(context)].map(([name, json]) => [name, JSON.parse(json)]))
  const beside = trigger === 'secondary/enable' ? callersMounts(services).map(services.mounts.keep) : []
  context.asleep = data === 'kept' ? { parts, beside: structuredClone(beside) } : undefined
  performanceOf(context).reset()
  const spared = wipe(context)
  if (data === 'wiped' && rules.spares.length > 0) context.asleep = { parts: spared, beside: [] }
  services.extensions.operationTokens?.end()
}

/** Serves the stored data again when the cluster is no longer a DR secondary. */
export function wake(context: Context, trigger: Trigger): void {
  const { services, rules, asleep } = context
  context.asleep = undefined
  services.extensions.operationTokens?.end()
  if (!asleep) return
  awaken(asleep, services)
  const earlier = asleep.parts.performance as Membership | undefined
  if (trigger !== 'secondary/promote' || !earlier) return
  const { ofPrimary, ofSecondary } = rules.performance
  if (earlier.mode === 'primary' && ofPrimary === 'left-out') return
  const unconnected = earlier.mode === 'secondary' && ofSecondary === 'unconnected'
  performanceOf(context).restore({ membership: unconnected ? { ...earlier, upstream: undefined } : earlier })
}

/** Removes every mount that callers made, whether it is served or only stored. */
export function clearMounts(context: Context): void {
  const { services, asleep } = context
  for (const mount of callersMounts(services)) services.mounts.remove(mount)
  const mounts = (asleep?.parts.mounts ?? []) as readonly SavedMount[]
  if (asleep)
    context.asleep = {
      beside: [],
      parts: { ...asleep.parts, mounts: mounts.filter(({ mount }) => mount.builtIn) },
    }
}
