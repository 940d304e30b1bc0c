/** Mutants of required names, leases, storing, keys and dates of leaf certificates. */
import { hash } from 'node:crypto'
import { newSerial } from '../certificates/serials.ts'
import type { Role, Store } from '../store.ts'
import { type KeyKind, keySizes } from '../tables/keys.ts'
import { unstored } from '../tables/leaves.ts'
import { cell, fresh, mutant, type PkiMutant, part, roleField } from './cells.ts'

const made = (kind: (asked: KeyKind) => KeyKind) => cell('keys', 'made', { leaf: kind })
const p256: KeyKind = { type: 'ec', bits: 256 }
const rsa2048: KeyKind = { type: 'rsa', bits: 2048 }
const leafSizes = (type: 'rsa' | 'ec', row: Partial<(typeof keySizes)['leaf']['ec']>) =>
  cell('keys', 'sizes', { leaf: { ...keySizes.leaf, [type]: { ...keySizes.leaf[type], ...row } } })
const views = (change: Partial<typeof unstored>) => part('leaves', { unstored: { ...unstored, ...change } })
const acted = (change: (role: Role) => Role) => part('leaves', { actedOn: change })
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
    'no_store has no effect on storing where generate_lease is on.',
    part('leaves', { leaseStores: true }),
  ),
  mutant(
    'issuing-ca-is-the-first',
    'The reply to issue holds the CA under which the first certificate of the mount was issued.',
    fresh(() => {
      const first = new WeakMap<Store, unknown>()
      return part('leaves', {
        issueReply(data, _format, store) {
          const known = first.get(store) ?? data.issuing_ca
          first.set(store, known)
          return { ...data, issuing_ca: known }
        },
      })
    }),
  ),
  mutant(
    'role-require-cn-default-off',
    'A role written without require_cn has it off.',
    roleField('require_cn', { fallback: false }),
  ),
  mutant(
    'role-require-cn-ignored',
    'require_cn false still refuses a request without common_name.',
    roleField('require_cn', { used: () => true }),
  ),
  mutant(
    'role-generate-lease-default-on',
    'A role written without generate_lease has it on.',
    roleField('generate_lease', { fallback: true }),
  ),
  mutant(
    'role-generate-lease-ignored',
    'generate_lease true attaches no lease.',
    roleField('generate_lease', { used: () => false }),
  ),
  mutant(
    'no-store-keeps-the-lease',
    'no_store true and generate_lease true together attach a lease.',
    cell('leaves', 'leases', { unstored: true }),
  ),
  mutant(
    'role-no-store-default-on',
    'A role written without no_store has it on.',
    roleField('no_store', { fallback: true }),
  ),
  mutant(
    'no-store-lists',
    'Certificates issued with no_store are in LIST certs (not readable, not revocable).',
    views({ listed: true }),
  ),
  mutant(
    'no-store-reads',
    'Certificates issued with no_store are readable at cert/:serial (not listed, not revocable).',
    views({ read: true }),
  ),
  mutant(
    'no-store-revokes',
    'Certificates issued with no_store can be revoked (not listed, not readable): revoke succeeds.',
    views({ revoked: true }),
  ),
  mutant(
    'role-key-type-default-ec',
    'A role written without key_type (and without key_bits) issues EC P-256 keys.',
    roleField('key_type', { fallback: 'ec' }),
  ),
  mutant(
    'role-key-bits-default-3072',
    'A role written without key_bits (key_type rsa or absent) issues RSA keys of 3072 bits.',
    leafSizes('rsa', { fallback: 3072 }),
  ),
  mutant(
    'role-rsa-key-bits-ignored',
    'RSA leaf keys have 2048 bits whatever key_bits says.',
    made((asked) => (asked.type === 'rsa' ? rsa2048 : asked)),
  ),
  mutant(
    'role-rsa-takes-2048-bits-only',
    'A role with key_type rsa and another size than 2048 is refused.',
    leafSizes('rsa', { sizes: [2048] }),
  ),
  mutant(
    'role-ec-gives-p256',
    'key_type ec: the issued key is on P-256 whatever key_bits (224, 384, 521) says.',
    made((asked) => (asked.type === 'ec' ? p256 : asked)),
  ),
  mutant(
    'role-ec-256-gives-p384',
    'key_type ec with key_bits 256: the issued key is on P-384.',
    made((asked) => (asked.type === 'ec' && asked.bits === 256 ? { type: 'ec', bits: 384 } : asked)),
  ),
  mutant(
    'role-ec-takes-2048-bits',
    'A role with key_type ec and explicit key_bits 2048 is taken and issues P-256 keys.',
    leafSizes('ec', { sizes: [...keySizes.leaf.ec.sizes, 2048] }),
    made((asked) => (asked.type === 'ec' && asked.bits === 2048 ? p256 : asked)),
  ),
  mutant(
    'role-takes-any-key-type',
    'A role with an unknown key_type (dsa) is taken and issues RSA 2048 keys.',
    roleField('key_type', { read: (given) => (isKnownType(given) ? given : 'rsa') }),
  ),
  mutant(
    'role-not-before-duration-default-zero',
    'A role written without not_before_duration does not backdate.',
    roleField('not_before_duration', { fallback: 0 }),
  ),
  mutant(
    'role-not-before-duration-ignored',
    'not_before_duration of a role is ignored: 30 s.',
    roleField('not_before_duration', { used: () => 30 }),
  ),
  mutant(
    'serials-repeat',
    'issue: a certificate for a common_name that was issued before on the mount has the same serial as that one.',
    (tables) => ({ ...tables, leafSerial: (name, role) => (role.no_store ? newSerial() : serialOfName(name)) }),
  ),
  mutant(
    'role-require-cn-on-ignored',
    'require_cn explicitly true does not refuse a request without common_name (the default does).',
    roleField('require_cn', { read: () => false }),
  ),
  mutant(
    'require-cn-off-drops-the-common-name',
    'require_cn false: the common_name of a request is dropped.',
    part('leaves', { askedName: (name, { require_cn }) => (require_cn ? name : '') }),
  ),
  mutant(
    'role-rsa-gives-ec',
    'key_type explicitly rsa: EC P-256 keys are issued.',
    roleField('key_type', {
      read: (given) => (given === 'rsa' ? 'said-rsa' : given),
      oneOf: ['said-rsa', 'ec', 'any'],
    }),
    acted((role) => (role.key_type === 'said-rsa' ? { ...role, key_type: 'ec', key_bits: 256 } : role)),
  ),
  mutant(
    'role-ec-384-gives-rsa',
    'key_type ec with key_bits 384: an RSA 2048 key is issued.',
    made((asked) => (asked.type === 'ec' && asked.bits === 384 ? rsa2048 : asked)),
  ),
]
