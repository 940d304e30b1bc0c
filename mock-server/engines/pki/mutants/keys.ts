/** Mutants of the keys of CAs, and of which keys are returned. */

import type { Store } from '../store.ts'
import { keyTypes } from '../tables/formats.ts'
import { type KeyKind, keySizes } from '../tables/keys.ts'
import type { KeyPair } from '../x509/keys.ts'
import { cell, fresh, mutant, type PkiMutant, part, requestField } from './cells.ts'

const places = ['root', 'intermediate'] as const
const made = (kind: (asked: KeyKind) => KeyKind) => cell('keys', 'made', { ca: kind })
const p256: KeyKind = { type: 'ec', bits: 256 }
const caSizes = (type: 'rsa' | 'ec', row: Partial<(typeof keySizes)['ca']['ec']>) =>
  cell('keys', 'sizes', { ca: { ...keySizes.ca, [type]: { ...keySizes.ca[type], ...row } } })
const shows = (operation: keyof typeof keyTypes, type: string, shown: { field: boolean; bundle: boolean }) =>
  part('keyTypes', { [operation]: { ...keyTypes[operation], [type]: shown } })

/** The first key of a mount is used again for all keys of its type. */
const repeated = (use: 'leaf' | 'root') =>
  fresh(() => {
    const first = new WeakMap<Store, KeyPair>()
    return cell('keys', 'taken', {
      [use](made: KeyPair, store: Store): KeyPair {
        const known = first.get(store)
        if (known?.type === made.type && known.bits === made.bits) return known
        first.set(store, made)
        return made
      },
    })
  })

export const keyMutants: readonly PkiMutant[] = [
  mutant('leaf-keys-repeat', 'All certificates that are issued on a mount have the same key.', repeated('leaf')),
  mutant(
    'root-generate-after-delete-reuses-the-key',
    'root/generate on a mount whose root was deleted uses the key of the deleted one.',
    repeated('root'),
  ),
  mutant(
    'issue-under-key-type-any',
    'Certificates are issued under a role with key_type any, with an RSA key.',
    cell('keys', 'any', { issues: true }),
  ),
  mutant(
    'ca-key-type-default-ec',
    'Either of the two without key_type and key_bits: EC P-256.',
    requestField(places, 'key_type', { fallback: 'ec' }),
  ),
  mutant(
    'ca-key-bits-default-3072',
    'Either of the two without key_bits (RSA): 3072 bits.',
    caSizes('rsa', { fallback: 3072 }),
  ),
  mutant(
    'ca-ec-gives-p256',
    'Either of the two with key_type ec: a P-256 key whatever key_bits (224, 384, 521) says.',
    made((asked) => (asked.type === 'ec' ? p256 : asked)),
  ),
  mutant(
    'ca-rsa-gives-2048',
    'Either of the two with key_type rsa: a key of 2048 bits whatever key_bits (3072, 4096) says.',
    made((asked) => (asked.type === 'rsa' ? { type: 'rsa', bits: 2048 } : asked)),
  ),
  mutant(
    'ca-ec-takes-2048-bits',
    'Either of the two with key_type ec and explicit key_bits 2048 succeeds with a P-256 key.',
    caSizes('ec', { sizes: [...keySizes.ca.ec.sizes, 2048] }),
    made((asked) => (asked.type === 'ec' && asked.bits === 2048 ? p256 : asked)),
  ),
  mutant(
    'ca-takes-any-key-type',
    'Either of the two with an unknown key_type (dsa) succeeds with an RSA 2048 key.',
    requestField(places, 'key_type', { read: (given) => (['rsa', 'ec', ''].includes(String(given)) ? given : 'rsa') }),
  ),
  mutant(
    'ca-takes-any-type',
    'Either of the two: an unknown :type segment (neither exported nor internal) is taken as exported.',
    (tables) => ({ ...tables, unknownKeyType: 'exported' }),
  ),
  mutant(
    'root-internal-reveals-key',
    'root/generate: type internal returns the private key.',
    shows('root', 'internal', { field: true, bundle: true }),
  ),
  mutant(
    'root-exported-hides-key',
    'root/generate: type exported returns no private key.',
    shows('root', 'exported', { field: false, bundle: false }),
  ),
  mutant(
    'intermediate-internal-reveals-key',
    'intermediate/generate: type internal returns the private key (as a field of its own).',
    shows('intermediate', 'internal', { field: true, bundle: false }),
  ),
  mutant(
    'intermediate-exported-hides-key',
    'intermediate/generate: type exported returns no private key (in no format).',
    shows('intermediate', 'exported', { field: false, bundle: false }),
  ),
  mutant(
    'intermediate-bundle-reveals-internal-key',
    'intermediate/generate/internal with pem_bundle: `csr` holds key and CSR.',
    shows('intermediate', 'internal', { field: false, bundle: true }),
  ),
]
