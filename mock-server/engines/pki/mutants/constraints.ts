/** Mutants of CA certificates: path lengths, name constraints, and what is taken from requests. */
import { type CsrUse, csrValues, pathLengthBelow } from '../tables/authorities.ts'
import { noNames, readAltNames } from '../x509/alt-names.ts'
import { sequence } from '../x509/der.ts'
import { altNames, type Extension, extension } from '../x509/extensions.ts'
import { readPublicKey } from '../x509/keys.ts'
import { readName, writeName } from '../x509/names.ts'
import { extensions as oids } from '../x509/oids.ts'
import { members, readOne, tags } from '../x509/reader.ts'
import { arrayKeepsFirst, cell, commaListIsOne, mutant, none, type PkiMutant, part, requestField } from './cells.ts'
import { strangerKey, strangerPair } from './strangers.ts'

const places = ['root', 'signIntermediate'] as const
type Place = (typeof places)[number]
const noFault = { fault: () => undefined }
const pathLength = (operation: Place, change: Parameters<typeof requestField>[2]) =>
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
/** Marks an explicit -1, which must differ from the default. */
const saidNone = -3

export const constraintMutants: readonly PkiMutant[] = [
  mutant(
    'root-max-path-length-default-zero',
    'root/generate without max_path_length: path length 0.',
    pathLength('root', { fallback: 0 }),
  ),
  mutant(
    'root-max-path-length-minus-one-is-zero',
    'root/generate with explicit max_path_length -1: path length 0.',
    pathLength('root', given(-1, 0)),
  ),
  mutant(
    'root-max-path-length-zero-is-none',
    'root/generate with max_path_length 0: no path length constraint.',
    pathLength('root', given(0, -1)),
  ),
  mutant(
    'root-max-path-length-ignored',
    'root/generate: max_path_length above 0 gives no constraint.',
    pathLength('root', { used: (length: number) => Math.min(length, length > 0 ? -1 : 0) }),
  ),
  mutant(
    'sign-intermediate-path-length-default-zero',
    'sign-intermediate without max_path_length: path length 0.',
    pathLength('signIntermediate', { fallback: 0 }),
  ),
  mutant(
    'sign-intermediate-path-length-minus-one-is-zero',
    'sign-intermediate with explicit max_path_length -1: path length 0, whatever the signing CA has.',
    pathLength('signIntermediate', given(-1, saidNone)),
    below((limit, asked) => (asked === saidNone ? 0 : pathLengthBelow(limit, asked))),
  ),
  mutant(
    'sign-intermediate-path-length-not-lowered',
    'sign-intermediate, max_path_length -1 (explicit or by default) under a CA with path length n: n instead of n - 1 (under 0: 0, succeeds).',
    below((limit, asked) => (asked < 0 ? (limit ?? 'none') : pathLengthBelow(limit, asked))),
  ),
  mutant(
    'sign-intermediate-path-length-unlimited',
    'sign-intermediate, max_path_length -1 (explicit or by default) under a CA with path length n: no constraint (under 0: succeeds).',
    below((limit, asked) => (asked < 0 ? 'none' : pathLengthBelow(limit, asked))),
  ),
  mutant(
    'sign-intermediate-path-length-zero-is-none',
    'sign-intermediate with max_path_length 0: no constraint, or one less than the CA.',
    pathLength('signIntermediate', given(0, -1)),
  ),
  mutant(
    'sign-intermediate-path-length-ignored',
    'sign-intermediate: max_path_length above 0 is taken as -1.',
    pathLength('signIntermediate', { used: (length: number) => (length > 0 ? -1 : length) }),
  ),
  mutant(
    'root-permitted-dns-domains-ignored',
    'root/generate: permitted_dns_domains is ignored.',
    requestField('root', 'permitted_dns_domains', { used: none }),
  ),
  mutant(
    'sign-intermediate-permitted-dns-domains-ignored',
    'sign-intermediate: permitted_dns_domains is ignored.',
    requestField('signIntermediate', 'permitted_dns_domains', { used: none }),
  ),
  mutant(
    'permitted-dns-domains-comma-list-is-one',
    'Either of the two: permitted_dns_domains given as a comma-separated string becomes one name with a comma in it.',
    requestField(places, 'permitted_dns_domains', { ...noFault, read: commaListIsOne }),
  ),
  mutant(
    'permitted-dns-domains-array-keeps-first',
    'Either of the two: of permitted_dns_domains given as an array only the first is kept.',
    requestField(places, 'permitted_dns_domains', { read: arrayKeepsFirst }),
  ),
  mutant(
    'permitted-dns-domains-default-set',
    'Either of the two: without permitted_dns_domains there is a name constraint on added.example.',
    requestField(places, 'permitted_dns_domains', { fallback: ['added.example'] }),
  ),
  mutant(
    'permitted-dns-domains-excluded',
    'Either of the two: permitted_dns_domains become excluded subtrees instead of permitted ones.',
    cell('authorities', 'permittedDomains', { subtrees: 'excluded' }),
  ),
  mutant(
    'sign-intermediate-not-a-ca',
    'sign-intermediate: the certificate has CA false (no keyCertSign).',
    cell('authorities', 'intermediates', { isCa: false }),
  ),
  mutant(
    'sign-intermediate-certifies-another-key',
    'sign-intermediate: the public key is not that of the CSR.',
    cell('authorities', 'intermediates', { certifies: () => strangerKey().pair.spki }),
  ),
  mutant(
    'sign-intermediate-certifies-another-rsa-key',
    'sign-intermediate: the public key of a CSR with an RSA key is not that of the CSR.',
    cell('authorities', 'intermediates', {
      certifies: (asked) => (readPublicKey(asked).type === 'rsa' ? strangerPair('rsa').spki : asked),
    }),
  ),
  mutant(
    'sign-intermediate-signed-by-another-key',
    'sign-intermediate: the signature is not by the key of the CA.',
    part('signers', { intermediate: strangerKey }),
  ),
  mutant(
    'sign-intermediate-refuses-below-an-intermediate',
    'sign-intermediate is refused where the CA of the mount was set as signed.',
    cell('authorities', 'intermediates', { maySign: (origin) => origin !== 'signed' }),
  ),
  mutant(
    'sign-intermediate-ignores-a-submitted-path-length',
    'sign-intermediate: only the path length of a generated root counts, not that of a submitted CA.',
    cell('authorities', 'intermediates', { limit: (limit, origin) => (origin === 'own-root' ? limit : undefined) }),
  ),
  mutant(
    'use-csr-values-keeps-dns-sans-only',
    'sign-intermediate with use_csr_values true: of the SANs of the CSR only the DNS names are kept.',
    cell('authorities', 'intermediates', {
      copied: (extensions) => extensions.map((one) => (one.oid === oids.altNames ? withDnsAlone(one) : one)),
    }),
  ),
  mutant(
    'use-csr-values-drops-custom-sans',
    'sign-intermediate with use_csr_values true: SANs of the CSR with a type of their own are not kept.',
    cell('authorities', 'intermediates', {
      copied: (extensions) => extensions.map((one) => (one.oid === oids.altNames ? withoutCustom(one) : one)),
    }),
  ),
  mutant(
    'use-csr-values-copies-unknown-extensions-only',
    'sign-intermediate with use_csr_values true: the extended key usages of the CSR are not copied.',
    cell('authorities', 'intermediates', {
      copied: (extensions) => extensions.filter(({ oid }) => oid !== oids.extKeyUsage),
    }),
  ),
  mutant(
    'use-csr-values-makes-extensions-uncritical',
    'sign-intermediate with use_csr_values true: an extension that is critical in the CSR is copied as not critical.',
    cell('authorities', 'intermediates', {
      copied: (extensions) =>
        extensions.map((one) => ({ ...one, critical: false, bytes: extension(one.oid, false, one.content) })),
    }),
  ),
  mutant(
    'use-csr-values-keeps-attributes-with-a-field-only',
    'sign-intermediate with use_csr_values true: attributes of the subject of the CSR are lost for which no request has a field.',
    cell('authorities', 'intermediates', {
      subject: (subject, request, values) => (values === 'used' ? writeName(readName(request.subject)) : subject),
    }),
  ),
  mutant(
    'use-csr-values-orders-the-subject-anew',
    'sign-intermediate with use_csr_values true: the attributes of the subject of the CSR are in reverse order.',
    cell('authorities', 'intermediates', {
      subject: (subject, request, values) =>
        values === 'used'
          ? sequence(
              ...members(readOne(request.subject, tags.sequence))
                .map(({ bytes }) => bytes)
                .reverse(),
            )
          : subject,
    }),
  ),
  mutant(
    'use-csr-values-keeps-name-and-organization-only',
    'sign-intermediate with use_csr_values true: of the subject of the CSR only common name and organization are kept.',
    cell('authorities', 'intermediates', {
      subject(subject, request, values) {
        const { commonName = [], organization = [] } = readName(request.subject)
        return values === 'used' ? writeName({ commonName, organization }) : subject
      },
    }),
  ),
  mutant(
    'use-csr-values-copies-the-first-extension',
    'sign-intermediate with use_csr_values true: of the extensions of the CSR besides SANs and key usages only the first is copied.',
    cell('authorities', 'intermediates', {
      copied(extensions) {
        const known = extensions.filter(({ oid }) => oid === oids.altNames || oid === oids.keyUsage)
        return [...known, ...extensions.filter((one) => !known.includes(one)).slice(0, 1)]
      },
    }),
  ),
  mutant(
    'use-csr-values-off-takes-emails',
    'sign-intermediate with use_csr_values false (explicit or by default): email SANs of the CSR are taken besides the names of the request.',
    cell('authorities', 'intermediates', {
      names: (names, { altNames }, values) =>
        values === 'ignored' ? { ...names, email: [...names.email, ...altNames.email] } : names,
    }),
  ),
  mutant(
    'use-csr-values-off-takes-units',
    'sign-intermediate with use_csr_values false (explicit or by default): the ou of the CSR is taken if the request has none.',
    cell('authorities', 'intermediates', {
      subject(subject, request, values) {
        const [asked, { ou = [] }] = [readName(subject), readName(request.subject)]
        return values === 'ignored' && !asked.ou && ou.length > 0 ? writeName({ ...asked, ou }) : subject
      },
    }),
  ),
  mutant(
    'use-csr-values-fills-sans',
    'sign-intermediate with use_csr_values: a CSR without SANs gets the names of the request.',
    csr('used', { fillsNames: true }),
  ),
  mutant(
    'use-csr-values-drops-subject',
    'sign-intermediate with use_csr_values true: the subject of the CSR is not taken (those of the request are used).',
    csr('used', { subject: false }),
  ),
  mutant(
    'use-csr-values-off-takes-subject',
    'sign-intermediate with use_csr_values false (explicit or by default): the subject of the CSR is taken instead of / besides those of the request.',
    csr('ignored', { subject: true }),
  ),
  mutant(
    'use-csr-values-drops-sans',
    'sign-intermediate with use_csr_values true: the SANs of the CSR are not taken (those of the request are used).',
    csr('used', { names: false }),
  ),
  mutant(
    'use-csr-values-off-takes-sans',
    'sign-intermediate with use_csr_values false (explicit or by default): the SANs of the CSR are taken instead of / besides those of the request.',
    csr('ignored', { names: true }),
  ),
  mutant(
    'use-csr-values-drops-key-usages',
    'sign-intermediate with use_csr_values true: the key usages of the CSR are not taken.',
    csr('used', { keyUsage: 'none' }),
  ),
  mutant(
    'use-csr-values-off-takes-key-usages',
    'sign-intermediate with use_csr_values false (explicit or by default): the key usages of the CSR are taken.',
    csr('ignored', { keyUsage: 'added' }),
  ),
  mutant(
    'use-csr-values-drops-extensions',
    'sign-intermediate with use_csr_values true: the extensions of the CSR are not taken.',
    csr('used', { extensions: false }),
  ),
  mutant(
    'use-csr-values-off-takes-extensions',
    'sign-intermediate with use_csr_values false (explicit or by default): the extensions of the CSR are taken.',
    csr('ignored', { extensions: true }),
  ),
  mutant(
    'use-csr-values-replaces-key-usages',
    'sign-intermediate with use_csr_values true: the key usages of the CSR replace those of a CA.',
    csr('used', { keyUsage: 'alone' }),
  ),
  mutant(
    'use-csr-values-default-on',
    'sign-intermediate without use_csr_values acts as with true (subject, SANs, usages, extensions).',
    requestField('signIntermediate', 'use_csr_values', { fallback: true }),
  ),
  mutant(
    'permitted-dns-domains-dot-is-refused',
    'sign-intermediate: a name with a leading dot in permitted_dns_domains is refused.',
    requestField('signIntermediate', 'permitted_dns_domains', {
      fault: (domains: string[]) => (domains.some((name) => name.startsWith('.')) ? 'a leading dot' : undefined),
    }),
  ),
]
