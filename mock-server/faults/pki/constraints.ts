/** Faults of CA certificates: path lengths, name constraints and keys. */

import { pathLengthBelow } from '../../engines/pki/rules/path-length.ts'
import type { Origin } from '../../engines/pki/store.ts'
import type { Draft } from '../../engines/pki/x509/certificate.ts'
import { sequence } from '../../engines/pki/x509/der.ts'
import { basicConstraints, extension, keyUsage, subjectKeyId } from '../../engines/pki/x509/extensions.ts'
import { keyIdOf, readPublicKey } from '../../engines/pki/x509/keys.ts'
import { extensions as oids } from '../../engines/pki/x509/oids.ts'
import { readNamedBits, readValues } from '../../engines/pki/x509/reader.ts'
import { arrayKeepsFirst, commaListIsOne, keepsTwo, none, requestField } from './cells.ts'
import { changing, partsOf, replacing } from './drafts.ts'
import {
  byRules,
  drafting,
  faults,
  type Here,
  issue,
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
/** Stands for an explicit -1, to distinguish it from the default -1. */
const saidNone = -3

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

export const ofConstraints: readonly PkiFault[] = faults({
  'root-max-path-length-default-zero': 'root/generate without max_path_length makes a root with path length 0.',
  'root-max-path-length-minus-one-is-zero':
    'root/generate with an explicit max_path_length -1 makes a root with path length 0.',
  'root-max-path-length-zero-is-none':
    'root/generate with max_path_length 0 makes a root without a path length constraint.',
  'root-max-path-length-ignored':
    'root/generate with max_path_length above 0 makes a root without a path length constraint.',
  'sign-intermediate-path-length-default-zero':
    'sign-intermediate without max_path_length gives the certificate path length 0.',
  'sign-intermediate-path-length-minus-one-is-zero':
    'sign-intermediate with an explicit max_path_length -1 gives path length 0, whatever the signing CA has.',
  'sign-intermediate-path-length-not-lowered':
    'sign-intermediate with max_path_length -1 gives the path length of the signing CA instead of one less.',
  'sign-intermediate-path-length-unlimited':
    'sign-intermediate with max_path_length -1 gives no path length constraint, even under a CA that has one.',
  'sign-intermediate-path-length-zero-is-none': 'sign-intermediate treats max_path_length 0 as -1.',
  'sign-intermediate-path-length-ignored': 'sign-intermediate treats a max_path_length above 0 as -1.',
  'root-permitted-dns-domains-ignored': 'root/generate ignores permitted_dns_domains.',
  'sign-intermediate-permitted-dns-domains-ignored': 'sign-intermediate ignores permitted_dns_domains.',
  'permitted-dns-domains-comma-list-is-one':
    'A comma-separated string of permitted_dns_domains becomes one name with a comma in it.',
  'permitted-dns-domains-array-keeps-first': 'Only the first entry of an array of permitted_dns_domains is used.',
  'permitted-dns-domains-keep-two': 'Only the first two entries of permitted_dns_domains are used.',
  'permitted-dns-domains-default-set':
    'Without permitted_dns_domains, CA certificates get a name constraint on added.example.',
  'permitted-dns-domains-excluded': 'permitted_dns_domains become excluded subtrees instead of permitted ones.',
  'sign-intermediate-not-a-ca':
    'sign-intermediate returns a certificate with CA false and without the keyCertSign usage.',
  'sign-intermediate-certifies-another-key':
    'sign-intermediate returns a certificate for another public key than that of the CSR.',
  'sign-intermediate-certifies-another-rsa-key':
    'sign-intermediate returns a certificate for another public key if the CSR has an RSA key.',
  'sign-intermediate-signed-by-another-key': 'sign-intermediate signs with another key than that of the CA.',
  'sign-intermediate-refuses-below-an-intermediate':
    'sign-intermediate is refused if the CA of the mount was set by set-signed.',
  'sign-intermediate-ignores-a-submitted-path-length':
    'sign-intermediate ignores the path length of the signing CA unless the CA is a generated root.',
  'issue-refuses-below-path-length-zero': 'issue is refused if the CA has the path length 0.',
  'permitted-dns-domains-dot-is-dropped':
    'sign-intermediate drops the leading dot of names in permitted_dns_domains, which then permit the domain itself.',
  'permitted-dns-domains-dot-is-refused':
    'sign-intermediate refuses names with a leading dot in permitted_dns_domains.',
}).by({
  'root-max-path-length-default-zero': pathLength('root', { fallback: 0 }),
  'root-max-path-length-minus-one-is-zero': pathLength('root', given(-1, 0)),
  'root-max-path-length-zero-is-none': pathLength('root', given(0, -1)),
  'root-max-path-length-ignored': pathLength('root', {
    used: (length: number) => Math.min(length, length > 0 ? -1 : 0),
  }),
  'sign-intermediate-path-length-default-zero': pathLength('signIntermediate', { fallback: 0 }),
  'sign-intermediate-path-length-minus-one-is-zero': [
    pathLength('signIntermediate', given(-1, saidNone)),
    below((limit, asked) => (asked === saidNone ? 0 : pathLengthBelow(limit, asked))),
  ],
  'sign-intermediate-path-length-not-lowered': below((limit, asked) =>
    asked < 0 ? (limit ?? 'none') : pathLengthBelow(limit, asked),
  ),
  'sign-intermediate-path-length-unlimited': below((limit, asked) =>
    asked < 0 ? 'none' : pathLengthBelow(limit, asked),
  ),
  'sign-intermediate-path-length-zero-is-none': pathLength('signIntermediate', given(0, -1)),
  'sign-intermediate-path-length-ignored': pathLength('signIntermediate', {
    used: (length: number) => (length > 0 ? -1 : length),
  }),
  'root-permitted-dns-domains-ignored': requestField('root', 'permitted_dns_domains', { used: none }),
  'sign-intermediate-permitted-dns-domains-ignored': requestField('signIntermediate', 'permitted_dns_domains', {
    used: none,
  }),
  'permitted-dns-domains-comma-list-is-one': requestField(operations, 'permitted_dns_domains', {
    ...noFault,
    read: commaListIsOne,
  }),
  'permitted-dns-domains-array-keeps-first': requestField(operations, 'permitted_dns_domains', {
    read: arrayKeepsFirst,
  }),
  'permitted-dns-domains-keep-two': requestField(operations, 'permitted_dns_domains', { used: keepsTwo }),
  'permitted-dns-domains-default-set': requestField(operations, 'permitted_dns_domains', {
    fallback: ['added.example'],
  }),
  'permitted-dns-domains-excluded': drafting(['root', 'intermediate'], excluded),
  'sign-intermediate-not-a-ca': drafting(['intermediate'], notOfCa),
  'sign-intermediate-certifies-another-key': drafting(['intermediate'], (draft) =>
    certifying(strangerKey().pair.spki, draft),
  ),
  'sign-intermediate-certifies-another-rsa-key': drafting(['intermediate'], (draft) =>
    readPublicKey(draft.spki).type === 'rsa' ? certifying(strangerPair('rsa').spki, draft) : draft,
  ),
  'sign-intermediate-signed-by-another-key': signedByStranger('intermediate'),
  'sign-intermediate-refuses-below-an-intermediate': refusing(signIntermediate, (_call, here) =>
    isOfCa('signed', here),
  ),
  'sign-intermediate-ignores-a-submitted-path-length': byRules(
    signIntermediate,
    (_call, here) => here.context.store.ca.certificate?.parsed.pathLength !== undefined && !isOfCa('own-root', here),
    ({ pathLengthBelow }) => ({ pathLengthBelow: (_limit, asked) => pathLengthBelow(undefined, asked) }),
  ),
  'issue-refuses-below-path-length-zero': refusing(
    issue,
    (_call, { context }) => context.store.ca.certificate?.parsed.pathLength === 0,
  ),
  'permitted-dns-domains-dot-is-dropped': requestField('signIntermediate', 'permitted_dns_domains', {
    used: (domains: string[]) => domains.map((name) => name.replace(/^\./, '')),
  }),
  'permitted-dns-domains-dot-is-refused': requestField('signIntermediate', 'permitted_dns_domains', {
    invalid: (domains: string[]) => (domains.some((name) => name.startsWith('.')) ? 'a leading dot' : undefined),
  }),
})
