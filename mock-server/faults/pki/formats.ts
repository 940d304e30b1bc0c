/** Mutants of the output formats. */

import {
  type BundleParts,
  bundledCas,
  type FormatRow,
  formats,
  traditionalBase64,
} from '../../engines/pki/rules/formats.ts'
import type { PkiRules } from '../../engines/pki/rules/index.ts'
import type { Origin, Store } from '../../engines/pki/store.ts'
import { type KeyPair, pkcs8, traditionalPem } from '../../engines/pki/x509/keys.ts'
import { fresh, mutant, namingOperations, type PkiMutant, part, requestField } from './cells.ts'
import { strangerPair } from './strangers.ts'

const withKeys = ['issue', 'root', 'intermediate'] as const
const base64 = (der: Buffer): string => der.toString('base64')
const pkcs8Base64 = (key: KeyPair): string => base64(pkcs8(key))

const row = (name: string): FormatRow => formats[name] as FormatRow
const format = (name: string, change: Partial<FormatRow>) => part('formats', { [name]: { ...row(name), ...change } })
const keyFormat = (name: string, asked: string, write: (key: KeyPair) => string) =>
  format(name, { privateKey: { ...row(name).privateKey, [asked]: write } })

/** Adds a private_key_format that differs from `der` only under one format. */
const derButUnder = (format: string, other: (key: KeyPair) => string, asked: string) =>
  part(
    'formats',
    Object.fromEntries(
      Object.entries(formats).map(([name, cells]) => {
        const write = name === format ? other : (cells.privateKey.der ?? traditionalPem)
        return [name, { ...cells, privateKey: { ...cells.privateKey, [asked]: write } }]
      }),
    ),
  )
const unknownIs = (known: readonly string[], taken: string) => ({
  read: (given: unknown) => (known.includes(String(given)) ? given : taken),
})
/** Lets the first CA under which something was issued decide whether later bundles contain the CA. */
function firstOrigin() {
  const first = new WeakMap<Store, Origin>()
  const bundledOrigin = (origin: Origin, store: Store): Origin => {
    const known = first.get(store) ?? origin
    first.set(store, known)
    return known
  }
  return (rules: PkiRules) => ({ ...rules, bundledOrigin })
}
const keyAlone = ({ key, own }: BundleParts): readonly string[] => (key.length > 0 ? key : [own])
const renamed = (from: string, to: string) => ({ read: (given: unknown) => (given === from ? to : given) })
const chainless = (kind: keyof typeof bundledCas.issue, shown: boolean) =>
  part('bundledCas', { issue: { ...bundledCas.issue, [kind]: shown } })
const another = (type: 'rsa' | 'ec') => (key: KeyPair) => (key.type === type ? strangerPair(type) : key)

