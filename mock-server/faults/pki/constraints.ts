/** Mutants of CA certificates: path lengths, name constraints, and the values of CSRs. */
import { type CsrUse, csrValues, pathLengthBelow } from '../../engines/pki/rules/authorities.ts'
import { noNames, readAltNames } from '../../engines/pki/x509/alt-names.ts'
import { sequence } from '../../engines/pki/x509/der.ts'
import { altNames, type Extension, extension } from '../../engines/pki/x509/extensions.ts'
import { readPublicKey } from '../../engines/pki/x509/keys.ts'
import { readName, writeName } from '../../engines/pki/x509/names.ts'
import { extensions as oids } from '../../engines/pki/x509/oids.ts'
import { members, readOne, tags } from '../../engines/pki/x509/reader.ts'
import {
  arrayKeepsFirst,
  cell,
  commaListIsOne,
  keepsTwo,
  mutant,
  none,
  type PkiMutant,
  part,
  requestField,
} from './cells.ts'
import { strangerKey, strangerPair } from './strangers.ts'

const operations = ['root', 'signIntermediate'] as const
type SigningOperation = (typeof operations)[number]
const noFault = { invalid: () => undefined }
const pathLength = (operation: SigningOperation, change: Parameters<typeof requestField>[2]) =>
  requestField(operation, 'max_path_length', change)
const given = (from: number, to: number) => ({
  ...noFault,
  read: (value: unknown) => (Number(value) === from ? to : value),
})
const withDnsAlone = (one: Extension): Extension => ({
  ...one,
  bytes: altNames({ ...noNames, dns: readAltNames(one.content).dns }, one.critical),
})
const withoutCustom = (one: Extension): Extension => ({
  ...one,
  bytes: altNames({ ...readAltNames(one.content), other: [] }, one.critical),
})
const below = (rule: typeof pathLengthBelow) => part('authorities', { pathLengthBelow: rule })
const csr = (which: keyof typeof csrValues, change: Partial<CsrUse>) =>
  cell('authorities', 'csrValues', { [which]: { ...csrValues[which], ...change } })
/** The parts of an encoded name. */
const partsOf = (name: Buffer): Buffer[] => members(readOne(name, tags.sequence)).map(({ bytes }) => bytes)
/** The encoded OID of a title. */
const title = Buffer.from('060355040c', 'hex')
const copiedAlthoughOff = (isCopied: (one: Extension) => boolean) => [
  csr('ignored', { extensions: true }),
  cell('authorities', 'intermediates', {
    copied: (extensions, values) => (values === 'used' ? extensions : extensions.filter(isCopied)),
  }),
]
/** Stands for an explicit -1, to distinguish it from the default -1. */
const saidNone = -3

