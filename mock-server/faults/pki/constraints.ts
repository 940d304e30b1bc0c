/** Faults of CA certificates: path lengths, name constraints, and the values of CSRs. */

import { namesExtension, personOf } from '../../engines/pki/certificates/ca-certificate.ts'
import { readFields } from '../../engines/pki/fields.ts'
import { readRequestField } from '../../engines/pki/pem-input.ts'
import { pathLengthBelow } from '../../engines/pki/rules/authorities.ts'
import { caKeyUsages } from '../../engines/pki/rules/usages.ts'
import type { Origin } from '../../engines/pki/store.ts'
import { hasNames, noNames } from '../../engines/pki/x509/alt-names.ts'
import type { Draft } from '../../engines/pki/x509/certificate.ts'
import { sequence } from '../../engines/pki/x509/der.ts'
import {
  basicConstraints,
  type Extension,
  extension,
  keyUsage,
  subjectKeyId,
} from '../../engines/pki/x509/extensions.ts'
import { keyIdOf, readPublicKey } from '../../engines/pki/x509/keys.ts'
import { readName, writeName } from '../../engines/pki/x509/names.ts'
import { extensions as oids } from '../../engines/pki/x509/oids.ts'
import { readNamedBits, readValues } from '../../engines/pki/x509/reader.ts'
import type { Request } from '../../engines/pki/x509/request.ts'
import type { Call } from '../../kernel/contracts.ts'
import { during, withMethods } from '../with-methods.ts'
import { arrayKeepsFirst, commaListIsOne, keepsTwo, none, requestField } from './cells.ts'
import { adding, changing, dropping, partsOf, renaming, replacing } from './drafts.ts'
import {
  always,
  byRules,
  drafting,
  type Forms,
  fault,
  type Here,
  on,
  type PkiFault,
  refusing,
  rule,
  signedByStranger,
  signIntermediate,
} from './pki-operations.ts'
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
const below = (below: typeof pathLengthBelow) => rule({ pathLengthBelow: below })
/** The encoded OID of a title. */
const title = Buffer.from('060355040c', 'hex')
/** Stands for an explicit -1, to distinguish it from the default -1. */
const saidNone = -3

const fieldsIn = ({ body }: Call, { context: { rules } }: Here) =>
  readFields(rules.requestFields.signIntermediate, body)

/** Returns the certificate request that is to be signed, if it is valid. */
function requestIn(call: Call, here: Here): Request | undefined {
  try {
    return readRequestField(fieldsIn(call, here).csr, here.context.rules)
  } catch {
    return undefined
  }
}

interface Asked {
  readonly request: Request
  readonly call: Call
  readonly here: Here
}
type Change = (draft: Draft, request: Request, asked: Asked) => Draft
/** Changes the certificates with the values of the CSR, or those without. The handler signs before it first waits. */
export const intermediateBy = (values: 'used' | 'ignored', change: Change): Forms =>
  on(
    signIntermediate,
    (call, here) => requestIn(call, here) !== undefined && fieldsIn(call, here).use_csr_values === (values === 'used'),
    (call, next, here) => {
      const { context } = here
      const { signing } = context
      const request = requestIn(call, here)
      if (!request) return next(call)
      const intermediate: typeof signing.intermediate = (draft, by) =>
        signing.intermediate(change(draft, request, { request, call, here }), by)
      return during(context, { signing: withMethods(signing, { intermediate }) }, () => next(call))
    },
  )

/** The extensions of CA certificates that are never those of a CSR. */
const own: ReadonlySet<string> = new Set([
  oids.basicConstraints,
  oids.keyUsage,
  oids.subjectKeyId,
  oids.authorityKeyId,
  oids.authorityAccess,
  oids.crlDistributionPoints,
])
const copiesOf = ({ extensions }: Request): readonly Extension[] => extensions.filter(({ oid }) => !own.has(oid))
const otherCopies = (request: Request): readonly Extension[] =>
  copiesOf(request).filter(({ oid }) => oid !== oids.altNames)
