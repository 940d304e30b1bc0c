/** Faults of leaf certificates: required names, leases, storage, keys, dates and serials. */

import { hash } from 'node:crypto'
import { leaseOf } from '../../engines/pki/certificates/leaf.ts'
import { serialOf } from '../../engines/pki/certificates/serials.ts'
import type { KeyKind } from '../../engines/pki/rules/keys.ts'
import type { Role } from '../../engines/pki/store.ts'
import { readName } from '../../engines/pki/x509/names.ts'
import type { Call, Reply } from '../../kernel/contracts.ts'
import { without } from '../operations.ts'
import { roleField } from './cells.ts'
import {
  after,
  always,
  asRole,
  faults,
  type Here,
  issue,
  issuedSerial,
  on,
  type PkiFault,
  refusing,
  roleAt,
  sending,
  showing,
  stored,
  whenRefused,
} from './pki-operations.ts'

const withoutCa = (fields: object): object => without(without(fields, 'issuing_ca'), 'ca_chain')

/** Issues keys of another type or size than the role says. */
const issuing = (isMeant: (role: Role) => boolean, key: (role: Role) => KeyKind) =>
  asRole(issue, (role) => {
    const { type, bits } = key(role)
    const isOther = isMeant(role) && (type !== role.key_type || bits !== role.key_bits)
    return isOther ? { ...role, key_type: type, key_bits: bits } : role
  })
const isRsa = ({ key_type: type }: Role): boolean => type === 'rsa'
const isEc = ({ key_type: type }: Role): boolean => type === 'ec'
const rsa = (bits: number): KeyKind => ({ type: 'rsa', bits })
const ec = (bits: number): KeyKind => ({ type: 'ec', bits })
const saysRsa = ({ key_type }: Call['body']): boolean => (key_type || 'rsa') === 'rsa'
const write = ['POST roles/:name']

/** A certificate that its role does not store. */
interface Unstored {
  readonly serial: string
  readonly certificate: unknown
  readonly notAfter: number
}
const unstoredIn = (reply: Reply): Unstored | undefined => {
  const serial = issuedSerial(reply)
  if (serial === undefined || reply.kind !== 'data') return undefined
  const { certificate, expiration } = reply.data as { readonly certificate: unknown; readonly expiration: number }
  return { serial, certificate, notAfter: expiration * 1000 }
}
const isUnstored = (call: Call, here: Here): boolean => roleAt(call, here)?.no_store === true
const remembersUnstored = on(
  issue,
  isUnstored,
  async (call, next, { memory }) => {
    const reply = await next(call)
    const unstored = unstoredIn(reply)
    if (unstored) memory.set(unstored.serial, unstored)
    return reply
  },
  { remembers: true },
)
const unstoredAt = (serial: unknown, { memory }: Here): Unstored | undefined =>
  memory.get(serialOf(String(serial)) ?? '') as Unstored | undefined

const nameOf = (subject: Buffer): string => readName(subject).commonName?.at(-1) ?? ''
const isKnownType = (given: unknown): boolean => ['rsa', 'ec', 'any', ''].includes(String(given))

/** Returns the same serial number for the same name. */
function serialOfName(name: string): Buffer {
  const serial = hash('sha1', name, 'buffer')
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  return serial
}

