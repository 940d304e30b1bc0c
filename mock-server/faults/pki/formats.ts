/** Faults of the output formats. */

import { type FormatRow, formats, traditionalBase64 } from '../../engines/pki/rules/formats.ts'
import type { Origin } from '../../engines/pki/store.ts'
import { type KeyPair, pkcs8, traditionalPem } from '../../engines/pki/x509/keys.ts'
import type { Call } from '../../kernel/contracts.ts'
import { namingOperations, part, requestField } from './cells.ts'
import {
  always,
  faults,
  generateIntermediate,
  generateRoot,
  type Here,
  issue,
  type PkiFault,
  remembering,
  showing,
} from './pki-operations.ts'
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
const isBundle = ({ body }: Call): boolean => body.format === 'pem_bundle'
/** The parts of a bundle, in the order in which the engine writes them. */
interface Parts {
  readonly key: readonly string[]
  readonly own: string
  readonly chain: readonly string[]
}
function partsIn(bundle: string): Parts {
  const blocks = bundle.match(/-----BEGIN [\s\S]+?-----END [A-Z0-9 ]+-----/g) ?? []
  const [own = '', ...chain] = blocks.filter((block) => block.includes('BEGIN CERTIFICATE'))
  return { key: blocks.filter((block) => !block.includes('BEGIN CERTIFICATE')), own, chain }
}
/** Changes the bundles in replies. */
const bundling = (
  operations: readonly string[],
  change: (parts: Parts, reply: Readonly<Record<string, unknown>>, here: Here) => readonly string[],
  when: (call: Call, here: Here) => boolean = always,
) =>
  showing(
    operations,
    (call, here) => isBundle(call) && when(call, here),
    (fields, here) => {
      const name = 'csr' in fields ? 'csr' : 'certificate'
      return { ...fields, [name]: change(partsIn(String(fields[name])), fields, here).join('\n') }
    },
  )
const keyAlone = ({ key, own }: Parts): readonly string[] => (key.length > 0 ? key : [own])
const originAt = ({ context: { store } }: Here): Origin | undefined => store.ca.certificate?.origin
/** The CA and the certificates above it, which bundles contain unless the CA was generated. */
const caIn = (reply: Readonly<Record<string, unknown>>): readonly string[] =>
  ((reply.ca_chain ?? [reply.issuing_ca]) as readonly string[]).map((text) => text.trim())
const without = (operations: readonly string[], ...origins: readonly Origin[]) =>
  bundling(
    operations,
    ({ key, own }) => [...key, own],
    (_call, here) => origins.some((origin) => origin === originAt(here)),
  )
const renamed = (from: string, to: string) => ({ read: (given: unknown) => (given === from ? to : given) })
const keyed = [...issue, ...generateRoot, ...generateIntermediate]
/** Shows a private key that belongs to nothing, in the format that was asked for. */
const showingAnother = (type: 'rsa' | 'ec') =>
  showing(keyed, always, (fields, { context: { rules } }, { body }) => {
    if (fields.private_key_type !== type) return fields
    const write = rules.formats[String(body.format || 'pem')]?.privateKey[String(body.private_key_format || 'der')]
    const [shown, another] = [String(fields.private_key).trim(), write?.(strangerPair(type)) ?? '']
    const replaced = (value: unknown): unknown => (typeof value === 'string' ? value.replace(shown, another) : value)
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, replaced(value)]))
  })

