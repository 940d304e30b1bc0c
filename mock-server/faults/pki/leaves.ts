/** Mutants of leaf certificates: required names, leases, storage, keys, dates and serials. */
import { hash } from 'node:crypto'
import { newSerial } from '../../engines/pki/certificates/serials.ts'
import { type KeyKind, keySizes } from '../../engines/pki/rules/keys.ts'
import { unstored } from '../../engines/pki/rules/leaves.ts'
import type { Role } from '../../engines/pki/store.ts'
import { without } from '../operations.ts'
import { after, cell, mutant, on, type PkiMutant, part, roleField, showing } from './cells.ts'

const issue = ['POST issue/:name']
const withoutCa = (fields: object): object => without(without(fields, 'issuing_ca'), 'ca_chain')

const leafKeys = (kind: (asked: KeyKind) => KeyKind) => cell('keys', 'made', { leaf: kind })
const p256: KeyKind = { type: 'ec', bits: 256 }
const rsa2048: KeyKind = { type: 'rsa', bits: 2048 }
const leafSizes = (type: 'rsa' | 'ec', row: Partial<(typeof keySizes)['leaf']['ec']>) =>
  cell('keys', 'sizes', { leaf: { ...keySizes.leaf, [type]: { ...keySizes.leaf[type], ...row } } })
const unstoredViews = (change: Partial<typeof unstored>) => part('leaves', { unstored: { ...unstored, ...change } })
const roleActedOn = (change: (role: Role) => Role) => part('leaves', { actedOn: change })
const isKnownType = (given: unknown): boolean => ['rsa', 'ec', 'any', ''].includes(String(given))

/** Returns the same serial number for the same name. */
function serialOfName(name: string): Buffer {
  const serial = hash('sha1', name, 'buffer')
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  return serial
}

