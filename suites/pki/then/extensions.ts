/** Expectations of the extensions of certificates and CSRs. */
import type { Expectation } from '../../../harness/vocabulary/index.ts'
import { address } from '../judge/certificate.ts'
import { usageOids } from '../judge/usage-oids.ts'
import { certificate, document, exactly, includes, lacks, listed, sameSet } from './then.ts'

export const dnsSansAre = (wanted: readonly string[]): Expectation => exactly('DNS SAN', ({ sans }) => sans.dns, wanted)
export const dnsSansAreWithin = (allowed: readonly string[]): Expectation =>
  document('DNS SAN', `at most ${allowed.join(', ')}`, ({ sans }) =>
    sans.dns.every((name) => allowed.includes(name)) ? undefined : listed(sans.dns),
  )
export const emailSansAre = (wanted: readonly string[]): Expectation =>
  exactly('email SAN', ({ sans }) => sans.email, wanted)
export const ipSansAre = (wanted: readonly string[]): Expectation =>
  exactly('IP SAN', ({ sans }) => sans.ip, wanted.map(address))
export const uriSansAre = (wanted: readonly string[]): Expectation => exactly('URI SAN', ({ sans }) => sans.uri, wanted)

export const hasDnsSan = (name: string): Expectation => includes('DNS SAN', ({ sans }) => sans.dns, name)
export const lacksDnsSan = (name: string): Expectation => lacks('DNS SAN', ({ sans }) => sans.dns, name)
export const hasEmailSan = (name: string): Expectation => includes('email SAN', ({ sans }) => sans.email, name)

/** Custom SANs as `<oid>;<value>`, each a UTF8String. */
export const otherSansAre = (wanted: readonly string[]): Expectation =>
  exactly(
    'custom SAN',
    ({ sans }) => sans.other.map(({ oid, value, isUtf8 }) => `${oid};${value}${isUtf8 ? '' : ' (no UTF8String)'}`),
    wanted,
  )

export const keyUsageIs = (wanted: readonly string[]): Expectation =>
  exactly('key usage', ({ keyUsage }) => keyUsage, wanted)

const allUsages = ['DigitalSignature', 'ContentCommitment', 'KeyEncipherment', 'DataEncipherment', 'KeyAgreement']

/** The key usage is not restricted: the extension is absent or empty, or has all usages of an end entity. */
export const keyUsageIsUnconstrained: Expectation = document('key usage', 'without constraint', ({ keyUsage }) =>
  keyUsage === undefined || keyUsage.length === 0 || allUsages.every((one) => keyUsage.includes(one))
    ? undefined
    : listed(keyUsage),
)

export const hasExtKeyUsage = (name: keyof typeof usageOids): Expectation =>
  includes(`extended key usage (${name})`, ({ extKeyUsage }) => extKeyUsage, usageOids[name])
export const lacksExtKeyUsage = (name: keyof typeof usageOids): Expectation =>
  lacks(`extended key usage (${name})`, ({ extKeyUsage }) => extKeyUsage, usageOids[name])
export const extKeyUsageIs = (oids: readonly string[]): Expectation =>
  exactly('extended key usage', ({ extKeyUsage }) => extKeyUsage, oids)

/** The extended key usage is not restricted: the extension is absent or empty, or allows any use. */
export const extKeyUsageIsUnconstrained: Expectation = document(
  'extended key usage',
  'without constraint',
  ({ extKeyUsage }) =>
    extKeyUsage === undefined || extKeyUsage.length === 0 || extKeyUsage.includes(usageOids.any)
      ? undefined
      : listed(extKeyUsage),
)

export const policiesAre = (wanted: readonly string[]): Expectation =>
  exactly('certificate policy', ({ policies }) => policies, wanted)

export const noBasicConstraints: Expectation = certificate(
  'Basic Constraints extension',
  'absent',
  ({ basicConstraints }) => (basicConstraints === undefined ? undefined : `CA ${basicConstraints.ca}`),
)
export const basicConstraintsOfLeaf: Expectation = certificate(
  'Basic Constraints extension',
  'there, and that of no CA',
  ({ basicConstraints }) =>
    basicConstraints?.ca === false ? undefined : basicConstraints ? 'CA true' : 'no such extension',
)

