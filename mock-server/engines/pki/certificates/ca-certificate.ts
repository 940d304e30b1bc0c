/** Builds the subjects and extensions of CA certificates: of self-signed roots, and of intermediates for a certificate
 * request. */
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { Context } from '../context.ts'
import type { ValuesOf } from '../fields.ts'
import { readNames, withCommonName } from '../judging/alt-name-rules.ts'
import type { PkiRules } from '../rules/index.ts'
import type { NamingOperation } from '../rules/naming.ts'
import type { requestFields } from '../rules/request-fields.ts'
import { type Issuer, noUrls } from '../store.ts'
import { type AltNames, hasNames } from '../x509/alt-names.ts'
import {
  altNames,
  authorityKeyId,
  basicConstraints,
  keyUsage,
  nameConstraints,
  subjectKeyId,
  urlExtensions,
} from '../x509/extensions.ts'
import { keyIdOf } from '../x509/keys.ts'
import { writeName } from '../x509/names.ts'
import { extensions as oids } from '../x509/oids.ts'
import type { Request } from '../x509/request.ts'
import { linksTo } from './issuer.ts'
import { subjectOf } from './profile.ts'

type RootFields = ValuesOf<(typeof requestFields)['root']>
type IntermediateFields = ValuesOf<(typeof requestFields)['intermediate']>
type SignFields = ValuesOf<(typeof requestFields)['signIntermediate']>

/** The subject of a certificate: its encoded name and its alternative names. */
export interface Person {
  readonly subject: Buffer
  readonly names: AltNames
}

export function personOf(
  { rules, variation }: Context,
  operation: NamingOperation,
  fields: IntermediateFields | SignFields,
): Person {
  const row = rules.naming[operation]
  const { common_name: name } = fields
  const isInSubject = row.commonNameInSubject && (row.excludedInSubject || !fields.exclude_cn_from_sans)
  const named = name !== '' && isInSubject ? { commonName: [name] } : {}
  const names = readNames(fields, row, rules)
  return {
    subject: writeName({ ...subjectOf(fields), ...named }, variation().subjectValues),
    names: withCommonName(names, name, fields.exclude_cn_from_sans, row, rules),
  }
}

export const namesExtension = ({ names, subject }: Person, { sans }: PkiRules): Buffer[] =>
  hasNames(names) ? [altNames(names, subject.length === 2, sans.otherText)] : []

const constraintsOf = (domains: readonly string[], { authorities }: PkiRules): Buffer[] =>
  domains.length > 0 ? [nameConstraints(authorities.permittedDomains.subtrees, domains)] : []

export function rootExtensions(context: Context, fields: RootFields, person: Person, spki: Buffer): Buffer[] {
  const { rules, store } = context
  const id = keyIdOf(spki)
  const limit = fields.max_path_length
  return [
    basicConstraints(true, limit < 0 ? undefined : limit),
    keyUsage(new Set(rules.usages.ca)),
    subjectKeyId(id),
    authorityKeyId(id),
    ...(rules.urls.inRoots ? urlExtensions(rules.urls.inForceForCas(store)) : []),
    ...namesExtension(person, rules),
    ...constraintsOf(fields.permitted_dns_domains, rules),
  ]
}

function pathLengthOf(limit: number | undefined, asked: number, { authorities }: PkiRules): number | undefined {
  const length = authorities.pathLengthBelow(limit, asked)
  if (length === 'refused')
    throw badRequest('signing certificate has a max path length of zero, and cannot issue further CA certificates')
  return length === 'none' ? undefined : length
}

/** The signer sets these extensions, whatever the certificate request contains. */
const own: ReadonlySet<string> = new Set([
  oids.basicConstraints,
  oids.keyUsage,
  oids.subjectKeyId,
  oids.authorityKeyId,
  oids.authorityAccess,
  oids.crlDistributionPoints,
])

/** Returns the subject and the extensions of an intermediate, with the values of its certificate request if
 * `use_csr_values` is set. */
export function intermediateOf(
  context: Context,
  { certificate }: Issuer,
  fields: SignFields,
  request: Request,
): { readonly subject: Buffer; readonly extensions: readonly Buffer[] } {
  const { rules, store } = context
  const { csrValues, intermediates } = rules.authorities
  const values = fields.use_csr_values ? 'used' : 'ignored'
  const use = csrValues[values]
  const asked = personOf(context, 'signIntermediate', fields)
  const person = { ...asked, names: intermediates.names(asked.names, request, values) }
  const constraints = constraintsOf(fields.permitted_dns_domains, rules)
  const copied = intermediates.copied(request.extensions, values).filter(({ oid }) => {
    if (own.has(oid) || (oid === oids.nameConstraints && constraints.length > 0)) return false
    return oid === oids.altNames ? use.names : use.extensions
  })
  const usages = use.keyUsage === 'none' ? [] : request.keyUsage
  const more =
    context.variation().intermediateUsages === 'key-encipherment' ? [rules.usages.key.keyencipherment ?? 2] : []
  const limit = pathLengthOf(
    intermediates.limit(certificate.parsed.pathLength, certificate.origin),
    fields.max_path_length,
    rules,
  )
  const isCa = intermediates.isCa
  const isFilled = use.fillsNames && !copied.some(({ oid }) => oid === oids.altNames)
  const isOfCsrAlone = use.keyUsage === 'alone' && request.keyUsage.size > 0
  return {
    subject: intermediates.subject(use.subject ? request.subject : person.subject, request, values),
    extensions: [
      basicConstraints(isCa, isCa ? limit : undefined),
      keyUsage(new Set([...(isCa && !isOfCsrAlone ? rules.usages.ca : []), ...usages, ...more])),
      subjectKeyId(keyIdOf(request.spki)),
      ...linksTo(certificate, rules.urls.inIntermediates[values] ? rules.urls.inForceForCas(store) : noUrls),
      ...(use.names && !isFilled ? [] : namesExtension(person, rules)),
      ...constraints,
      ...copied.map(({ bytes }) => bytes),
    ],
  }
}
