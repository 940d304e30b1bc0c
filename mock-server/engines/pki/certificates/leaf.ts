/** Issues certificates of a role, for a new key or for a certificate request. */
import type { Call, Lease, Reply } from '../../../kernel/contracts.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { Context } from '../context.ts'
import { usedValues } from '../fields.ts'
import { heldAgainst, withCommonName } from '../judging/alt-name-rules.ts'
import { spanOf } from '../judging/lifetimes.ts'
import { allowedNames } from '../judging/name-rules.ts'
import type { PkiRules } from '../rules/index.ts'
import { type Issuer, noUrls, type Role, type UrlsConfig } from '../store.ts'
import { type AltNames, hasNames } from '../x509/alt-names.ts'
import { altNames, subjectKeyId } from '../x509/extensions.ts'
import { keyIdOf } from '../x509/keys.ts'
import { writeName } from '../x509/names.ts'
import { type Issued, keep, linksTo, signCertificate } from './issuer.ts'
import { issuerId } from './issuers.ts'
import { profileOf } from './profile.ts'
import { revoke } from './revocation.ts'

/** Loads the role that the path names, with the values that the engine acts on. */
export function loadRole({ params }: Call, { store, rules }: Context): Role {
  const role = store.roles.get(params.name ?? '')
  if (!role) throw badRequest(`unknown role: ${params.name}`)
  return actedOn(role, rules)
}

const acted = new WeakMap<Role, { readonly rules: PkiRules; readonly role: Role }>()

function actedOn(role: Role, rules: PkiRules): Role {
  const known = acted.get(role)
  if (known?.rules === rules) return known.role
  const used = rules.leaves.actedOn(usedValues(rules.roleFields, role))
  acted.set(role, { rules, role: used })
  return used
}

export interface LeafWanted {
  readonly operation: 'issue' | 'sign'
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
  const { rules } = context
  const { commonName } = wanted
  const row = rules.naming[wanted.operation]
  if (commonName === '' && rules.leaves.needsCommonName(role, wanted.names))
    throw badRequest('the common_name field is required, unless require_cn is set to false')
  const { checks } = rules.names
  const isFree =
    (wanted.excludeCommonName && checks.excludedCommonNames === 'free') ||
    (wanted.names.dns.length > 0 && checks.commonNamesBesideOthers === 'free')
  if (commonName !== '' && !isFree) allowedNames([commonName], 'commonName', role, rules.names, identity)
  const isHeld = row.heldAgainstRole && (commonName !== '' || checks.namesAlone === 'held')
  const isHostRequired = context.variation().hostlessUris === 'refused'
  const held = isHeld ? heldAgainst(role, wanted.names, rules, identity, isHostRequired) : wanted.names
  const names = withCommonName(held, commonName, wanted.excludeCommonName, row, rules)
  const ca = issuer.certificate
  const caEnd = ca.parsed.notAfter
  const backdating = role.not_before_duration
  const beyondCa = issuer.settings?.leaf_not_after_behavior
  const span = spanOf(context, { kind: 'leaf', asked: wanted.ttl, role, backdating, caEnd, beyondCa })
  const profile = profileOf(role, rules)
  const isInSubject = row.commonNameInSubject && (row.excludedInSubject || !wanted.excludeCommonName)
  const named = commonName !== '' && isInSubject ? { commonName: [commonName] } : {}
  const subject = writeName({ ...profile.subject, ...named }, context.variation().subjectValues)
  const alternatives = hasNames(names) ? [altNames(names, subject.length === 2, rules.sans.otherText)] : []
  return (spki) => {
    const own = subjectKeyId(keyIdOf(spki))
    const extensions = [...profile.extensions, own, ...linksTo(ca, leafUrls(context, issuer)), ...alternatives]
    const serial = rules.leafSerial(commonName, role)
    const key = rules.signers.leaf(issuer.key, ca)
    return signCertificate(
      { serial, issuer: ca.parsed.subject, subject, spki, span, extensions },
      key,
      rules.certificates.leaf,
      context.variation(),
    )
  }
}

/** Returns the URLs in leaf certificates: those of the issuer, if it has any, or those of the mount. */
export function leafUrls({ store, rules: { urls } }: Context, { settings }: Issuer): UrlsConfig {
  const { inLeaves } = urls
  const inForce = settings && hasUrls(settings.urls) ? settings.urls : urls.inForce(store)
  if (inLeaves.issuingCertificates && inLeaves.crlDistributionPoints && inLeaves.ocspServers) return inForce
  return {
    issuingCertificates: inLeaves.issuingCertificates ? inForce.issuingCertificates : noUrls.issuingCertificates,
    crlDistributionPoints: inLeaves.crlDistributionPoints
      ? inForce.crlDistributionPoints
      : noUrls.crlDistributionPoints,
    ocspServers: inLeaves.ocspServers ? inForce.ocspServers : noUrls.ocspServers,
  }
}

const hasUrls = (urls: UrlsConfig): boolean => Object.values(urls).some((list) => list.length > 0)

/** Stores the certificate and attaches a lease, if the role says so. */
export function settleLeaf(
  context: Context,
  operation: LeafWanted['operation'],
  role: Role,
  name: string,
  issuer: Issuer,
  issued: Issued,
  data: object,
): Reply {
  const { leases, leaseStores, unstored } = context.rules.leaves
  const made = { role: name, issuer: issuerId(issuer.certificate) }
  if (!role.no_store || (role.generate_lease && leaseStores)) keep(context, issued, made)
  else if (unstored.listed || unstored.read || unstored.revoked) keep(context, issued, { ...made, views: unstored })
  const leased = role.generate_lease && leases[operation] && (!role.no_store || leases.unstored)
  return leased ? { kind: 'data', data, lease: leaseOf(context, issued) } : { kind: 'data', data }
}

function leaseOf(context: Context, { serial, notAfter }: Issued): Lease {
  return {
    ttl: Math.max(Math.floor((notAfter - context.clock.now()) / 1000), 0),
    renewable: false,
    kept: { serial },
    revoke: () => void revoke(context, serial),
  }
}
