/** Faults of the values that intermediates take from CSRs, by `use_csr_values`. */

import { namesExtension, personOf } from '../../engines/pki/certificates/ca-certificate.ts'
import { readFields } from '../../engines/pki/fields.ts'
import { readRequestField } from '../../engines/pki/pem-input.ts'
import { caKeyUsages } from '../../engines/pki/rules/usages.ts'
import { hasNames, noNames } from '../../engines/pki/x509/alt-names.ts'
import type { Draft } from '../../engines/pki/x509/certificate.ts'
import { sequence } from '../../engines/pki/x509/der.ts'
import { type Extension, extension, keyUsage } from '../../engines/pki/x509/extensions.ts'
import { readName, writeName } from '../../engines/pki/x509/names.ts'
import { extensions as oids } from '../../engines/pki/x509/oids.ts'
import type { Request } from '../../engines/pki/x509/request.ts'
import type { Call } from '../../kernel/contracts.ts'
import { during, withMethods } from '../with-methods.ts'
import { requestField } from './cells.ts'
import { adding, type DraftChange, dropping, partsOf, renaming, replacing } from './drafts.ts'
import {
  always,
  drafting,
  type Forms,
  faults,
  type Here,
  on,
  type PkiFault,
  sign,
  signIntermediate,
  stored,
} from './pki-operations.ts'

/** The encoded OID of a title. */
const title = Buffer.from('060355040c', 'hex')
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