const bytesOf = (all: readonly Extension[]): readonly Buffer[] => all.map(({ bytes }) => bytes)
const without = (dropped: readonly Extension[], draft: Draft): Draft => ({
  ...draft,
  extensions: draft.extensions.filter((bytes) => !dropped.some((one) => one.bytes.equals(bytes))),
})
/** Copies extensions of the CSR, other than its names, although use_csr_values is off. */
const copying = (isCopied: (one: Extension) => boolean) =>
  intermediateBy('ignored', (draft, request) => adding(...bytesOf(otherCopies(request).filter(isCopied)))(draft))
const personIn = ({ call, here }: Asked) => personOf(here.context, fieldsIn(call, here))
const withFieldNames = (draft: Draft, asked: Asked): Draft => adding(...namesExtension(personIn(asked)))(draft)
const addingNames = (kinds: readonly (keyof Request['altNames'])[]) =>
  intermediateBy('ignored', (draft, { altNames }) =>
    renaming((names) => ({
      ...names,
      ...Object.fromEntries(kinds.map((kind) => [kind, [...names[kind], ...altNames[kind]]])),
    }))(draft),
  )
const withUsages = (usages: Iterable<number>) => replacing(oids.keyUsage, keyUsage(new Set(usages)))
const certifying = (spki: Buffer, draft: Draft): Draft =>
  replacing(oids.subjectKeyId, subjectKeyId(keyIdOf(spki)))({ ...draft, spki })
const isOfCa = (origin: Origin, { context }: Here): boolean => context.store.ca.certificate?.origin === origin
/** Permits what was excluded: the tag of the subtrees is the other one. */
const excluded = changing(oids.nameConstraints, ({ content, critical }) => {
  const [permitted = Buffer.alloc(0)] = partsOf(content)
  return extension(oids.nameConstraints, critical, sequence(Buffer.concat([Buffer.of(0xa1), permitted.subarray(1)])))
})
const notOfCa = (draft: Draft): Draft =>
  changing(oids.keyUsage, ({ content }) =>
    keyUsage(new Set([...readNamedBits(readValues(content)[0])].filter((bit) => bit !== 5))),
  )(replacing(oids.basicConstraints, basicConstraints(false))(draft))