/** The certificate is a CA that may sign certificates. */
export const isCa: Expectation = certificate(
  'use',
  'that of a CA: Basic Constraints, and signing certificates',
  ({ basicConstraints, keyUsage }) =>
    basicConstraints?.ca && (keyUsage === undefined || keyUsage.includes('CertSign'))
      ? undefined
      : `CA ${basicConstraints?.ca ?? 'absent'}, key usage ${listed(keyUsage)}`,
)

export const pathLengthIs = (wanted: number | undefined): Expectation =>
  certificate('path length', wanted === undefined ? 'without limit' : String(wanted), ({ basicConstraints }) => {
    if (basicConstraints === undefined) return 'no Basic Constraints'
    return basicConstraints.pathLength === wanted ? undefined : String(basicConstraints.pathLength ?? 'no limit')
  })

const bare = (names: readonly string[]): readonly string[] => names.map((name) => name.replace(/^\./, '').toLowerCase())

/** Exactly these DNS names are permitted, and none is excluded. A leading dot is ignored, because the documents leave
 * open whether a server keeps it, and so is the case of letters, which means nothing in a DNS name. */
export const permittedDnsAre = (wanted: readonly string[]): Expectation =>
  certificate(
    'set of permitted DNS names',
    wanted.length === 0 ? 'without constraint' : `exactly ${wanted.join(', ')}`,
    ({ permittedDns, excludedDns }) =>
      sameSet(bare(permittedDns), bare(wanted)) && excludedDns.length === 0
        ? undefined
        : `permitted ${listed(permittedDns)}, excluded ${listed(excludedDns)}`,
  )

/** The constraint keeps the leading dot of a domain, or excludes the domain by other means. */
export const permitsSubdomainsAlone = (domain: string): Expectation =>
  certificate(
    'permitted DNS names',
    `.${domain}, or a constraint that excludes ${domain}`,
    ({ permittedDns, excludedDns }) =>
      (permittedDns.includes(`.${domain}`) && !permittedDns.includes(domain)) || excludedDns.includes(domain)
        ? undefined
        : `permitted ${listed(permittedDns)}, excluded ${listed(excludedDns)}`,
  )

const urlParts = {
  issuing_certificates: ['URL of the issuing certificate', 'issuerUrls'],
  crl_distribution_points: ['CRL distribution point', 'crlUrls'],
  ocsp_servers: ['OCSP server', 'ocspUrls'],
} as const
export type UrlField = keyof typeof urlParts
export const urlFields = Object.keys(urlParts) as readonly UrlField[]

export const urlsAre = (field: UrlField, wanted: readonly string[]): Expectation => {
  const [at, part] = urlParts[field]
  return exactly(at, (found) => found[part], wanted)
}

/** One certificate has the URLs of all three fields. */
export const urlsOfAll = (wanted: Readonly<Record<UrlField, readonly string[]>>): Expectation =>
  certificate(
    'set of URLs',
    urlFields.map((field) => `${urlParts[field][0]}: ${listed(wanted[field])}`).join('; '),
    (found) =>
      urlFields.every((field) => sameSet(found[urlParts[field][1]], wanted[field]))
        ? undefined
        : urlFields.map((field) => `${urlParts[field][0]}: ${listed(found[urlParts[field][1]])}`).join('; '),
  )

/** The certificate has an extension with this OID and DER value, which is critical if `weight` says so. */
export const hasExtension = (oid: string, der: Uint8Array, weight: 'critical' | 'any' = 'any'): Expectation =>
  certificate(
    `extension ${oid}`,
    weight === 'critical' ? 'that of the CSR, and critical' : 'that of the CSR',
    (found) => {
      const held = found.raw(oid)
      if (!held?.equals(der)) return held?.toString('hex') ?? 'absent'
      const isCritical = found.listed.some((one) => one.oid === oid && one.critical)
      return weight === 'critical' && !isCritical ? 'not critical' : undefined
    },
  )
export const lacksExtension = (oid: string): Expectation =>
  certificate(`extension ${oid}`, 'absent', (found) => found.raw(oid)?.toString('hex'))