export const formatMutants: readonly PkiMutant[] = [
  mutant(
    'format-default-der',
    'The default format of root/generate, intermediate/generate, issue and sign-intermediate is der.',
    requestField(namingOperations, 'format', { fallback: 'der' }),
  ),
  mutant(
    'pem-gives-der',
    'If format pem is given explicitly, the certificate or CSR is returned as base64 DER; the key is right.',
    requestField(namingOperations, 'format', {
      ...renamed('pem', 'said-pem'),
      oneOf: ['said-pem', 'der', 'pem_bundle'],
    }),
    part('formats', { 'said-pem': { ...row('pem'), certificate: base64, request: base64 } }),
  ),
  mutant(
    'der-gives-pem',
    'With format der, the certificate or CSR is returned as PEM; the key is right.',
    format('der', { certificate: row('pem').certificate, request: row('pem').request }),
  ),
  mutant(
    'der-key-gives-pem',
    'With format der and an explicit private_key_format der, the private key is PEM; the rest is right.',
    requestField(withKeys, 'private_key_format', { ...renamed('der', 'said-der'), oneOf: ['said-der', 'pkcs8'] }),
    derButUnder('der', traditionalPem, 'said-der'),
  ),
  mutant(
    'pem-key-gives-der',
    'With format pem and an explicit private_key_format der, the private key is base64 DER; the rest is right.',
    requestField(withKeys, 'private_key_format', { ...renamed('der', 'said-der'), oneOf: ['said-der', 'pkcs8'] }),
    derButUnder('pem', traditionalBase64, 'said-der'),
  ),
  mutant(
    'pkcs8-ignored',
    'private_key_format pkcs8 is treated as der: the key is PKCS#1 or SEC 1.',
    requestField(withKeys, 'private_key_format', renamed('pkcs8', 'der')),
  ),
  mutant(
    'pkcs8-pem-gives-der',
    'With private_key_format pkcs8 and format pem, the key is returned as base64 DER instead of PEM.',
    keyFormat('pem', 'pkcs8', pkcs8Base64),
  ),
  mutant(
    'private-key-format-default-pkcs8',
    'The default private_key_format is pkcs8.',
    requestField(withKeys, 'private_key_format', { fallback: 'pkcs8' }),
  ),
  mutant(
    'returns-another-rsa-key',
    'Returned RSA private keys, also those in bundles, do not belong to the certificate or CSR.',
    (rules) => ({ ...rules, returnedKey: another('rsa') }),
  ),
  mutant(
    'returns-another-ec-key',
    'Returned EC private keys, also those in bundles, do not belong to the certificate or CSR.',
    (rules) => ({ ...rules, returnedKey: another('ec') }),
  ),
  mutant(
    'takes-any-format',
    'An unknown format is accepted and treated as pem.',
    requestField(namingOperations, 'format', unknownIs(['pem', 'der', 'pem_bundle'], 'pem')),
  ),
  mutant(
    'takes-any-private-key-format',
    'An unknown private_key_format is accepted and treated as der.',
    requestField(withKeys, 'private_key_format', unknownIs(['der', 'pkcs8'], 'der')),
  ),
  mutant(
    'root-bundle-omits-certificate',
    'root/generate/exported with pem_bundle returns only the private key in `certificate`.',
    part('bundles', { root: keyAlone }),
  ),
  mutant(
    'intermediate-bundle-omits-key',
    'intermediate/generate/exported with pem_bundle returns only the CSR in `csr`.',
    part('bundles', { intermediate: ({ own }) => [own] }),
  ),
  mutant(
    'intermediate-bundle-omits-csr',
    'intermediate/generate/exported with pem_bundle returns only the private key in `csr`.',
    part('bundles', { intermediate: keyAlone }),
  ),
  mutant(
    'issue-bundle-omits-key',
    'issue with pem_bundle returns a bundle without the private key; the separate field still has it.',
    part('bundles', { issue: ({ own, chain }) => [own, ...chain] }),
  ),
  mutant(
    'issue-bundle-omits-certificate',
    'issue with pem_bundle returns a bundle without the issued certificate.',
    part('bundles', { issue: ({ key, chain }) => [...key, ...chain] }),
  ),
  mutant(
    'issue-bundle-without-line-breaks',
    'issue with pem_bundle returns a bundle without line breaks between its PEM blocks.',
    part('bundles', { issue: ({ key, own, chain }) => [[...key, own, ...chain].join('')] }),
  ),
  mutant(
    'issue-bundle-includes-generated-root',
    'issue with pem_bundle under a generated root returns a bundle that ends with the CA.',
    chainless('own-root', true),
  ),
  mutant(
    'issue-bundle-omits-submitted-root',
    'issue with pem_bundle under a root submitted to config/ca returns a bundle without the CA.',
    chainless('submitted-root', false),
  ),
  mutant(
    'issue-bundle-omits-intermediate',
    'issue with pem_bundle under an intermediate returns a bundle without the CA.',
    part('bundledCas', { issue: { ...bundledCas.issue, 'submitted-intermediate': false, signed: false } }),
  ),
  mutant(
    'issue-bundle-goes-by-the-first-ca',
    'issue with pem_bundle includes the CA depending on the first CA that issued something, not on the present one.',
    fresh(firstOrigin),
  ),
  mutant(
    'issue-bundle-under-a-chain-omits-the-ca',
    'issue with pem_bundle under a CA with a chain returns a bundle with the chain but without the CA itself.',
    part('bundles', { issue: ({ key, own, chain }) => [...key, own, ...(chain.length > 1 ? chain.slice(1) : chain)] }),
  ),
  mutant(
    'issue-bundle-puts-ca-first',
    'issue with pem_bundle returns a bundle with the CA before the issued certificate.',
    part('bundles', { issue: ({ key, own, chain }) => [...key, ...chain, own] }),
  ),
  mutant(
    'pem-bundle-gives-der',
    'With format pem_bundle, only the certificate or CSR is returned, as base64 DER; the separate key is right.',
    format('pem_bundle', { certificate: base64, request: base64, bundled: false }),
  ),
]
