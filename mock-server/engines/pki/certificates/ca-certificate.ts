/** Builds the subjects and extensions of CA certificates: of self-signed roots, and of intermediates for a certificate
 * request. */
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { Context } from '../context.ts'
import type { ValuesOf } from '../fields.ts'
import { readNames, withCommonName } from '../judging/alt-name-rules.ts'
import type { PkiRules } from '../rules/index.ts'
import type { requestFields } from '../rules/request-fields.ts'
import { type Issuer, noUrls } from '../store.ts'
import { type AltNames, hasNames } from '../x509/alt-names.ts'
import {
  altNames,
  authorityKeyId,
  basicConstraints,
  type Extension,
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

export function personOf({ rules, variation }: Context, fields: IntermediateFields | SignFields): Person {
  const { common_name: name } = fields
  const named = name === '' ? {} : { commonName: [name] }
  return {
    subject: writeName({ ...subjectOf(fields), ...named }, variation().subjectValues),
    names: withCommonName(readNames(fields), name, fields.exclude_cn_from_sans, rules),
  }
}

export const namesExtension = ({ names, subject }: Person): Buffer[] =>
  hasNames(names) ? [altNames(names, subject.length === 2)] : []

const constraintsOf = (domains: readonly string[]): Buffer[] => (domains.length > 0 ? [nameConstraints(domains)] : [])

export function rootExtensions(context: Context, fields: RootFields, person: Person, spki: Buffer): Buffer[] {
  const { rules, store } = context
  const id = keyIdOf(spki)
  const limit = fields.max_path_length
  return [
    basicConstraints(true, limit < 0 ? undefined : limit),
    keyUsage(new Set(rules.usages.ca)),
    subjectKeyId(id),
    authorityKeyId(id),
    ...urlExtensions(store.urls ?? noUrls),
    ...namesExtension(person),
    ...constraintsOf(fields.permitted_dns_domains),
  ]
}

function pathLengthOf(limit: number | undefined, asked: number, rules: PkiRules): number | undefined {
  const length = rules.pathLengthBelow(limit, asked)
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
  const isOfCsr = fields.use_csr_values
  const person = personOf(context, fields)
  const constraints = constraintsOf(fields.permitted_dns_domains)
  const isCopied = ({ oid }: Extension): boolean =>
    !own.has(oid) && !(oid === oids.nameConstraints && constraints.length > 0)
  const more =
    context.variation().intermediateUsages === 'key-encipherment' ? [rules.usages.key.keyencipherment ?? 2] : []
  const limit = pathLengthOf(certificate.parsed.pathLength, fields.max_path_length, rules)
  return {
    subject: isOfCsr ? request.subject : person.subject,
    extensions: [
      basicConstraints(true, limit),
      keyUsage(new Set([...rules.usages.ca, ...(isOfCsr ? request.keyUsage : []), ...more])),
      subjectKeyId(keyIdOf(request.spki)),
      ...linksTo(certificate, store.urls ?? noUrls),
      ...(isOfCsr ? [] : namesExtension(person)),
      ...constraints,
      ...(isOfCsr ? request.extensions.filter(isCopied).map(({ bytes }) => bytes) : []),
    ],
  }
}
