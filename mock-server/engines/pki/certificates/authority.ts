/** Changes the CA of a mount. */
import { Refusal } from '../../../kernel/http/refusal.ts'
import { isSince } from '../../../kernel/versions.ts'
import type { Context } from '../context.ts'
import type { CaEvent, CaStep, Part } from '../rules/states.ts'
import type { CaCertificate, CaKey } from '../store.ts'
import { currentList, rotate } from './revocation.ts'
import { serialKey } from './serials.ts'

interface Parts {
  readonly key?: CaKey
  readonly certificate?: CaCertificate
  readonly requested?: CaKey
}

const refusedEvents: Readonly<Partial<Record<CaEvent, string>>> = {
  setSigned: 'could not find any existing entry with a private key',
}

/** Returns what the event does in the current state. Refuses an event that has no cell in the table. */
export function stepFor({ store, rules }: Context, event: CaEvent): CaStep {
  const { state } = store.ca
  const step = rules.states.ca[state][event]
  if (!step) throw new Refusal('internal', { message: refusedEvents[event] ?? `${event} is not possible: CA ${state}` })
  return step
}

/** Returns the step for generating a root, which is a different event if this version overwrites a CA that is
 * present. */
export function rootStep(context: Context): CaStep {
  const overwrites = !isSince(context.facts.version, context.rules.states.rootOverwritesBefore)
  return stepFor(context, context.store.ca.state === 'present' && overwrites ? 'overwriteRoot' : 'generateRoot')
}

export const isUnchanged = (step: CaStep): boolean =>
  [step.key, step.certificate, step.shown, step.requested].every((part) => part === 'kept')

function pick<T>(part: Part, fresh: T | undefined, old: T | undefined): T | undefined {
  if (part === 'gone') return undefined
  return part === 'kept' ? old : fresh
}

export function applyStep(context: Context, step: CaStep, parts: Parts = {}): void {
  const { store } = context
  const { ca } = store
  // This is the last list that the old key can sign.
  if (step.key !== 'kept') currentList(context)
  store.ca = {
    state: step.next,
    key: pick(step.key, parts.key, ca.key),
    certificate: pick(step.certificate, parts.certificate, ca.certificate),
    shown: pick(step.shown, parts.certificate, ca.shown),
    requested: pick(step.requested, parts.requested ? [parts.requested] : [], ca.requested) ?? [],
  }
  if (parts.certificate && store.ca.certificate === parts.certificate) {
    const { der, serial, notAfter } = parts.certificate.parsed
    store.certificates.set(serialKey(serial), { der: der.toString('latin1'), notAfter })
  }
  if (step.next === 'present' && !isUnchanged(step)) rotate(context)
}
