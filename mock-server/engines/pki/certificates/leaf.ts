/** Issues certificates of a role, for a new key or for a certificate request. */
import type { Call, Lease, Reply } from '../../../kernel/contracts.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { Context } from '../context.ts'
import { assertAltNamesAllowed, withCommonName } from '../judging/alt-name-rules.ts'
import { type Span, spanOf } from '../judging/lifetimes.ts'
import { assertAllowed } from '../judging/name-rules.ts'
import { type Issuer, noUrls, type Role, type UrlsConfig } from '../store.ts'
import { type AltNames, hasNames } from '../x509/alt-names.ts'
import { altNames, subjectKeyId } from '../x509/extensions.ts'
import { keyIdOf } from '../x509/keys.ts'
import { writeName } from '../x509/names.ts'
import { keep, linksTo } from './issuer.ts'
import { profileOf } from './profile.ts'
import { revoke } from './revocation.ts'
import { newSerial } from './serials.ts'
import type { Issued } from './signing.ts'

export function loadRole({ params }: Call, { store }: Context): Role {
  const role = store.roles.get(params.name ?? '')
  if (!role) throw badRequest(`unknown role: ${params.name}`)
  return role
}

export interface LeafWanted {
  readonly commonName: string
  readonly names: AltNames
  readonly excludeCommonName: boolean
  /** The requested lifetime in seconds; 0 if none was requested. */
  readonly ttl: number
}

/** Refuses a name or a lifetime that the role does not allow. Returns a function that signs a certificate for a key, so
 * that a key is generated only for a valid request. */
export function prepareLeaf(
  context: Context,
  issuer: Issuer,
  role: Role,
  wanted: LeafWanted,
  identity: Readonly<Record<string, string>>,
): (spki: Buffer) => Issued {
  const { rules, variation } = context
  const { commonName } = wanted
  if (commonName === '' && role.require_cn)
    throw badRequest('the common_name field is required, unless require_cn is set to false')
  if (commonName !== '') assertAllowed([commonName], 'commonName', role, rules.names, identity)
  assertAltNamesAllowed(role, wanted.names, rules, identity, variation().hostlessUris === 'refused')
  const names = withCommonName(wanted.names, commonName, wanted.excludeCommonName, rules)
  const { parsed } = issuer.certificate
  const span = leafSpan(context, issuer, role, wanted.ttl)
  const profile = profileOf(role, rules)
  const named = commonName === '' ? {} : { commonName: [commonName] }
  const subject = writeName({ ...profile.subject, ...named }, variation().subjectValues)
  const further = [
    ...linksTo(issuer.certificate, leafUrls(context, issuer)),
    ...(hasNames(names) ? [altNames(names, subject.length === 2)] : []),
  ]
  return (spki) => {
    const extensions = [...profile.extensions, subjectKeyId(keyIdOf(spki)), ...further]
    const draft = { ...span, serial: newSerial(), issuer: parsed.subject, subject, spki, extensions }
    return context.signing.leaf(draft, issuer)
  }
}

export const leafSpan = (context: Context, { certificate, settings }: Issuer, role: Role, asked: number): Span =>
  spanOf(context, {
    ...{ kind: 'leaf', asked, role, backdating: role.not_before_duration, caEnd: certificate.parsed.notAfter },
    beyondCa: settings?.leaf_not_after_behavior,
  })

/** Returns the URLs in leaf certificates: those of the issuer, if it has any, or those of the mount. */
export const leafUrls = ({ store }: Context, { settings }: Issuer): UrlsConfig =>
  settings && hasUrls(settings.urls) ? settings.urls : (store.urls ?? noUrls)

const hasUrls = (urls: UrlsConfig): boolean => Object.values(urls).some((list) => list.length > 0)

/** Stores the certificate and attaches a lease, if the role says so. */
export function settleLeaf(context: Context, role: Role, issuer: Issuer, issued: Issued, data: object): Reply {
  if (role.no_store) return { kind: 'data', data }
  keep(context, issued, issuer.certificate)
  return { kind: 'data', data, ...(role.generate_lease && { lease: leaseOf(context, issued) }) }
}

export function leaseOf(context: Context, { serial, notAfter }: Pick<Issued, 'notAfter' | 'serial'>): Lease {
  return {
    ttl: Math.max(Math.floor((notAfter - context.clock.now()) / 1000), 0),
    renewable: false,
    kept: { serial },
    revoke: () => void revoke(context, serial),
  }
}