export const ofFormats: readonly PkiFault[] = faults({
  'format-default-der':
    'The default format of root/generate, intermediate/generate, issue and sign-intermediate is der.',
  'pem-gives-der':
    'If format pem is given explicitly, the certificate or CSR is returned as base64 DER; the key is right.',
  'der-gives-pem': 'With format der, the certificate or CSR is returned as PEM; the key is right.',
  'der-key-gives-pem':
    'With format der and an explicit private_key_format der, the private key is PEM; the rest is right.',
  'pem-key-gives-der':
    'With format pem and an explicit private_key_format der, the private key is base64 DER; the rest is right.',
  'pkcs8-ignored': 'private_key_format pkcs8 is treated as der: the key is PKCS#1 or SEC 1.',
  'pkcs8-pem-gives-der':
    'With private_key_format pkcs8 and format pem, the key is returned as base64 DER instead of PEM.',
  'private-key-format-default-pkcs8': 'The default private_key_format is pkcs8.',
  'returns-another-rsa-key':
    'Returned RSA private keys, also those in bundles, do not belong to the certificate or CSR.',
  'returns-another-ec-key': 'Returned EC private keys, also those in bundles, do not belong to the certificate or CSR.',
  'takes-any-format': 'An unknown format is accepted and treated as pem.',
  'takes-any-private-key-format': 'An unknown private_key_format is accepted and treated as der.',
  'root-bundle-omits-certificate':
    'root/generate/exported with pem_bundle returns only the private key in `certificate`.',
  'intermediate-bundle-omits-key': 'intermediate/generate/exported with pem_bundle returns only the CSR in `csr`.',
  'intermediate-bundle-omits-csr':
    'intermediate/generate/exported with pem_bundle returns only the private key in `csr`.',
  'issue-bundle-omits-key':
    'issue with pem_bundle returns a bundle without the private key; the separate field still has it.',
  'issue-bundle-omits-certificate': 'issue with pem_bundle returns a bundle without the issued certificate.',
  'issue-bundle-without-line-breaks':
    'issue with pem_bundle returns a bundle without line breaks between its PEM blocks.',
  'issue-bundle-includes-generated-root':
    'issue with pem_bundle under a generated root returns a bundle that ends with the CA.',
  'issue-bundle-omits-submitted-root':
    'issue with pem_bundle under a root submitted to config/ca returns a bundle without the CA.',
  'issue-bundle-omits-intermediate': 'issue with pem_bundle under an intermediate returns a bundle without the CA.',
  'issue-bundle-goes-by-the-first-ca':
    'issue with pem_bundle includes the CA depending on the first CA that issued something, not on the present one.',
  'issue-bundle-under-a-chain-omits-the-ca':
    'issue with pem_bundle under a CA with a chain returns a bundle with the chain but without the CA itself.',
  'issue-bundle-puts-ca-first': 'issue with pem_bundle returns a bundle with the CA before the issued certificate.',
  'pem-bundle-gives-der':
    'With format pem_bundle, only the certificate or CSR is returned, as base64 DER; the separate key is right.',
}).by({
  'format-default-der': requestField(namingOperations, 'format', { fallback: 'der' }),
  'pem-gives-der': [
    requestField(namingOperations, 'format', {
      ...renamed('pem', 'said-pem'),
      oneOf: ['said-pem', 'der', 'pem_bundle'],
    }),
    part('formats', { 'said-pem': { ...row('pem'), certificate: base64, request: base64 } }),
  ],
  'der-gives-pem': format('der', { certificate: row('pem').certificate, request: row('pem').request }),
  'der-key-gives-pem': [
    requestField(withKeys, 'private_key_format', { ...renamed('der', 'said-der'), oneOf: ['said-der', 'pkcs8'] }),
    derButUnder('der', traditionalPem, 'said-der'),
  ],
  'pem-key-gives-der': [
    requestField(withKeys, 'private_key_format', { ...renamed('der', 'said-der'), oneOf: ['said-der', 'pkcs8'] }),
    derButUnder('pem', traditionalBase64, 'said-der'),
  ],
  'pkcs8-ignored': requestField(withKeys, 'private_key_format', renamed('pkcs8', 'der')),
  'pkcs8-pem-gives-der': keyFormat('pem', 'pkcs8', pkcs8Base64),
  'private-key-format-default-pkcs8': requestField(withKeys, 'private_key_format', { fallback: 'pkcs8' }),
  'returns-another-rsa-key': showingAnother('rsa'),
  'returns-another-ec-key': showingAnother('ec'),
  'takes-any-format': requestField(namingOperations, 'format', unknownIs(['pem', 'der', 'pem_bundle'], 'pem')),
  'takes-any-private-key-format': requestField(withKeys, 'private_key_format', unknownIs(['der', 'pkcs8'], 'der')),
  'root-bundle-omits-certificate': bundling(generateRoot, keyAlone),
  'intermediate-bundle-omits-key': bundling(generateIntermediate, ({ own }) => [own]),
  'intermediate-bundle-omits-csr': bundling(generateIntermediate, keyAlone),
  'issue-bundle-omits-key': bundling(issue, ({ own, chain }) => [own, ...chain]),
  'issue-bundle-omits-certificate': bundling(issue, ({ key, chain }) => [...key, ...chain]),
  'issue-bundle-without-line-breaks': bundling(issue, ({ key, own, chain }) => [[...key, own, ...chain].join('')]),
  'issue-bundle-includes-generated-root': bundling(
    issue,
    ({ key, own }, reply) => [...key, own, ...caIn(reply)],
    (_call, here) => originAt(here) === 'own-root',
  ),
  'issue-bundle-omits-submitted-root': without(issue, 'submitted-root'),
  'issue-bundle-omits-intermediate': without(issue, 'submitted-intermediate', 'signed'),
  'issue-bundle-goes-by-the-first-ca': [
    remembering(issue, (_call, here) => {
      if (!here.memory.has('first')) here.memory.set('first', originAt(here))
    }),
    bundling(
      issue,
      ({ key, own }, reply, { memory }) => [...key, own, ...(memory.get('first') === 'own-root' ? [] : caIn(reply))],
      (_call, here) =>
        here.memory.has('first') && (here.memory.get('first') === 'own-root') !== (originAt(here) === 'own-root'),
    ),
  ],
  'issue-bundle-under-a-chain-omits-the-ca': bundling(issue, ({ key, own, chain }) => [
    ...key,
    own,
    ...(chain.length > 1 ? chain.slice(1) : chain),
  ]),
  'issue-bundle-puts-ca-first': bundling(issue, ({ key, own, chain }) => [...key, ...chain, own]),
  'pem-bundle-gives-der': format('pem_bundle', { certificate: base64, request: base64, bundled: false }),
})
