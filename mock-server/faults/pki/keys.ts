/** Mutants of the keys of CAs, and of which keys are returned. */

import { keyTypes } from '../../engines/pki/rules/formats.ts'
import { type KeyKind, keySizes } from '../../engines/pki/rules/keys.ts'
import type { Store } from '../../engines/pki/store.ts'
import type { KeyPair } from '../../engines/pki/x509/keys.ts'
import { cell, fresh, mutant, type PkiMutant, part, requestField } from './cells.ts'

const operations = ['root', 'intermediate'] as const
const caKeys = (kind: (asked: KeyKind) => KeyKind) => cell('keys', 'made', { ca: kind })
const p256: KeyKind = { type: 'ec', bits: 256 }
const caSizes = (type: 'rsa' | 'ec', row: Partial<(typeof keySizes)['ca']['ec']>) =>
  cell('keys', 'sizes', { ca: { ...keySizes.ca, [type]: { ...keySizes.ca[type], ...row } } })
const shows = (operation: keyof typeof keyTypes, type: string, shown: { field: boolean; bundle: boolean }) =>
  part('keyTypes', { [operation]: { ...keyTypes[operation], [type]: shown } })

/** Uses the first key of a mount again for all keys of the same type and size. */
const repeated = (use: 'leaf' | 'root') =>
  fresh(() => {
    const first = new WeakMap<Store, KeyPair>()
    return cell('keys', 'taken', {
      [use](fresh: KeyPair, store: Store): KeyPair {
        const known = first.get(store)
        if (known?.type === fresh.type && known.bits === fresh.bits) return known
        first.set(store, fresh)
        return fresh
      },
    })
  })

export const keyMutants: readonly PkiMutant[] = [
  mutant(
    'leaf-keys-repeat',
    'All certificates that are issued on a mount with keys of the same type and size have the same key.',
    repeated('leaf'),
  ),
  mutant(
    'root-generate-after-delete-reuses-the-key',
    'root/generate on a mount whose root was deleted uses the key of the deleted root.',
    repeated('root'),
  ),
  mutant(
    'issue-under-key-type-any',
    'issue under a role with key_type any succeeds and returns an RSA key.',
    cell('keys', 'any', { issues: true }),
  ),
  mutant(
    'ca-key-type-default-ec',
    'root/generate and intermediate/generate without key_type and key_bits make an EC P-256 key.',
    requestField(operations, 'key_type', { fallback: 'ec' }),
  ),
  mutant(
    'ca-key-bits-default-3072',
    'root/generate and intermediate/generate without key_bits make RSA keys of 3072 bits.',
    caSizes('rsa', { fallback: 3072 }),
  ),
  mutant(
    'ca-ec-gives-p256',
    'root/generate and intermediate/generate with key_type ec always make a P-256 key, whatever key_bits says.',
    caKeys((asked) => (asked.type === 'ec' ? p256 : asked)),
  ),
  mutant(
    'ca-rsa-gives-2048',
    'root/generate and intermediate/generate with key_type rsa always make a key of 2048 bits, whatever key_bits says.',
    caKeys((asked) => (asked.type === 'rsa' ? { type: 'rsa', bits: 2048 } : asked)),
  ),
  mutant(
    'ca-rsa-is-of-3072-bits-at-most',
    'root/generate and intermediate/generate make RSA keys of 3072 bits if key_bits is larger.',
    caKeys((asked) => (asked.type === 'rsa' ? { type: 'rsa', bits: Math.min(asked.bits, 3072) } : asked)),
  ),
  mutant(
    'ca-ec-takes-2048-bits',
    'root/generate and intermediate/generate with key_type ec and key_bits 2048 succeed and make a P-256 key.',
    caSizes('ec', { sizes: [...keySizes.ca.ec.sizes, 2048] }),
    caKeys((asked) => (asked.type === 'ec' && asked.bits === 2048 ? p256 : asked)),
  ),
  mutant(
    'ca-takes-any-key-type',
    'root/generate and intermediate/generate with an unknown key_type such as dsa succeed and make an RSA key.',
    requestField(operations, 'key_type', {
      read: (given) => (['rsa', 'ec', ''].includes(String(given)) ? given : 'rsa'),
    }),
  ),
  mutant(
    'ca-takes-any-type',
    'root/generate and intermediate/generate treat an unknown type in the URL as exported.',
    (rules) => ({ ...rules, unknownKeyType: 'exported' }),
  ),
  mutant(
    'root-internal-reveals-key',
    'root/generate/internal returns the private key.',
    shows('root', 'internal', { field: true, bundle: true }),
  ),
  mutant(
    'root-exported-hides-key',
    'root/generate/exported does not return the private key.',
    shows('root', 'exported', { field: false, bundle: false }),
  ),
  mutant(
    'intermediate-internal-reveals-key',
    'intermediate/generate/internal returns the private key in a separate field.',
    shows('intermediate', 'internal', { field: true, bundle: false }),
  ),
  mutant(
    'intermediate-exported-hides-key',
    'intermediate/generate/exported does not return the private key in any format.',
    shows('intermediate', 'exported', { field: false, bundle: false }),
  ),
  mutant(
    'intermediate-bundle-reveals-internal-key',
    'intermediate/generate/internal with format pem_bundle returns the private key and the CSR in `csr`.',
    shows('intermediate', 'internal', { field: false, bundle: true }),
  ),
]
