/** Moves the data of this cluster when its role changes. A DR secondary stores all data without serving them, and a
 * secondary takes over the data that its primary sends. */
import type { Increment } from '../connections/secondary-sessions.ts'
import type { Context } from '../context.ts'
import type { Asleep, Membership } from '../membership.ts'
import type { Mode, Trigger } from '../rules/transitions.ts'
import { type Parts, type Reaches, sharedOf, wholeOf } from './data-parts.ts'
import { awaken, takeOver } from './take-over.ts'

const performanceOf = (context: Context): Context => (context.kind === 'performance' ? context : context.other())

export const isDrSecondary = ({ kind }: Context, mode: Mode): boolean => kind === 'dr' && mode === 'secondary'

/** Returns the data that are sent to a secondary, restricted to what reaches it. */
export const partsFor = (context: Context, reaches: Reaches): Parts =>
  context.kind === 'dr' ? wholeParts(context) : sharedOf(context.services, context.rules, reaches)

const wholeParts = (context: Context): Parts =>
  wholeOf(context.services, context.rules, performanceOf(context).membership)

const parsed = (parts: Parts): Asleep['parts'] =>
  Object.fromEntries([...parts].map(([name, json]) => [name, JSON.parse(json)]))

/** Takes over the data that the primary sent. */
export function receive(context: Context, increment: Increment): void {
  const { kind, services } = context
  const { parts, whole, gone, writes, root, filtered, filteredNamespaces = [] } = increment
  const { keys, ...others } = parts
  const taken = services.variation().secondaryShares === 'own' ? others : parts
  if (kind === 'dr' && taken.keys) services.keys.adopt(keys, 'root-token-too')
  if (isDrSecondary(context, context.membership.mode))
    context.asleep = { parts: whole ? taken : { ...context.asleep?.parts, ...taken } }
  else if (kind === 'dr') awaken({ parts: taken }, services)
  else takeOver(taken, { whole, gone }, services)
  context.update({ synced: true, remoteWrites: writes, root, filtered, filteredNamespaces })
  void services.storage.written()
}

/** Stops serving the data when the cluster becomes a DR secondary. The data are stored, or wiped. */
export function sleep(context: Context, data: 'kept' | 'wiped'): void {
  context.asleep = data === 'kept' ? { parts: parsed(wholeParts(context)) } : undefined
  performanceOf(context).reset()
  context.data.wipe()
  context.services.extensions.operationTokens?.end()
}

/** Serves the stored data again when the cluster is no longer a DR secondary. A promoted one is in performance
 * replication what its primary was: rule 2. */
export function wake(context: Context, trigger: Trigger): void {
  const { services, asleep } = context
  context.asleep = undefined
  services.extensions.operationTokens?.end()
  if (!asleep) return
  awaken(asleep, services)
  const membership = asleep.parts.performance as Membership | undefined
  if (trigger === 'secondary/promote' && membership) performanceOf(context).restore({ membership })
}
