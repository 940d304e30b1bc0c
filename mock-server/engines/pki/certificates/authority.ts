/** Changes the CA of a mount. */
import { Refusal } from '../../../kernel/http/refusal.ts'
import { isSince } from '../../../kernel/versions.ts'
import type { Context } from '../context.ts'
import type { CaEvent, CaStep, Part } from '../rules/states.ts'
import type { CaCertificate, CaKey } from '../store.ts'
import { latestList, rotate } from './revocation.ts'
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
  const { certificate, state } = store.ca
  const step = rules.states.stepByOrigin(event, certificate?.origin) ?? rules.states.ca[state][event]
  if (!step) throw new Refusal('internal', { message: refusedEvents[event] ?? `${event} is not possible: CA ${state}` })
  return step
}

/** Returns the step for generating a root, which is a different event if this version overwrites a CA that is
 * present. */
export function rootStep(context: Context, type = ''): CaStep {
  const { since, before, after, always } = context.rules.states.rootOverwrites
  const overwrites = always.includes(type) || (isSince(context.facts.version, since) ? after : before)
  return stepFor(context, context.store.ca.state === 'present' && overwrites ? 'overwriteRoot' : 'generateRoot')
}

export const isUnchanged = (step: CaStep): boolean =>
  [step.key, step.certificate, step.shown, step.requested].every((part) => part === 'kept')

function pick<T>(part: Part, fresh: T | undefined, old: T | undefined): T | undefined {
  if (part === 'gone') return undefined
  return part === 'kept' || (part === 'kept-if-any' && old !== undefined) ? old : fresh
}

export function applyStep(context: Context, step: CaStep, parts: Parts = {}): void {
  const { store } = context
  const { ca } = store
  // This is the last list that the old key can sign.
  if (step.key !== 'kept') latestList(context)
  const requested = parts.requested ? [parts.requested] : []
  store.ca = {
    state: step.next,
    key: pick(step.key, parts.key, ca.key),
    certificate: pick(step.certificate, parts.certificate, ca.certificate),
    shown: pick(step.shown, parts.certificate, ca.shown),
    requested:
      step.requested === 'added'
        ? [...ca.requested, ...requested]
        : (pick(step.requested, requested, ca.requested) ?? []),
  }
  if (step.shown === 'gone' && ca.shown) store.certificates.delete(serialKey(ca.shown.parsed.serial))
  if (parts.certificate && store.ca.certificate === parts.certificate) {
    const { der, serial, notAfter } = parts.certificate.parsed
    store.certificates.set(serialKey(serial), { der: der.toString('latin1'), notAfter })
  }
  if (step.next === 'present' && !isUnchanged(step)) rotate(context, ca.shown ? 'replacedCa' : 'newCa')
}