export const ofLeaves: readonly PkiFault[] = faults({
  'no-store-stores-what-is-leased': 'no_store is ignored if generate_lease is on: the certificate is stored.',
  'issuing-ca-is-the-first': 'issue always returns the issuing CA of the first certificate of the mount.',
  'issue-omits-the-issuing-ca-unless-generated':
    'The reply to issue has neither issuing CA nor chain if the CA was submitted or set by set-signed.',
  'issue-omits-the-issuing-ca-as-der': 'The reply to issue with format der has neither issuing CA nor chain.',
  'issue-forgets-revocations': 'issue undoes all revocations.',
  'role-require-cn-default-off': 'A role written without require_cn has it off.',
  'role-require-cn-ignored': 'A request without common_name is refused even if require_cn is false.',
  'role-generate-lease-default-on': 'A role written without generate_lease has it on.',
  'role-generate-lease-ignored': 'No lease is attached even if generate_lease is true.',
  'no-store-keeps-the-lease': 'A lease is attached although no_store is on, if generate_lease is on.',
  'role-no-store-default-on': 'A role written without no_store has it on.',
  'no-store-lists': 'LIST certs names certificates that were issued with no_store.',
  'no-store-reads': 'GET cert/:serial returns certificates that were issued with no_store.',
  'no-store-revokes': 'revoke succeeds for certificates that were issued with no_store.',
  'role-key-type-default-ec': 'A role written without key_type and key_bits issues EC P-256 keys.',
  'role-key-bits-default-3072': 'A role for RSA keys written without key_bits issues keys of 3072 bits.',
  'role-rsa-key-bits-ignored': 'Issued RSA keys always have 2048 bits, whatever key_bits says.',
  'role-rsa-keys-are-of-3072-bits-at-most': 'Issued RSA keys have 3072 bits if key_bits is larger.',
  'role-rsa-takes-2048-bits-only': 'A role with key_type rsa is refused unless key_bits is 2048.',
  'role-ec-gives-p256': 'Issued EC keys are always on P-256, whatever key_bits says.',
  'role-ec-256-gives-p384': 'With key_type ec and key_bits 256, issued keys are on P-384.',
  'role-ec-takes-2048-bits': 'A role with key_type ec and key_bits 2048 is accepted and issues P-256 keys.',
  'role-takes-any-key-type': 'A role with an unknown key_type such as dsa is accepted and issues RSA keys.',
  'role-not-before-duration-default-zero': 'A role written without not_before_duration does not backdate certificates.',
  'role-not-before-duration-ignored': 'not_before_duration of a role is ignored: certificates are backdated by 30 s.',
  'serials-repeat': 'issue gives all stored certificates with the same common_name the same serial.',
  'role-require-cn-on-ignored':
    'A request without common_name is refused only if require_cn is left at its default, not if it is explicitly true.',
  'require-cn-off-drops-the-common-name': 'The common_name of a request is ignored if require_cn is false.',
  'role-rsa-gives-ec': 'A role with an explicit key_type rsa issues EC P-256 keys.',
  'role-ec-384-gives-rsa': 'With key_type ec and key_bits 384, RSA keys of 2048 bits are issued.',
}).by({
  'no-store-stores-what-is-leased': asRole(issue, (role) =>
    role.no_store && role.generate_lease ? { ...role, no_store: false, generate_lease: false } : role,
  ),
  'issuing-ca-is-the-first': on(
    issue,
    () => true,
    async (call, next, { memory }) => {
      const reply = await next(call)
      if (reply.kind !== 'data' || !reply.data || !('issuing_ca' in reply.data)) return reply
      if (!memory.has('first')) memory.set('first', reply.data.issuing_ca)
      return { ...reply, data: { ...reply.data, issuing_ca: memory.get('first') } }
    },
  ),
  'issue-omits-the-issuing-ca-unless-generated': showing(
    issue,
    (_call, { context }) => context.store.ca.certificate?.origin !== 'own-root',
    withoutCa,
  ),
  'issue-omits-the-issuing-ca-as-der': showing(issue, ({ body }) => body.format === 'der', withoutCa),
  'issue-forgets-revocations': after(
    issue,
    (_call, { context }) => context.store.revocations.size > 0,
    (_call, { context }) => context.store.revocations.clear(),
  ),
  'role-require-cn-default-off': roleField('require_cn', { fallback: false }),
  'role-require-cn-ignored': roleField('require_cn', { used: () => true }),
  'role-generate-lease-default-on': roleField('generate_lease', { fallback: true }),
  'role-generate-lease-ignored': roleField('generate_lease', { used: () => false }),
  'no-store-keeps-the-lease': after(
    issue,
    (call, here) => isUnstored(call, here) && roleAt(call, here)?.generate_lease === true,
    (_call, { context }, reply) => {
      const unstored = unstoredIn(reply)
      return unstored && { ...reply, lease: leaseOf(context, unstored) }
    },
  ),
  'role-no-store-default-on': roleField('no_store', { fallback: true }),
  'no-store-lists': [
    remembersUnstored,
    showing(
      ['LIST certs'],
      (_call, { memory }) => memory.size > 0,
      (fields, { memory }) => ({ ...fields, keys: [...(fields.keys as string[]), ...memory.keys()].sort() }),
    ),
  ],
  'no-store-reads': [
    remembersUnstored,
    whenRefused(
      ['GET cert/:serial'],
      ({ params }, here) => unstoredAt(params.serial, here) !== undefined,
      ({ params }, here) => ({
        kind: 'data',
        data: { certificate: unstoredAt(params.serial, here)?.certificate, revocation_time: 0 },
      }),
    ),
  ],
  'no-store-revokes': [
    remembersUnstored,
    on(
      ['POST revoke'],
      ({ body }, here) => unstoredAt(body.serial_number, here) !== undefined,
      (call, next, here) => {
        const { certificates } = here.context.store
        const { serial = '', notAfter = 0 } = unstoredAt(call.body.serial_number, here) ?? {}
        certificates.set(serial, { der: '', notAfter })
        try {
          return next(call)
        } finally {
          certificates.delete(serial)
        }
      },
    ),
  ],
  'role-key-type-default-ec': roleField('key_type', { fallback: 'ec' }),
  'role-key-bits-default-3072': sending(write, (body) => (saysRsa(body) && !body.key_bits ? { key_bits: 3072 } : {})),
  'role-rsa-key-bits-ignored': issuing(isRsa, () => rsa(2048)),
  'role-rsa-keys-are-of-3072-bits-at-most': issuing(isRsa, ({ key_bits }) => rsa(Math.min(key_bits, 3072))),
  'role-rsa-takes-2048-bits-only': refusing(
    write,
    ({ body }) => saysRsa(body) && ![0, 2048].includes(Number(body.key_bits || 0)),
  ),
  'role-ec-gives-p256': issuing(isEc, () => ec(256)),
  'role-ec-256-gives-p384': issuing(
    (role) => isEc(role) && role.key_bits === 256,
    () => ec(384),
  ),
  'role-ec-takes-2048-bits': sending(write, ({ key_type, key_bits }) =>
    key_type === 'ec' && Number(key_bits) === 2048 ? { key_bits: 256 } : {},
  ),
  'role-takes-any-key-type': roleField('key_type', { read: (given) => (isKnownType(given) ? given : 'rsa') }),
  'role-not-before-duration-default-zero': roleField('not_before_duration', { fallback: 0 }),
  'role-not-before-duration-ignored': roleField('not_before_duration', { used: () => 30 }),
  'serials-repeat': [
    on(
      issue,
      always,
      (call, next, here) => {
        here.memory.set(String(call.body.common_name ?? ''), !isUnstored(call, here))
        return next(call)
      },
      { remembers: true },
    ),
    stored(
      'signing',
      'leaf',
      ([draft, by], next) => next({ ...draft, serial: serialOfName(nameOf(draft.subject)) }, by),
      ([{ subject }], { memory }) => memory.get(nameOf(subject)) === true,
    ),
  ],
  'role-require-cn-on-ignored': roleField('require_cn', { read: () => false }),
  'require-cn-off-drops-the-common-name': sending(issue, ({ common_name }, call, here) =>
    common_name && roleAt(call, here)?.require_cn === false ? { common_name: '' } : {},
  ),
  'role-rsa-gives-ec': [
    roleField('key_type', {
      read: (given) => (given === 'rsa' ? 'said-rsa' : given),
      oneOf: ['said-rsa', 'ec', 'any'],
    }),
    issuing(
      ({ key_type }) => key_type === 'said-rsa',
      () => ec(256),
    ),
  ],
  'role-ec-384-gives-rsa': issuing(
    (role) => isEc(role) && role.key_bits === 384,
    () => rsa(2048),
  ),
})