export const constraintMutants: readonly PkiMutant[] = [
  mutant(
    'root-max-path-length-default-zero',
    'root/generate without max_path_length makes a root with path length 0.',
    pathLength('root', { fallback: 0 }),
  ),
  mutant(
    'root-max-path-length-minus-one-is-zero',
    'root/generate with an explicit max_path_length -1 makes a root with path length 0.',
    pathLength('root', given(-1, 0)),
  ),
  mutant(
    'root-max-path-length-zero-is-none',
    'root/generate with max_path_length 0 makes a root without a path length constraint.',
    pathLength('root', given(0, -1)),
  ),
  mutant(
    'root-max-path-length-ignored',
    'root/generate with max_path_length above 0 makes a root without a path length constraint.',
    pathLength('root', { used: (length: number) => Math.min(length, length > 0 ? -1 : 0) }),
  ),
  mutant(
    'sign-intermediate-path-length-default-zero',
    'sign-intermediate without max_path_length gives the certificate path length 0.',
    pathLength('signIntermediate', { fallback: 0 }),
  ),
  mutant(
    'sign-intermediate-path-length-minus-one-is-zero',
    'sign-intermediate with an explicit max_path_length -1 gives path length 0, whatever the signing CA has.',
    pathLength('signIntermediate', given(-1, saidNone)),
    below((limit, asked) => (asked === saidNone ? 0 : pathLengthBelow(limit, asked))),
  ),
  mutant(
    'sign-intermediate-path-length-not-lowered',
    'sign-intermediate with max_path_length -1 gives the path length of the signing CA instead of one less.',
    below((limit, asked) => (asked < 0 ? (limit ?? 'none') : pathLengthBelow(limit, asked))),
  ),
  mutant(
    'sign-intermediate-path-length-unlimited',
    'sign-intermediate with max_path_length -1 gives no path length constraint, even under a CA that has one.',
    below((limit, asked) => (asked < 0 ? 'none' : pathLengthBelow(limit, asked))),
  ),
  mutant(
    'sign-intermediate-path-length-zero-is-none',
    'sign-intermediate treats max_path_length 0 as -1.',
    pathLength('signIntermediate', given(0, -1)),
  ),
  mutant(
    'sign-intermediate-path-length-ignored',
    'sign-intermediate treats a max_path_length above 0 as -1.',
    pathLength('signIntermediate', { used: (length: number) => (length > 0 ? -1 : length) }),
  ),
  mutant(
    'root-permitted-dns-domains-ignored',
    'root/generate ignores permitted_dns_domains.',
    requestField('root', 'permitted_dns_domains', { used: none }),
  ),
  mutant(
    'sign-intermediate-permitted-dns-domains-ignored',
    'sign-intermediate ignores permitted_dns_domains.',
    requestField('signIntermediate', 'permitted_dns_domains', { used: none }),
  ),
  mutant(
    'permitted-dns-domains-comma-list-is-one',
    'A comma-separated string of permitted_dns_domains becomes one name with a comma in it.',
    requestField(operations, 'permitted_dns_domains', { ...noFault, read: commaListIsOne }),
  ),
  mutant(
    'permitted-dns-domains-array-keeps-first',
    'Only the first entry of an array of permitted_dns_domains is used.',
    requestField(operations, 'permitted_dns_domains', { read: arrayKeepsFirst }),
  ),
  mutant(
    'permitted-dns-domains-keep-two',
    'Only the first two entries of permitted_dns_domains are used.',
    requestField(operations, 'permitted_dns_domains', { used: keepsTwo }),
  ),
  mutant(
    'permitted-dns-domains-default-set',
    'Without permitted_dns_domains, CA certificates get a name constraint on added.example.',
    requestField(operations, 'permitted_dns_domains', { fallback: ['added.example'] }),
  ),
  mutant(
    'permitted-dns-domains-excluded',
    'permitted_dns_domains become excluded subtrees instead of permitted ones.',
    cell('authorities', 'permittedDomains', { subtrees: 'excluded' }),
  ),
  mutant(
    'sign-intermediate-not-a-ca',
    'sign-intermediate returns a certificate with CA false and without the keyCertSign usage.',
    cell('authorities', 'intermediates', { isCa: false }),
  ),
  mutant(
    'sign-intermediate-certifies-another-key',
    'sign-intermediate returns a certificate for another public key than that of the CSR.',
    cell('authorities', 'intermediates', { certifies: () => strangerKey().pair.spki }),
  ),
  mutant(
    'sign-intermediate-certifies-another-rsa-key',
    'sign-intermediate returns a certificate for another public key if the CSR has an RSA key.',
    cell('authorities', 'intermediates', {
      certifies: (asked) => (readPublicKey(asked).type === 'rsa' ? strangerPair('rsa').spki : asked),
    }),
  ),
  mutant(
    'sign-intermediate-signed-by-another-key',
    'sign-intermediate signs with another key than that of the CA.',
    part('signers', { intermediate: strangerKey }),
  ),
  mutant(
    'sign-intermediate-refuses-below-an-intermediate',
    'sign-intermediate is refused if the CA of the mount was set by set-signed.',
    cell('authorities', 'intermediates', { maySign: (origin) => origin !== 'signed' }),
  ),
  mutant(
    'sign-intermediate-ignores-a-submitted-path-length',
    'sign-intermediate ignores the path length of the signing CA unless the CA is a generated root.',
    cell('authorities', 'intermediates', { limit: (limit, origin) => (origin === 'own-root' ? limit : undefined) }),
  ),
  mutant(
    'use-csr-values-keeps-dns-sans-only',
    'sign-intermediate with use_csr_values true copies only the DNS names of the SANs of the CSR.',
    cell('authorities', 'intermediates', {
      copied: (extensions) => extensions.map((one) => (one.oid === oids.altNames ? withDnsAlone(one) : one)),
    }),
  ),
  mutant(
    'use-csr-values-drops-custom-sans',
    'sign-intermediate with use_csr_values true does not copy the other SANs of the CSR.',
    cell('authorities', 'intermediates', {
      copied: (extensions) => extensions.map((one) => (one.oid === oids.altNames ? withoutCustom(one) : one)),
    }),
  ),
  mutant(
    'use-csr-values-copies-unknown-extensions-only',
    'sign-intermediate with use_csr_values true does not copy the extended key usages of the CSR.',
    cell('authorities', 'intermediates', {
      copied: (extensions) => extensions.filter(({ oid }) => oid !== oids.extKeyUsage),
    }),
  ),
  mutant(
    'use-csr-values-makes-extensions-uncritical',
    'sign-intermediate with use_csr_values true copies critical extensions of the CSR as not critical.',
    cell('authorities', 'intermediates', {
      copied: (extensions) =>
        extensions.map((one) => ({ ...one, critical: false, bytes: extension(one.oid, false, one.content) })),
    }),
  ),
  mutant(
    'use-csr-values-keeps-attributes-with-a-field-only',
    'sign-intermediate with use_csr_values true copies only subject attributes that requests have a field for.',
    cell('authorities', 'intermediates', {
      subject: (subject, request, values) => (values === 'used' ? writeName(readName(request.subject)) : subject),
    }),
  ),
  mutant(
    'use-csr-values-orders-the-subject-anew',
    'sign-intermediate with use_csr_values true copies the attributes of the subject of the CSR in reverse order.',
    cell('authorities', 'intermediates', {
      subject: (subject, request, values) =>
        values === 'used' ? sequence(...partsOf(request.subject).reverse()) : subject,
    }),
  ),
  mutant(
    'use-csr-values-keeps-name-and-organization-only',
    'sign-intermediate with use_csr_values true copies only common name and organization of the subject of the CSR.',
    cell('authorities', 'intermediates', {
      subject(subject, request, values) {
        const { commonName = [], organization = [] } = readName(request.subject)
        return values === 'used' ? writeName({ commonName, organization }) : subject
      },
    }),
  ),
  mutant(
    'use-csr-values-copies-the-first-extension',
    'sign-intermediate with use_csr_values true copies SANs, key usages and only one other extension of the CSR.',
    cell('authorities', 'intermediates', {
      copied(extensions) {
        const known = extensions.filter(({ oid }) => oid === oids.altNames || oid === oids.keyUsage)
        return [...known, ...extensions.filter((one) => !known.includes(one)).slice(0, 1)]
      },
    }),
  ),
  mutant(
    'use-csr-values-off-takes-emails',
    'sign-intermediate with use_csr_values false adds the email SANs of the CSR.',
    cell('authorities', 'intermediates', {
      names: (names, { altNames }, values) =>
        values === 'ignored' ? { ...names, email: [...names.email, ...altNames.email] } : names,
    }),
  ),
  mutant(
    'use-csr-values-off-takes-units',
    'sign-intermediate with use_csr_values false uses the ou of the CSR if the request has none.',
    cell('authorities', 'intermediates', {
      subject(subject, request, values) {
        const [asked, { ou = [] }] = [readName(subject), readName(request.subject)]
        return values === 'ignored' && !asked.ou && ou.length > 0 ? writeName({ ...asked, ou }) : subject
      },
    }),
  ),
  mutant(
    'use-csr-values-off-takes-addresses-and-uris',
    'sign-intermediate with use_csr_values false adds the IP and URI SANs of the CSR.',
    cell('authorities', 'intermediates', {
      names: (names, { altNames }, values) =>
        values === 'ignored'
          ? { ...names, ip: [...names.ip, ...altNames.ip], uri: [...names.uri, ...altNames.uri] }
          : names,
    }),
  ),
  mutant(
    'use-csr-values-off-takes-custom-sans',
    'sign-intermediate with use_csr_values false adds the other SANs of the CSR.',
    cell('authorities', 'intermediates', {
      names: (names, { altNames }, values) =>
        values === 'ignored' ? { ...names, other: [...names.other, ...altNames.other] } : names,
    }),
  ),
  mutant(
    'use-csr-values-off-takes-titles',
    'sign-intermediate with use_csr_values false adds the title in the subject of the CSR.',
    cell('authorities', 'intermediates', {
      subject(subject, request, values) {
        const titles = partsOf(request.subject).filter((one) => one.includes(title))
        return values === 'ignored' ? sequence(...partsOf(subject), ...titles) : subject
      },
    }),
  ),
  mutant(
    'use-csr-values-off-takes-extended-usages',
    'sign-intermediate with use_csr_values false copies the extended key usages of the CSR.',
    ...copiedAlthoughOff(({ oid }) => oid === oids.extKeyUsage),
  ),
  mutant(
    'use-csr-values-off-takes-unknown-extensions',
    'sign-intermediate with use_csr_values false copies the unknown extensions of the CSR that are not critical.',
    ...copiedAlthoughOff(({ critical, oid }) => oid !== oids.extKeyUsage && !critical),
  ),
  mutant(
    'use-csr-values-fills-sans',
    'sign-intermediate with use_csr_values true uses the names of the request if the CSR has no SANs.',
    csr('used', { fillsNames: true }),
  ),
  mutant(
    'use-csr-values-drops-subject',
    'sign-intermediate with use_csr_values true uses the subject of the request instead of that of the CSR.',
    csr('used', { subject: false }),
  ),
  mutant(
    'use-csr-values-off-takes-subject',
    'sign-intermediate with use_csr_values false uses the subject of the CSR.',
    csr('ignored', { subject: true }),
  ),
  mutant(
    'use-csr-values-drops-sans',
    'sign-intermediate with use_csr_values true uses the SANs of the request instead of those of the CSR.',
    csr('used', { names: false }),
  ),
  mutant(
    'use-csr-values-off-takes-sans',
    'sign-intermediate with use_csr_values false uses the SANs of the CSR.',
    csr('ignored', { names: true }),
  ),
  mutant(
    'use-csr-values-drops-key-usages',
    'sign-intermediate with use_csr_values true does not copy the key usages of the CSR.',
    csr('used', { keyUsage: 'none' }),
  ),
  mutant(
    'use-csr-values-off-takes-key-usages',
    'sign-intermediate with use_csr_values false adds the key usages of the CSR.',
    csr('ignored', { keyUsage: 'added' }),
  ),
  mutant(
    'use-csr-values-drops-extensions',
    'sign-intermediate with use_csr_values true does not copy the extensions of the CSR.',
    csr('used', { extensions: false }),
  ),
  mutant(
    'use-csr-values-off-takes-extensions',
    'sign-intermediate with use_csr_values false copies the extensions of the CSR.',
    csr('ignored', { extensions: true }),
  ),
  mutant(
    'use-csr-values-replaces-key-usages',
    'sign-intermediate with use_csr_values true uses only the key usages of the CSR, without those of a CA.',
    csr('used', { keyUsage: 'alone' }),
  ),
  mutant(
    'use-csr-values-default-on',
    'use_csr_values of sign-intermediate is true by default.',
    requestField('signIntermediate', 'use_csr_values', { fallback: true }),
  ),
  mutant(
    'permitted-dns-domains-dot-is-dropped',
    'sign-intermediate drops the leading dot of names in permitted_dns_domains, which then permit the domain itself.',
    requestField('signIntermediate', 'permitted_dns_domains', {
      used: (domains: string[]) => domains.map((name) => name.replace(/^\./, '')),
    }),
  ),
  mutant(
    'permitted-dns-domains-dot-is-refused',
    'sign-intermediate refuses names with a leading dot in permitted_dns_domains.',
    requestField('signIntermediate', 'permitted_dns_domains', {
      invalid: (domains: string[]) => (domains.some((name) => name.startsWith('.')) ? 'a leading dot' : undefined),
    }),
  ),
]
