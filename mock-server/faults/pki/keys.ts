/** Faults of the keys of CAs, and of which keys are returned. */

import { keyOf, savedKey } from '../../engines/pki/persistence.ts'
import { keySizes } from '../../engines/pki/rules/keys.ts'
import { caKey } from '../../engines/pki/store.ts'
import type { KeyPair } from '../../engines/pki/x509/keys.ts'
import type { Call, Reply } from '../../kernel/contracts.ts'
import { withCall } from '../operations.ts'
import { during, withMethods } from '../with-methods.ts'
import { requestField, routesOf } from './cells.ts'
import {
  always,
  asRole,
  faults,
  generateIntermediate,
  generateRoot,
  issue,
  on,
  type PkiFault,
  sending,
  showing,
} from './pki-operations.ts'

const operations = ['root', 'intermediate'] as const
const generating = routesOf(operations)

/** Uses the first key of a mount again, for all keys of the same type and size. The handler takes it before it first
 * waits. */
const repeated = (operations: readonly string[]) =>
  on(operations, always, (call, next, { context, memory }) => {
    const { keys } = context
    const settled = (fresh: KeyPair): KeyPair => {
      const known = memory.get('key') as ReturnType<typeof savedKey> | undefined
      if (known?.type === fresh.type && known.bits === fresh.bits) return keyOf(known).pair
      memory.set('key', savedKey(caKey(fresh)))
      return fresh
    }
    const take: typeof keys.take = (...given) => {
      const key = keys.take(...given)
      return key instanceof Promise ? key.then(settled) : settled(key)
    }
    return during(context, { keys: withMethods(keys, { take }) }, () => next(call))
  })

/** Makes CA keys of another type or size than asked for, unless the request is invalid. */
const making = (type: 'rsa' | 'ec', bits: (asked: number) => number) =>
  sending(generating, (body) => {
    const asked = Number(body.key_bits || 0)
    const isMeant = (body.key_type || 'rsa') === type && (asked === 0 || keySizes[type].sizes.includes(asked))
    const other = bits(asked || keySizes[type].fallback)
    return isMeant && other !== (asked || keySizes[type].fallback) ? { key_bits: other } : {}
  })

const as = (type: string) => (call: Call, next: (call: Call) => Reply | Promise<Reply>) =>
  next(withCall(call, { params: { ...call.params, type } }))
const saysType =
  (...types: readonly (string | undefined)[]) =>
  ({ params }: Call): boolean =>
    types.includes(params.type)
/** Handles requests of one type as if they had the other one. */
const treating = (operation: readonly string[], type: 'internal' | 'exported') =>
  on(operation, saysType(type), as(type === 'internal' ? 'exported' : 'internal'))

export const ofKeys: readonly PkiFault[] = faults({
  'leaf-keys-repeat':
    'All certificates that are issued on a mount with keys of the same type and size have the same key.',
  'root-generate-after-delete-reuses-the-key':
    'root/generate on a mount whose root was deleted uses the key of the deleted root.',
  'issue-under-key-type-any': 'issue under a role with key_type any succeeds and returns an RSA key.',
  'ca-key-type-default-ec':
    'root/generate and intermediate/generate without key_type and key_bits make an EC P-256 key.',
  'ca-key-bits-default-3072': 'root/generate and intermediate/generate without key_bits make RSA keys of 3072 bits.',
  'ca-ec-gives-p256':
    'root/generate and intermediate/generate with key_type ec always make a P-256 key, whatever key_bits says.',
  'ca-rsa-gives-2048':
    'root/generate and intermediate/generate with key_type rsa always make a key of 2048 bits, whatever key_bits says.',
  'ca-rsa-is-of-3072-bits-at-most':
    'root/generate and intermediate/generate make RSA keys of 3072 bits if key_bits is larger.',
  'ca-ec-takes-2048-bits':
    'root/generate and intermediate/generate with key_type ec and key_bits 2048 succeed and make a P-256 key.',
  'ca-takes-any-key-type':
    'root/generate and intermediate/generate with an unknown key_type such as dsa succeed and make an RSA key.',
  'ca-takes-any-type': 'root/generate and intermediate/generate treat an unknown type in the URL as exported.',
  'root-internal-reveals-key': 'root/generate/internal returns the private key.',
  'root-exported-hides-key': 'root/generate/exported does not return the private key.',
  'intermediate-internal-reveals-key': 'intermediate/generate/internal returns the private key in a separate field.',
  'intermediate-exported-hides-key': 'intermediate/generate/exported does not return the private key in any format.',
  'intermediate-bundle-reveals-internal-key':
    'intermediate/generate/internal with format pem_bundle returns the private key and the CSR in `csr`.',
}).by({
  'leaf-keys-repeat': repeated(issue),
  'root-generate-after-delete-reuses-the-key': repeated(generateRoot),
  'issue-under-key-type-any': asRole(issue, (role) => (role.key_type === 'any' ? { ...role, key_type: 'rsa' } : role)),
  'ca-key-type-default-ec': requestField(operations, 'key_type', { fallback: 'ec' }),
  'ca-key-bits-default-3072': sending(generating, ({ key_type, key_bits }) =>
    (key_type || 'rsa') === 'rsa' && !key_bits ? { key_bits: 3072 } : {},
  ),
  'ca-ec-gives-p256': making('ec', () => 256),
  'ca-rsa-gives-2048': making('rsa', () => 2048),
  'ca-rsa-is-of-3072-bits-at-most': making('rsa', (bits) => Math.min(bits, 3072)),
  'ca-ec-takes-2048-bits': sending(generating, ({ key_type, key_bits }) =>
    key_type === 'ec' && Number(key_bits) === 2048 ? { key_bits: 256 } : {},
  ),
  'ca-takes-any-key-type': requestField(operations, 'key_type', {
    read: (given) => (['rsa', 'ec', ''].includes(String(given)) ? given : 'rsa'),
  }),
  'ca-takes-any-type': on(generating, (call) => !saysType('internal', 'exported', 'existing')(call), as('exported')),
  'root-internal-reveals-key': treating(generateRoot, 'internal'),
  'root-exported-hides-key': treating(generateRoot, 'exported'),
  'intermediate-internal-reveals-key': [
    treating(generateIntermediate, 'internal'),
    showing(generateIntermediate, saysType('internal'), ({ csr, ...fields }) => ({
      ...fields,
      csr: String(csr).replace(/^[\s\S]*(?=-----BEGIN CERTIFICATE)/, ''),
    })),
  ],
  'intermediate-exported-hides-key': treating(generateIntermediate, 'exported'),
  'intermediate-bundle-reveals-internal-key': [
    treating(generateIntermediate, 'internal'),
    showing(generateIntermediate, saysType('internal'), ({ private_key, private_key_type, ...fields }) => fields),
  ],
})