/** Changes the certificates and certificate requests whose names and subjects are not those of a CSR. */
export const draftingOfFields = (change: (here: Here) => DraftChange): Forms => [
  // A role signs a CSR before the handler first waits.
  ...on(
    sign,
    always,
    (call, next, { memory }) => {
      memory.set('CSR', true)
      try {
        return next(call)
      } finally {
        memory.delete('CSR')
      }
    },
    { remembers: true },
  ),
  ...drafting(['leaf', 'root'], (draft, here) => (here.memory.has('CSR') ? draft : change(here)(draft))),
  stored(
    'signing',
    'request',
    ([draft, key], next, here) => next(change(here)(draft), key),
    ([draft], here) => change(here)(draft) !== draft,
  ),
  ...[intermediateBy('ignored', (draft, _request, { here }) => change(here)(draft))].flat(),
]

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
export const ofCsrValues: readonly PkiFault[] = faults({
  'use-csr-values-keeps-dns-sans-only':
    'sign-intermediate with use_csr_values true copies only the DNS names of the SANs of the CSR.',
  'use-csr-values-drops-custom-sans':
    'sign-intermediate with use_csr_values true does not copy the other SANs of the CSR.',
  'use-csr-values-copies-unknown-extensions-only':
    'sign-intermediate with use_csr_values true does not copy the extended key usages of the CSR.',
  'use-csr-values-makes-extensions-uncritical':
    'sign-intermediate with use_csr_values true copies critical extensions of the CSR as not critical.',
  'use-csr-values-keeps-attributes-with-a-field-only':
    'sign-intermediate with use_csr_values true copies only subject attributes that requests have a field for.',
  'use-csr-values-orders-the-subject-anew':
    'sign-intermediate with use_csr_values true copies the attributes of the subject of the CSR in reverse order.',
  'use-csr-values-keeps-name-and-organization-only':
    'sign-intermediate with use_csr_values true copies only common name and organization of the subject of the CSR.',
  'use-csr-values-copies-the-first-extension':
    'sign-intermediate with use_csr_values true copies SANs, key usages and only one other extension of the CSR.',
  'use-csr-values-off-takes-emails': 'sign-intermediate with use_csr_values false adds the email SANs of the CSR.',
  'use-csr-values-off-takes-units':
    'sign-intermediate with use_csr_values false uses the ou of the CSR if the request has none.',
  'use-csr-values-off-takes-addresses-and-uris':
    'sign-intermediate with use_csr_values false adds the IP and URI SANs of the CSR.',
  'use-csr-values-off-takes-custom-sans': 'sign-intermediate with use_csr_values false adds the other SANs of the CSR.',
  'use-csr-values-off-takes-titles':
    'sign-intermediate with use_csr_values false adds the title in the subject of the CSR.',
  'use-csr-values-off-takes-extended-usages':
    'sign-intermediate with use_csr_values false copies the extended key usages of the CSR.',
  'use-csr-values-off-takes-unknown-extensions':
    'sign-intermediate with use_csr_values false copies the unknown extensions of the CSR that are not critical.',
  'use-csr-values-fills-sans':
    'sign-intermediate with use_csr_values true uses the names of the request if the CSR has no SANs.',
  'use-csr-values-drops-subject':
    'sign-intermediate with use_csr_values true uses the subject of the request instead of that of the CSR.',
  'use-csr-values-off-takes-subject': 'sign-intermediate with use_csr_values false uses the subject of the CSR.',
  'use-csr-values-drops-sans':
    'sign-intermediate with use_csr_values true uses the SANs of the request instead of those of the CSR.',
  'use-csr-values-off-takes-sans': 'sign-intermediate with use_csr_values false uses the SANs of the CSR.',
  'use-csr-values-drops-key-usages':
    'sign-intermediate with use_csr_values true does not copy the key usages of the CSR.',
  'use-csr-values-off-takes-key-usages': 'sign-intermediate with use_csr_values false adds the key usages of the CSR.',
  'use-csr-values-drops-extensions':
    'sign-intermediate with use_csr_values true does not copy the extensions of the CSR.',
  'use-csr-values-off-takes-extensions':
    'sign-intermediate with use_csr_values false copies the extensions of the CSR.',
  'use-csr-values-replaces-key-usages':
    'sign-intermediate with use_csr_values true uses only the key usages of the CSR, without those of a CA.',
  'use-csr-values-default-on': 'use_csr_values of sign-intermediate is true by default.',
}).by({
  'use-csr-values-keeps-dns-sans-only': intermediateBy(
    'used',
    renaming(({ dns }) => ({ ...noNames, dns })),
  ),
  'use-csr-values-drops-custom-sans': intermediateBy(
    'used',
    renaming((names) => ({ ...names, other: [] })),
  ),
  'use-csr-values-copies-unknown-extensions-only': intermediateBy('used', dropping(oids.extKeyUsage)),
  'use-csr-values-makes-extensions-uncritical': intermediateBy('used', (draft, request) =>
    adding(...copiesOf(request).map((one) => extension(one.oid, false, one.content)))(draft),
  ),
  'use-csr-values-keeps-attributes-with-a-field-only': intermediateBy('used', (draft) => ({
    ...draft,
    subject: writeName(readName(draft.subject)),
  })),
  'use-csr-values-orders-the-subject-anew': intermediateBy('used', (draft) => ({
    ...draft,
    subject: sequence(...partsOf(draft.subject).reverse()),
  })),
  'use-csr-values-keeps-name-and-organization-only': intermediateBy('used', (draft) => {
    const { commonName = [], organization = [] } = readName(draft.subject)
    return { ...draft, subject: writeName({ commonName, organization }) }
  }),
  'use-csr-values-copies-the-first-extension': intermediateBy('used', (draft, request) =>
    without(otherCopies(request).slice(1), draft),
  ),
  'use-csr-values-off-takes-emails': addingNames(['email']),
  'use-csr-values-off-takes-units': intermediateBy('ignored', (draft, request) => {
    const [asked, { ou = [] }] = [readName(draft.subject), readName(request.subject)]
    return asked.ou || ou.length === 0 ? draft : { ...draft, subject: writeName({ ...asked, ou }) }
  }),
  'use-csr-values-off-takes-addresses-and-uris': addingNames(['ip', 'uri']),
  'use-csr-values-off-takes-custom-sans': addingNames(['other']),
  'use-csr-values-off-takes-titles': intermediateBy('ignored', (draft, request) => {
    const titles = partsOf(request.subject).filter((one) => one.includes(title))
    return { ...draft, subject: sequence(...partsOf(draft.subject), ...titles) }
  }),
  'use-csr-values-off-takes-extended-usages': copying(({ oid }) => oid === oids.extKeyUsage),
  'use-csr-values-off-takes-unknown-extensions': copying(({ critical, oid }) => oid !== oids.extKeyUsage && !critical),
  'use-csr-values-fills-sans': intermediateBy('used', (draft, { altNames }, asked) =>
    hasNames(altNames) ? draft : withFieldNames(draft, asked),
  ),
  'use-csr-values-drops-subject': intermediateBy('used', (draft, _request, asked) => ({
    ...draft,
    subject: personIn(asked).subject,
  })),
  'use-csr-values-off-takes-subject': intermediateBy('ignored', (draft, { subject }) => ({ ...draft, subject })),
  'use-csr-values-drops-sans': intermediateBy('used', (draft, { altNames }, asked) =>
    hasNames(altNames) ? withFieldNames(dropping(oids.altNames)(draft), asked) : draft,
  ),
  'use-csr-values-off-takes-sans': intermediateBy('ignored', (draft, { altNames }) => renaming(() => altNames)(draft)),
  'use-csr-values-drops-key-usages': intermediateBy('used', withUsages(caKeyUsages)),
  'use-csr-values-off-takes-key-usages': intermediateBy('ignored', (draft, { keyUsage }) =>
    withUsages([...caKeyUsages, ...keyUsage])(draft),
  ),
  'use-csr-values-drops-extensions': intermediateBy('used', (draft, request) => without(otherCopies(request), draft)),
  'use-csr-values-off-takes-extensions': copying(always),
  'use-csr-values-replaces-key-usages': intermediateBy('used', (draft, { keyUsage }) =>
    keyUsage.size > 0 ? withUsages(keyUsage)(draft) : draft,
  ),
  'use-csr-values-default-on': requestField('signIntermediate', 'use_csr_values', { fallback: true }),
})
