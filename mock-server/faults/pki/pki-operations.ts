/** Makes faults of the PKI engine from changed operations, and from changed drafts of what is signed. */

import { serialOf } from '../../engines/pki/certificates/serials.ts'
import type { Context } from '../../engines/pki/context.ts'
import { caOf, savedCa } from '../../engines/pki/persistence.ts'
import type { Asked } from '../../engines/pki/rules/names.ts'
import type { Ca, CaCertificate, Issuer, Role } from '../../engines/pki/store.ts'
import type { Draft } from '../../engines/pki/x509/certificate.ts'
import type { ListDraft } from '../../engines/pki/x509/crl.ts'
import type { Call, Reply } from '../../kernel/contracts.ts'
import { anyListField } from '../../kernel/http/body-fields.ts'
import type { Fault, Form, Scene } from '../fault.ts'
import { nameIn, operationsOf } from '../operations.ts'
import { during } from '../with-methods.ts'
import { strangerKey } from './strangers.ts'

const operations = operationsOf<Context>('pki', 'pki')
export const { after, around, byRules, fault, faults, naming, on, refusing } = operations
export const { remembering, rule, sending, showing, stored, whenRefused } = operations
export type PkiFault = Fault<Context>
export type Here = Scene<Context>
export type Forms = Form<Context> | readonly Form<Context>[]

export const always = (): boolean => true

/** The operations that act on a role. */
export const issue = ['POST issue/:name']
export const sign = ['POST sign/:name']
export const usingRoles = [...issue, ...sign, 'POST sign-verbatim/:name']
/** The operations that can change the CA. */
export const generateRoot = ['POST root/generate/:type']
export const deleteRoot = ['DELETE root']
export const configCa = ['POST config/ca']
export const generateIntermediate = ['POST intermediate/generate/:type']
export const setSigned = ['POST intermediate/set-signed']
export const signIntermediate = ['POST root/sign-intermediate']

export const roleAt = (call: Call, { context }: Here): Role | undefined => context.store.roles.get(nameIn(call))

/** Handles operations as if the role was another one. The handler reads it before it first waits. */
export const asRole = (operations: readonly string[], change: (role: Role, call: Call, here: Here) => Role) => {
  const other = (call: Call, here: Here): Role | undefined => {
    const role = roleAt(call, here)
    return role && change(role, call, here)
  }
  return on(
    operations,
    (call, here) => other(call, here) !== roleAt(call, here),
    (call, next, here) => {
      const { roles } = here.context.store
      const [before, changed] = [roleAt(call, here), other(call, here)]
      if (!before || !changed) return next(call)
      roles.set(nameIn(call), changed)
      try {
        return next(call)
      } finally {
        roles.set(nameIn(call), before)
      }
    },
  )
}

/** Handles operations as if the mount had another CA. The handler reads it before it first waits. */
export const asCa = (
  operations: readonly string[],
  when: (call: Call, here: Here) => boolean,
  ca: (here: Here) => Ca,
) => on(operations, when, (call, next, here) => during(here.context.store, { ca: ca(here) }, () => next(call)))

/** Stores another CA than the one that an operation leaves behind. */
export const leavingCa = (
  operations: readonly string[],
  when: (call: Call, here: Here) => boolean,
  change: (ca: Ca, before: Ca, here: Here) => Ca,
) =>
  on(operations, when, async (call, next, here) => {
    const { store } = here.context
    const before = store.ca
    const { further } = store.issuers
    const reply = await next(call)
    if (store.ca === before) return reply
    store.ca = change(store.ca, before, here)
    if (store.ca.certificate === before.certificate) store.issuers.further = further
    return reply
  })

/** Changes the certificates above the CA that an operation installs. */
export const leavingChain = (
  operations: readonly string[],
  change: (chain: readonly Buffer[], before: Ca) => readonly Buffer[],
  when: (call: Call, here: Here) => boolean = always,
) =>
  leavingCa(operations, when, (ca, before) => {
    if (!ca.certificate || ca.certificate === before.certificate) return ca
    const certificate = { ...ca.certificate, chain: change(ca.certificate.chain, before) }
    return { ...ca, certificate, shown: certificate }
  })

/** Remembers the CA that operations replaced, if it could sign. */
export const remembersFormerCa = (operations: readonly string[]) =>
  on(
    operations,
    (_call, { context }) => context.store.ca.key !== undefined,
    async (call, next, { context, memory }) => {
      const before = context.store.ca
      const reply = await next(call)
      if (context.store.ca.key !== before.key) memory.set('former CA', savedCa(before))
      return reply
    },
    { remembers: true },
  )
export const hasFormerCa = ({ memory }: Here): boolean => memory.has('former CA')
export const formerCa = ({ memory }: Here): Ca => caOf(memory.get('former CA') as ReturnType<typeof savedCa>)

export const isSubmitted = ({ origin }: CaCertificate): boolean => origin.startsWith('submitted-')

export type CertificateKind = 'leaf' | 'root' | 'intermediate'

/** Signs other certificates than the engine drafts. `change` returns the same draft if it changes nothing. */
export const drafting = (
  kinds: readonly CertificateKind[],
  change: (draft: Draft, here: Here) => Draft,
): readonly Form<Context>[] =>
  kinds.map((kind) =>
    stored(
      'signing',
      kind as 'leaf',
      ([draft, by], next, here) => next(change(draft, here), by),
      ([draft], here) => change(draft, here) !== draft,
    ),
  )

/** Signs other revocation lists than the engine drafts. `change` returns the same draft if it changes nothing. */
export const draftingList = (change: (draft: ListDraft, here: Here) => ListDraft) =>
  stored(
    'signing',
    'list',
    ([draft, by], next, here) => next(change(draft, here), by),
    ([draft], here) => change(draft, here) !== draft,
  )

/** Signs with another key than that of the CA. */
export const signedByStranger = (
  kind: 'leaf' | 'intermediate' | 'list',
  when: (by: Issuer, here: Here, draft: Draft | ListDraft) => boolean = always,
) =>
  stored(
    'signing',
    kind as 'leaf',
    ([draft, by], next) => next(draft, { ...by, key: strangerKey() }),
    ([draft, by], here) => when(by, here, draft),
  )

/** Returns the names in a list, in any form that requests have. */
export function namesOf(given: unknown, isMeant: (name: string) => boolean = always): readonly string[] {
  try {
    return (anyListField({ given }, 'given') ?? []).filter(isMeant)
  } catch {
    return []
  }
}
export const isEmail = (name: string): boolean => name.includes('@')
export const isHost = (name: string): boolean => !isEmail(name)
export const saysYes = (given: unknown): boolean => String(given) === 'true'

/** Allows every common name, or every other name, of some requests. */
export const allowing = (
  operations: readonly string[],
  isMeant: (asked: Asked) => boolean,
  when: (call: Call, here: Here) => boolean = always,
) =>
  byRules(operations, when, ({ names }) => ({
    names: { ...names, anyName: (role, asked) => isMeant(asked) || names.anyName(role, asked) },
  }))

/** Returns the serial number of the certificate in a reply, with hyphens. */
export const issuedSerial = (reply: Reply): string | undefined =>
  reply.kind === 'data' ? serialOf(String((reply.data as Fields | null)?.serial_number)) : undefined
type Fields = Readonly<Record<string, unknown>>
/** Remembers the roles under which certificates were issued, by serial number. */
export const remembersRoles = remembering([...issue, ...sign], (call, { memory }, reply) => {
  const serial = issuedSerial(reply)
  if (serial !== undefined) memory.set(serial, nameIn(call))
})