export const leafMutants: readonly PkiMutant[] = [
  mutant(
    'no-store-stores-what-is-leased',
    'no_store is ignored if generate_lease is on: the certificate is stored.',
    part('leaves', { leaseStores: true }),
  ),
  mutant(
    'issuing-ca-is-the-first',
    'issue always returns the issuing CA of the first certificate of the mount.',
    on(
      issue,
      () => true,
      async (call, next, { memory }) => {
        const reply = await next(call)
        if (reply.kind !== 'data' || !reply.data || !('issuing_ca' in reply.data)) return reply
        if (!memory.has('first')) memory.set('first', reply.data.issuing_ca)
        return { ...reply, data: { ...reply.data, issuing_ca: memory.get('first') } }
      },
    ),
  ),
  mutant(
    'issue-omits-the-issuing-ca-unless-generated',
    'The reply to issue has neither issuing CA nor chain if the CA was submitted or set by set-signed.',
    showing(issue, (_call, { context }) => context.store.ca.certificate?.origin !== 'own-root', withoutCa),
  ),
  mutant(
    'issue-omits-the-issuing-ca-as-der',
    'The reply to issue with format der has neither issuing CA nor chain.',
    showing(issue, ({ body }) => body.format === 'der', withoutCa),
  ),
  mutant(
    'issue-forgets-revocations',
    'issue undoes all revocations.',
    after(
      issue,
      (_call, { context }) => context.store.revocations.size > 0,
      (_call, { context }) => context.store.revocations.clear(),
    ),
  ),
  mutant(
    'role-require-cn-default-off',
    'A role written without require_cn has it off.',
    roleField('require_cn', { fallback: false }),
  ),
  mutant(
    'role-require-cn-ignored',
    'A request without common_name is refused even if require_cn is false.',
    roleField('require_cn', { used: () => true }),
  ),
  mutant(
    'role-generate-lease-default-on',
    'A role written without generate_lease has it on.',
    roleField('generate_lease', { fallback: true }),
  ),
  mutant(
    'role-generate-lease-ignored',
    'No lease is attached even if generate_lease is true.',
    roleField('generate_lease', { used: () => false }),
  ),
  mutant(
    'no-store-keeps-the-lease',
    'A lease is attached although no_store is on, if generate_lease is on.',
    cell('leaves', 'leases', { unstored: true }),
  ),
  mutant(
    'role-no-store-default-on',
    'A role written without no_store has it on.',
    roleField('no_store', { fallback: true }),
  ),
  mutant(
    'no-store-lists',
    'LIST certs names certificates that were issued with no_store.',
    unstoredViews({ listed: true }),
  ),
  mutant(
    'no-store-reads',
    'GET cert/:serial returns certificates that were issued with no_store.',
    unstoredViews({ read: true }),
  ),
  mutant(
    'no-store-revokes',
    'revoke succeeds for certificates that were issued with no_store.',
    unstoredViews({ revoked: true }),
  ),
  mutant(
    'role-key-type-default-ec',
    'A role written without key_type and key_bits issues EC P-256 keys.',
    roleField('key_type', { fallback: 'ec' }),
  ),
  mutant(
    'role-key-bits-default-3072',
    'A role for RSA keys written without key_bits issues keys of 3072 bits.',
    leafSizes('rsa', { fallback: 3072 }),
  ),
  mutant(
    'role-rsa-key-bits-ignored',
    'Issued RSA keys always have 2048 bits, whatever key_bits says.',
    leafKeys((asked) => (asked.type === 'rsa' ? rsa2048 : asked)),
  ),
  mutant(
    'role-rsa-keys-are-of-3072-bits-at-most',
    'Issued RSA keys have 3072 bits if key_bits is larger.',
    leafKeys((asked) => (asked.type === 'rsa' ? { type: 'rsa', bits: Math.min(asked.bits, 3072) } : asked)),
  ),
  mutant(
    'role-rsa-takes-2048-bits-only',
    'A role with key_type rsa is refused unless key_bits is 2048.',
    leafSizes('rsa', { sizes: [2048] }),
  ),
  mutant(
    'role-ec-gives-p256',
    'Issued EC keys are always on P-256, whatever key_bits says.',
    leafKeys((asked) => (asked.type === 'ec' ? p256 : asked)),
  ),
  mutant(
    'role-ec-256-gives-p384',
    'With key_type ec and key_bits 256, issued keys are on P-384.',
    leafKeys((asked) => (asked.type === 'ec' && asked.bits === 256 ? { type: 'ec', bits: 384 } : asked)),
  ),
  mutant(
    'role-ec-takes-2048-bits',
    'A role with key_type ec and key_bits 2048 is accepted and issues P-256 keys.',
    leafSizes('ec', { sizes: [...keySizes.leaf.ec.sizes, 2048] }),
    leafKeys((asked) => (asked.type === 'ec' && asked.bits === 2048 ? p256 : asked)),
  ),
  mutant(
    'role-takes-any-key-type',
    'A role with an unknown key_type such as dsa is accepted and issues RSA keys.',
    roleField('key_type', { read: (given) => (isKnownType(given) ? given : 'rsa') }),
  ),
  mutant(
    'role-not-before-duration-default-zero',
    'A role written without not_before_duration does not backdate certificates.',
    roleField('not_before_duration', { fallback: 0 }),
  ),
  mutant(
    'role-not-before-duration-ignored',
    'not_before_duration of a role is ignored: certificates are backdated by 30 s.',
    roleField('not_before_duration', { used: () => 30 }),
  ),
  mutant(
    'serials-repeat',
    'issue gives all stored certificates with the same common_name the same serial.',
    (rules) => ({ ...rules, leafSerial: (name, role) => (role.no_store ? newSerial() : serialOfName(name)) }),
  ),
  mutant(
    'role-require-cn-on-ignored',
    'A request without common_name is refused only if require_cn is left at its default, not if it is explicitly true.',
    roleField('require_cn', { read: () => false }),
  ),
  mutant(
    'require-cn-off-drops-the-common-name',
    'The common_name of a request is ignored if require_cn is false.',
    part('leaves', { askedName: (name, { require_cn }) => (require_cn ? name : '') }),
  ),
  mutant(
    'role-rsa-gives-ec',
    'A role with an explicit key_type rsa issues EC P-256 keys.',
    roleField('key_type', {
      read: (given) => (given === 'rsa' ? 'said-rsa' : given),
      oneOf: ['said-rsa', 'ec', 'any'],
    }),
    roleActedOn((role) => (role.key_type === 'said-rsa' ? { ...role, key_type: 'ec', key_bits: 256 } : role)),
  ),
  mutant(
    'role-ec-384-gives-rsa',
    'With key_type ec and key_bits 384, RSA keys of 2048 bits are issued.',
    leafKeys((asked) => (asked.type === 'ec' && asked.bits === 384 ? rsa2048 : asked)),
  ),
]
