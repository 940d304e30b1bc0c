/** Faults of reads and lists of certificates, and of access. */

import { serialKey, serialOf } from '../../engines/pki/certificates/serials.ts'
import type { Stored } from '../../engines/pki/store.ts'
import { readCertificate } from '../../engines/pki/x509/certificate.ts'
import { traditionalPem } from '../../engines/pki/x509/keys.ts'
import { readName } from '../../engines/pki/x509/names.ts'
import { pem } from '../../engines/pki/x509/pem.ts'
import type { Call, Reply } from '../../kernel/contracts.ts'
import { without } from '../operations.ts'
import { around, faults, type Here, on, type PkiFault, refusing, remembering, showing } from './pki-operations.ts'

const readCertificates = ['GET cert/:serial']
const listCertificates = ['LIST certs']
const issue = ['POST issue/:name']
const always = (): boolean => true

const serialIn = ({ params }: Call): string => serialOf(params.serial ?? '') ?? ''
const storedAt = (call: Call, { context }: Here): Stored | undefined => context.store.certificates.get(serialIn(call))
const isStored = (call: Call, here: Here): boolean => storedAt(call, here) !== undefined
const commonNameOf = ({ der }: Stored): string | undefined =>
  readName(readCertificate(Buffer.from(der, 'latin1')).subject).commonName?.[0]

const listing = (change: (serials: readonly string[], here: Here) => readonly string[]) =>
  showing(
    listCertificates,
    (_call, { context }) => context.store.certificates.size > 0,
    (fields, here) => ({ ...fields, keys: [...change(fields.keys as readonly string[], here)].sort() }),
  )
const keyOf = (shown: string): string => shown.replaceAll(':', '-')

/** Remembers the private keys that were returned, by serial number. */
const remembersKeys = remembering(
  [...issue, 'POST root/generate/:type', 'POST issuer/:ref/issue/:name'],
  (_call, { memory }, reply) => {
    const { private_key: key, serial_number: serial } = ((reply.kind === 'data' && reply.data) || {}) as {
      readonly private_key?: string
      readonly serial_number?: string
    }
    if (key && serial) memory.set(keyOf(serial), key)
  },
)
/** Returns the private key of a generated root, unless it was returned before. */
function internalKey({ context: { store }, memory }: Here): string | undefined {
  const { key, shown } = store.ca
  return shown?.origin === 'own-root' && key && !memory.has(serialKey(shown.parsed.serial))
    ? traditionalPem(key.pair)
    : undefined
}
const revealsInternal = [
  remembersKeys,
  on(
    ['GET ca/pem'],
    (_call, here) => internalKey(here) !== undefined,
    async (call, next, here) => {
      const reply = await next(call)
      return reply.kind === 'bare' ? { ...reply, bytes: `${reply.bytes}\n${internalKey(here)}` } : reply
    },
  ),
  showing(
    readCertificates,
    ({ params }, here) => params.serial === 'ca' && internalKey(here) !== undefined,
    (fields, here) => ({ ...fields, certificate: `${fields.certificate}\n${internalKey(here)}` }),
  ),
].flat()

const bareReads = ['GET ca', 'GET ca/pem', 'GET ca_chain', 'GET crl', 'GET crl/pem']
/** Changes the bytes of a read without the standard structure. */
const bare = (operation: string, change: (bytes: Buffer | string, here: Here) => Buffer | string) =>
  on([operation], always, async (call, next, here) => {
    const reply = await next(call)
    return reply.kind === 'bare' && reply.bytes.length > 0
      ? { ...reply, bytes: change(reply.bytes as Buffer | string, here) }
      : reply
  })
