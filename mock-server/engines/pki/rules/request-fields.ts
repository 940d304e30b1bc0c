/** The fields of each request (document 2, Endpoints and Shared request field groups). */
import { badRequest } from '../../../kernel/http/refusal.ts'
import { type FieldRow, flag, isDuration, list, number, seconds, text } from '../fields.ts'

/** A string with commas. Real servers refuse an array here, although they accept one in the other fields of names. */
const commaList: FieldRow<'list'> = {
  ...list(),
  read(given) {
    if (typeof given === 'object' && given !== null)
      throw badRequest('Field validation failed: alt_names must be a string')
    return given
  },
}
const altNameFields = { alt_names: commaList, ip_sans: list(), uri_sans: list(), other_sans: list() }
const subjectFields = {
  ou: list(),
  organization: list(),
  country: list(),
  locality: list(),
  province: list(),
  street_address: list(),
  postal_code: list(),
  serial_number: list(),
}
const format = text('pem', { oneOf: ['pem', 'der', 'pem_bundle'] })
const privateKeyFormat = text('der', { oneOf: ['der', 'pkcs8'] })
const keyFields = { key_type: text('rsa', { oneOf: ['rsa', 'ec'] }), key_bits: number(0) }
const pathLength = number(-1, { invalid: (length) => (length < -1 ? `${length} is below -1` : undefined) })
const domain = /^\.?[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*$/
const permittedDomains = list([], {
  invalid: (domains) => {
    const bad = domains.find((name) => !domain.test(name))
    return bad === undefined ? undefined : `${JSON.stringify(bad)} is not a domain`
  },
})
const urls = list([], {
  invalid: (values) => {
    const bad = values.find((url) => !URL.canParse(url) || !/^[!-~]+$/.test(url))
    return bad === undefined ? undefined : `${JSON.stringify(bad)} is not a URL`
  },
})
/** An empty text means false, because one endpoint of the document has it as the default of this flag (reading 16). */
const excludeCommonName: FieldRow<'flag'> = { ...flag(false), read: (given) => (given === '' ? false : given) }
const requestedCsr = text('', { required: true })

export const requestFields = {
  issue: {
    common_name: text(),
    ...altNameFields,
    ttl: seconds(0),
    format,
    private_key_format: privateKeyFormat,
    exclude_cn_from_sans: excludeCommonName,
  },
  sign: {
    csr: requestedCsr,
    common_name: text(),
    ...altNameFields,
    ttl: seconds(0),
    format,
    exclude_cn_from_sans: excludeCommonName,
  },
  signVerbatim: {
    csr: requestedCsr,
    ttl: seconds(0),
    format,
    key_usage: list(['DigitalSignature', 'KeyAgreement', 'KeyEncipherment']),
    ext_key_usage: list(),
  },
  root: {
    common_name: text('', { required: true }),
    ...altNameFields,
    ttl: seconds(0),
    format,
    private_key_format: privateKeyFormat,
    ...keyFields,
    max_path_length: pathLength,
    exclude_cn_from_sans: excludeCommonName,
    permitted_dns_domains: permittedDomains,
    ...subjectFields,
  },
  intermediate: {
    common_name: text('', { required: true }),
    ...altNameFields,
    format,
    private_key_format: privateKeyFormat,
    ...keyFields,
    exclude_cn_from_sans: excludeCommonName,
    ...subjectFields,
  },
  signIntermediate: {
    csr: requestedCsr,
    common_name: text('', { required: true }),
    ...altNameFields,
    ttl: seconds(0),
    format,
    max_path_length: pathLength,
    exclude_cn_from_sans: excludeCommonName,
    use_csr_values: flag(false),
    permitted_dns_domains: permittedDomains,
    ...subjectFields,
  },
  signSelfIssued: { certificate: text('', { required: true }) },
  setSigned: { certificate: text('', { required: true }) },
  configCa: { pem_bundle: text('', { required: true }) },
  configCrl: {
    expiry: text('72h', { invalid: (expiry) => (isDuration(expiry) ? undefined : `${expiry} is not a duration`) }),
    disable: flag(false),
  },
  configUrls: { issuing_certificates: urls, crl_distribution_points: urls, ocsp_servers: urls },
  revoke: { serial_number: text('', { required: true }) },
  tidy: {
    tidy_cert_store: flag(false),
    tidy_revoked_certs: flag(false),
    /** This is the older name of `tidy_revoked_certs`. */
    tidy_revocation_list: flag(false),
    safety_buffer: seconds(259_200),
  },
}