export const ofConstraints: readonly PkiFault[] = [
  fault(
    'root-max-path-length-default-zero',
    'root/generate without max_path_length makes a root with path length 0.',
    pathLength('root', { fallback: 0 }),
  ),
  fault(
    'root-max-path-length-minus-one-is-zero',
    'root/generate with an explicit max_path_length -1 makes a root with path length 0.',
    pathLength('root', given(-1, 0)),
  ),
  fault(
    'root-max-path-length-zero-is-none',
    'root/generate with max_path_length 0 makes a root without a path length constraint.',
    pathLength('root', given(0, -1)),
  ),
  fault(
    'root-max-path-length-ignored',
    'root/generate with max_path_length above 0 makes a root without a path length constraint.',
    pathLength('root', { used: (length: number) => Math.min(length, length > 0 ? -1 : 0) }),
  ),
  fault(
    'sign-intermediate-path-length-default-zero',
    'sign-intermediate without max_path_length gives the certificate path length 0.',
    pathLength('signIntermediate', { fallback: 0 }),
  ),
  fault(
    'sign-intermediate-path-length-minus-one-is-zero',
    'sign-intermediate with an explicit max_path_length -1 gives path length 0, whatever the signing CA has.',
    pathLength('signIntermediate', given(-1, saidNone)),
    below((limit, asked) => (asked === saidNone ? 0 : pathLengthBelow(limit, asked))),
  ),
  fault(
    'sign-intermediate-path-length-not-lowered',
    'sign-intermediate with max_path_length -1 gives the path length of the signing CA instead of one less.',
    below((limit, asked) => (asked < 0 ? (limit ?? 'none') : pathLengthBelow(limit, asked))),
  ),
  fault(
    'sign-intermediate-path-length-unlimited',
    'sign-intermediate with max_path_length -1 gives no path length constraint, even under a CA that has one.',
    below((limit, asked) => (asked < 0 ? 'none' : pathLengthBelow(limit, asked))),
  ),
  fault(
    'sign-intermediate-path-length-zero-is-none',
    'sign-intermediate treats max_path_length 0 as -1.',
    pathLength('signIntermediate', given(0, -1)),
  ),
  fault(
    'sign-intermediate-path-length-ignored',
    'sign-intermediate treats a max_path_length above 0 as -1.',
    pathLength('signIntermediate', { used: (length: number) => (length > 0 ? -1 : length) }),
  ),
  fault(
    'root-permitted-dns-domains-ignored',
    'root/generate ignores permitted_dns_domains.',
    requestField('root', 'permitted_dns_domains', { used: none }),
  ),
  fault(
    'sign-intermediate-permitted-dns-domains-ignored',
    'sign-intermediate ignores permitted_dns_domains.',
    requestField('signIntermediate', 'permitted_dns_domains', { used: none }),
  ),
  fault(
    'permitted-dns-domains-comma-list-is-one',
    'A comma-separated string of permitted_dns_domains becomes one name with a comma in it.',
    requestField(operations, 'permitted_dns_domains', { ...noFault, read: commaListIsOne }),
  ),
  fault(
    'permitted-dns-domains-array-keeps-first',
    'Only the first entry of an array of permitted_dns_domains is used.',
    requestField(operations, 'permitted_dns_domains', { read: arrayKeepsFirst }),
  ),
  fault(
    'permitted-dns-domains-keep-two',
    'Only the first two entries of permitted_dns_domains are used.',
    requestField(operations, 'permitted_dns_domains', { used: keepsTwo }),
  ),
  fault(
    'permitted-dns-domains-default-set',
    'Without permitted_dns_domains, CA certificates get a name constraint on added.example.',
    requestField(operations, 'permitted_dns_domains', { fallback: ['added.example'] }),
  ),
  fault(
    'permitted-dns-domains-excluded',
    'permitted_dns_domains become excluded subtrees instead of permitted ones.',
    drafting(['root', 'intermediate'], excluded),
  ),
  fault(
    'sign-intermediate-not-a-ca',
    'sign-intermediate returns a certificate with CA false and without the keyCertSign usage.',
    drafting(['intermediate'], notOfCa),
  ),
  fault(
    'sign-intermediate-certifies-another-key',
    'sign-intermediate returns a certificate for another public key than that of the CSR.',
    drafting(['intermediate'], (draft) => certifying(strangerKey().pair.spki, draft)),
  ),
  fault(
    'sign-intermediate-certifies-another-rsa-key',
    'sign-intermediate returns a certificate for another public key if the CSR has an RSA key.',
    drafting(['intermediate'], (draft) =>
      readPublicKey(draft.spki).type === 'rsa' ? certifying(strangerPair('rsa').spki, draft) : draft,
    ),
  ),
  fault(
    'sign-intermediate-signed-by-another-key',
    'sign-intermediate signs with another key than that of the CA.',
    signedByStranger('intermediate'),
  ),
  fault(
    'sign-intermediate-refuses-below-an-intermediate',
    'sign-intermediate is refused if the CA of the mount was set by set-signed.',
    refusing(signIntermediate, (_call, here) => isOfCa('signed', here)),
  ),
  fault(
    'sign-intermediate-ignores-a-submitted-path-length',
    'sign-intermediate ignores the path length of the signing CA unless the CA is a generated root.',
    byRules(
      signIntermediate,
      (_call, here) => here.context.store.ca.certificate?.parsed.pathLength !== undefined && !isOfCa('own-root', here),
      ({ pathLengthBelow }) => ({ pathLengthBelow: (_limit, asked) => pathLengthBelow(undefined, asked) }),
    ),
  ),
  fault(
    'use-csr-values-keeps-dns-sans-only',
    'sign-intermediate with use_csr_values true copies only the DNS names of the SANs of the CSR.',
    intermediateBy(
      'used',
      renaming(({ dns }) => ({ ...noNames, dns })),
    ),
  ),
  fault(
    'use-csr-values-drops-custom-sans',
    'sign-intermediate with use_csr_values true does not copy the other SANs of the CSR.',
    intermediateBy(
      'used',
      renaming((names) => ({ ...names, other: [] })),
    ),
  ),
  fault(
    'use-csr-values-copies-unknown-extensions-only',
    'sign-intermediate with use_csr_values true does not copy the extended key usages of the CSR.',
    intermediateBy('used', dropping(oids.extKeyUsage)),
  ),
  fault(
    'use-csr-values-makes-extensions-uncritical',
    'sign-intermediate with use_csr_values true copies critical extensions of the CSR as not critical.',
    intermediateBy('used', (draft, request) =>
      adding(...copiesOf(request).map((one) => extension(one.oid, false, one.content)))(draft),
    ),
  ),
  fault(
    'use-csr-values-keeps-attributes-with-a-field-only',
    'sign-intermediate with use_csr_values true copies only subject attributes that requests have a field for.',
    intermediateBy('used', (draft) => ({ ...draft, subject: writeName(readName(draft.subject)) })),
  ),
  fault(
    'use-csr-values-orders-the-subject-anew',
    'sign-intermediate with use_csr_values true copies the attributes of the subject of the CSR in reverse order.',
    intermediateBy('used', (draft) => ({ ...draft, subject: sequence(...partsOf(draft.subject).reverse()) })),
  ),
  fault(
    'use-csr-values-keeps-name-and-organization-only',
    'sign-intermediate with use_csr_values true copies only common name and organization of the subject of the CSR.',
    intermediateBy('used', (draft) => {
      const { commonName = [], organization = [] } = readName(draft.subject)
      return { ...draft, subject: writeName({ commonName, organization }) }
    }),
  ),
  fault(
    'use-csr-values-copies-the-first-extension',
    'sign-intermediate with use_csr_values true copies SANs, key usages and only one other extension of the CSR.',
    intermediateBy('used', (draft, request) => without(otherCopies(request).slice(1), draft)),
  ),
  fault(
    'use-csr-values-off-takes-emails',
    'sign-intermediate with use_csr_values false adds the email SANs of the CSR.',
    addingNames(['email']),
  ),
  fault(
    'use-csr-values-off-takes-units',
    'sign-intermediate with use_csr_values false uses the ou of the CSR if the request has none.',
    intermediateBy('ignored', (draft, request) => {
      const [asked, { ou = [] }] = [readName(draft.subject), readName(request.subject)]
      return asked.ou || ou.length === 0 ? draft : { ...draft, subject: writeName({ ...asked, ou }) }
    }),
  ),
  fault(
    'use-csr-values-off-takes-addresses-and-uris',
    'sign-intermediate with use_csr_values false adds the IP and URI SANs of the CSR.',
    addingNames(['ip', 'uri']),
  ),
  fault(
    'use-csr-values-off-takes-custom-sans',
    'sign-intermediate with use_csr_values false adds the other SANs of the CSR.',
    addingNames(['other']),
  ),
  fault(
    'use-csr-values-off-takes-titles',
    'sign-intermediate with use_csr_values false adds the title in the subject of the CSR.',
    intermediateBy('ignored', (draft, request) => {
      const titles = partsOf(request.subject).filter((one) => one.includes(title))
      return { ...draft, subject: sequence(...partsOf(draft.subject), ...titles) }
    }),
  ),
  fault(
    'use-csr-values-off-takes-extended-usages',
    'sign-intermediate with use_csr_values false copies the extended key usages of the CSR.',
    copying(({ oid }) => oid === oids.extKeyUsage),
  ),
  fault(
    'use-csr-values-off-takes-unknown-extensions',
    'sign-intermediate with use_csr_values false copies the unknown extensions of the CSR that are not critical.',
    copying(({ critical, oid }) => oid !== oids.extKeyUsage && !critical),
  ),
  fault(
    'use-csr-values-fills-sans',
    'sign-intermediate with use_csr_values true uses the names of the request if the CSR has no SANs.',
    intermediateBy('used', (draft, { altNames }, asked) => (hasNames(altNames) ? draft : withFieldNames(draft, asked))),
  ),
  fault(
    'use-csr-values-drops-subject',
    'sign-intermediate with use_csr_values true uses the subject of the request instead of that of the CSR.',
    intermediateBy('used', (draft, _request, asked) => ({ ...draft, subject: personIn(asked).subject })),
  ),
  fault(
    'use-csr-values-off-takes-subject',
    'sign-intermediate with use_csr_values false uses the subject of the CSR.',
    intermediateBy('ignored', (draft, { subject }) => ({ ...draft, subject })),
  ),
  fault(
    'use-csr-values-drops-sans',
    'sign-intermediate with use_csr_values true uses the SANs of the request instead of those of the CSR.',
    intermediateBy('used', (draft, _request, asked) => withFieldNames(dropping(oids.altNames)(draft), asked)),
  ),
  fault(
    'use-csr-values-off-takes-sans',
    'sign-intermediate with use_csr_values false uses the SANs of the CSR.',
    intermediateBy('ignored', (draft, { altNames }) => renaming(() => altNames)(draft)),
  ),
  fault(
    'use-csr-values-drops-key-usages',
    'sign-intermediate with use_csr_values true does not copy the key usages of the CSR.',
    intermediateBy('used', withUsages(caKeyUsages)),
  ),
  fault(
    'use-csr-values-off-takes-key-usages',
    'sign-intermediate with use_csr_values false adds the key usages of the CSR.',
    intermediateBy('ignored', (draft, { keyUsage }) => withUsages([...caKeyUsages, ...keyUsage])(draft)),
  ),
  fault(
    'use-csr-values-drops-extensions',
    'sign-intermediate with use_csr_values true does not copy the extensions of the CSR.',
    intermediateBy('used', (draft, request) => without(otherCopies(request), draft)),
  ),
  fault(
    'use-csr-values-off-takes-extensions',
    'sign-intermediate with use_csr_values false copies the extensions of the CSR.',
    copying(always),
  ),
  fault(
    'use-csr-values-replaces-key-usages',
    'sign-intermediate with use_csr_values true uses only the key usages of the CSR, without those of a CA.',
    intermediateBy('used', (draft, { keyUsage }) => (keyUsage.size > 0 ? withUsages(keyUsage)(draft) : draft)),
  ),
  fault(
    'use-csr-values-default-on',
    'use_csr_values of sign-intermediate is true by default.',
    requestField('signIntermediate', 'use_csr_values', { fallback: true }),
  ),
  fault(
    'permitted-dns-domains-dot-is-dropped',
    'sign-intermediate drops the leading dot of names in permitted_dns_domains, which then permit the domain itself.',
    requestField('signIntermediate', 'permitted_dns_domains', {
      used: (domains: string[]) => domains.map((name) => name.replace(/^\./, '')),
    }),
  ),
  fault(
    'permitted-dns-domains-dot-is-refused',
    'sign-intermediate refuses names with a leading dot in permitted_dns_domains.',
    requestField('signIntermediate', 'permitted_dns_domains', {
      invalid: (domains: string[]) => (domains.some((name) => name.startsWith('.')) ? 'a leading dot' : undefined),
    }),
  ),
]