const enveloped = (reply: Reply): Reply => {
  if (reply.kind !== 'bare') return reply
  const { bytes, contentType } = reply
  const text =
    typeof bytes === 'string' ? bytes : pem(contentType.endsWith('crl') ? 'X509 CRL' : 'CERTIFICATE', bytes as Buffer)
  return { kind: 'data', data: { certificate: text } }
}
const fromPem = (text: Buffer | string): Buffer =>
  Buffer.from(String(text).replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')

const needsToken = (operation: string) => around(operation, { access: 'token' })
const omits = (operations: readonly string[], name: string, when: (call: Call) => boolean) =>
  showing(operations, when, (fields) => without(fields, name))
const saysPem = ({ body }: Call): boolean => body.format === 'pem'

export const ofReads: readonly PkiFault[] = faults({
  'certificates-are-made-twice': 'LIST certs names a second, nonexistent certificate for each certificate.',
  'certs-list-omits': 'LIST certs names only the certificate of the CA.',
  'certs-list-names-subjects': 'LIST certs names certificates by their common names instead of their serials.',
  'certs-list-has-each-name-once': 'LIST certs names only the last certificate of each common name.',
  'certs-list-ends-after-100': 'LIST certs names the first 100 certificates only.',
  'ca-chain-is-that-of-its-first-read': 'GET ca_chain always returns what it returned first.',
  'cert-read-gives-the-ca': 'GET cert/:serial of an issued certificate returns the CA certificate.',
  'cert-read-gives-der': 'GET cert/:serial returns base64 DER instead of PEM.',
  'cert-crl-is-bare': 'GET cert/crl returns the bare PEM of the CRL instead of JSON.',
  'cert-read-reveals-key': 'GET cert/:serial of an issued certificate also returns its private key.',
  'cert-crl-absent': 'GET cert/crl returns 404.',
  'issue-omits-issuing-ca': 'The reply to issue lacks the issuing CA and the chain.',
  'issue-omits-certificate': 'The reply to issue with an explicit format pem lacks the certificate.',
  'intermediate-omits-csr': 'The reply to intermediate/generate with an explicit format pem lacks the CSR.',
  'issue-omits-private-key': 'The reply to issue without an explicit format lacks the private key.',
  'ca-reveals-internal-key': 'ca/pem and cert/ca also return the private key of a root of type internal.',
  'ca-needs-a-token': 'GET ca without a token is refused.',
  'ca-pem-needs-a-token': 'GET ca/pem without a token is refused.',
  'ca-chain-needs-a-token': 'GET ca_chain without a token is refused.',
  'cert-needs-a-token': 'GET cert/:serial without a token is refused.',
  'crl-needs-a-token': 'GET crl without a token is refused.',
  'crl-pem-needs-a-token': 'GET crl/pem without a token is refused.',
  'bare-in-an-envelope':
    'ca, ca/pem, ca_chain, crl and crl/pem return JSON with the PEM in data.certificate instead of bare bytes.',
  'ca-gives-pem': 'GET ca returns PEM instead of DER.',
  'ca-pem-gives-der': 'GET ca/pem returns DER instead of PEM.',
  'crl-gives-pem': 'GET crl returns PEM instead of DER.',
  'crl-pem-gives-der': 'GET crl/pem returns DER instead of PEM.',
  'root-delete-without-sudo': 'DELETE root does not require sudo.',
  'root-delete-root-token-only': 'DELETE root is refused for every token except root tokens.',
  'certs-list-reveals-keys': 'LIST certs also returns all private keys that were ever returned.',
}).by({
  'certificates-are-made-twice': listing((serials) =>
    serials.flatMap((serial) => [serial, `7f-${serial.slice(0, -2)}7f`]),
  ),
  'certs-list-omits': listing((_serials, { context: { store } }) =>
    store.ca.shown ? [serialKey(store.ca.shown.parsed.serial)] : [],
  ),
  'certs-list-names-subjects': listing((serials, { context: { store } }) =>
    serials.map((serial) => {
      const stored = store.certificates.get(keyOf(serial))
      return (stored && commonNameOf(stored)) ?? serial
    }),
  ),
  'certs-list-has-each-name-once': listing((_serials, { context: { store } }) => [
    ...new Map([...store.certificates].map(([serial, one]) => [commonNameOf(one), serial])).values(),
  ]),
  'certs-list-ends-after-100': listing((_serials, { context: { store } }) =>
    [...store.certificates.keys()].slice(0, 100),
  ),
  'ca-chain-is-that-of-its-first-read': on(['GET ca_chain'], always, async (call, next, { memory }) => {
    const reply = await next(call)
    if (reply.kind !== 'bare') return reply
    if (!memory.has('chain') && reply.bytes.length > 0) memory.set('chain', String(reply.bytes))
    return { ...reply, status: 200, bytes: String(memory.get('chain') ?? reply.bytes) }
  }),
  'cert-read-gives-the-ca': showing(readCertificates, isStored, (fields, { context: { store } }) => ({
    ...fields,
    certificate: store.ca.shown?.pem ?? fields.certificate,
  })),
  'cert-read-gives-der': showing(readCertificates, isStored, (fields) => ({
    ...fields,
    certificate: fromPem(String(fields.certificate)).toString('base64'),
  })),
  'cert-crl-is-bare': on(
    readCertificates,
    ({ params }) => params.serial === 'crl',
    async (call, next) => {
      const reply = await next(call)
      if (reply.kind !== 'data') return reply
      const { certificate } = reply.data as { readonly certificate: string }
      return { kind: 'bare', status: 200, contentType: 'application/pkix-crl', bytes: certificate }
    },
  ),
  'cert-read-reveals-key': [
    remembersKeys,
    showing(
      readCertificates,
      (call, { memory }) => memory.has(serialIn(call)),
      (fields, { memory }, call) => ({ ...fields, private_key: memory.get(serialIn(call)) }),
    ),
  ],
  'cert-crl-absent': refusing(readCertificates, ({ params }) => params.serial === 'crl', 'not-found'),
  'issue-omits-issuing-ca': showing(issue, always, (fields) => without(without(fields, 'issuing_ca'), 'ca_chain')),
  'issue-omits-certificate': omits(issue, 'certificate', saysPem),
  'intermediate-omits-csr': omits(['POST intermediate/generate/:type'], 'csr', saysPem),
  'issue-omits-private-key': omits(issue, 'private_key', ({ body }) => !body.format),
  'ca-reveals-internal-key': revealsInternal,
  'ca-needs-a-token': needsToken('GET ca'),
  'ca-pem-needs-a-token': needsToken('GET ca/pem'),
  'ca-chain-needs-a-token': needsToken('GET ca_chain'),
  'cert-needs-a-token': needsToken('GET cert/:serial'),
  'crl-needs-a-token': needsToken('GET crl'),
  'crl-pem-needs-a-token': needsToken('GET crl/pem'),
  'bare-in-an-envelope': on(bareReads, always, async (call, next) => enveloped(await next(call))),
  'ca-gives-pem': bare('GET ca', (der) => pem('CERTIFICATE', der as Buffer)),
  'ca-pem-gives-der': bare('GET ca/pem', fromPem),
  'crl-gives-pem': bare('GET crl', (der) => pem('X509 CRL', der as Buffer)),
  'crl-pem-gives-der': bare('GET crl/pem', fromPem),
  'root-delete-without-sudo': around('DELETE root', { access: 'token' }),
  'root-delete-root-token-only': around('DELETE root', { access: 'root' }),
  'certs-list-reveals-keys': [
    remembersKeys,
    showing(
      listCertificates,
      (_call, { memory }) => memory.size > 0,
      (fields, { memory }) => ({ ...fields, key_info: [...memory.values()] }),
    ),
  ],
})
