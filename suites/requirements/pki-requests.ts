/** Document 2 on the fields of the requests that make certificates and CSRs. */
import { endpoint, limit, must, purpose, type Rows, sharedGroup, should, told } from './pki-sources.ts'

const rowOf = {
  issue: 'POST /pki/issue/:name',
  root: 'POST /pki/root/generate/:type',
  intermediate: 'POST /pki/intermediate/generate/:type',
  'sign-intermediate': 'POST /pki/root/sign-intermediate',
} as const
type Maker = keyof typeof rowOf
const makers = Object.keys(rowOf) as readonly Maker[]

const everyOf = (among: readonly Maker[], rows: (maker: Maker, at: string) => Rows): Rows =>
  Object.assign({}, ...among.map((maker) => rows(maker, `\`${rowOf[maker].slice('POST /pki/'.length)}\``)))

/** Those that take subject fields in the request; under `issue` the role has them. */
const named: readonly Maker[] = ['root', 'intermediate', 'sign-intermediate']
const keyed: readonly Maker[] = ['issue', 'root', 'intermediate']
const generated: readonly Maker[] = ['root', 'intermediate']

const sans: Rows = {
  ...must(sharedGroup('SAN fields'), {
    'san.alt-names.host': 'A host name in `alt_names` is a DNS SAN.',
    'san.alt-names.email': 'An email address in `alt_names` is an email SAN.',
    'san.alt-names.comma-list': '`alt_names` is comma-delimited: each entry counts.',
    'san.alt-names.default': '`alt_names` is empty by default.',
    'san.ip-sans': 'An address in `ip_sans` is an IP SAN.',
    'san.ip-sans.comma-list': '`ip_sans` is comma-delimited: each entry counts.',
    'san.ip-sans.default': '`ip_sans` is empty by default.',
    'san.uri-sans': 'A URI in `uri_sans` is a URI SAN.',
    'san.uri-sans.comma-list': '`uri_sans` is comma-delimited: each entry counts.',
    'san.uri-sans.default': '`uri_sans` is empty by default.',
    'san.other-sans': 'An entry of `other_sans` is a custom SAN with its OID and its value as UTF8String.',
    'san.other-sans.comma-list': '`other_sans` may be a comma-delimited string: each entry counts.',
    'san.other-sans.array': '`other_sans` may be a JSON string slice: each entry counts.',
    'san.other-sans.default': '`other_sans` is empty by default.',
    'san.other-sans.match-role': '`other_sans` must match `allowed_other_sans` of the role.',
  }),
  ...should(sharedGroup('SAN fields'), {
    'san.other-sans.without-role': 'Where no role limits them, an entry of `other_sans` is a custom SAN, too.',
  }),
  ...must(sharedGroup('`exclude_cn_from_sans`', 16), {
    'san.exclude-cn.default': 'By default a common name that is a host name is among the DNS SANs.',
    'san.exclude-cn.dns': 'With `exclude_cn_from_sans` the common name is not among the DNS SANs.',
    'san.exclude-cn.email':
      'With `exclude_cn_from_sans` a common name that is an email address is not among the email SANs.',
  }),
  // That a common name may be an email address is nowhere said but here.
  ...should(sharedGroup('`exclude_cn_from_sans`', 16), {
    'san.exclude-cn.default-email': 'By default a common name that is an email address should be among the email SANs.',
    'san.exclude-cn.email.without-role':
      'Where no role says which common names are allowed, an email address should be taken, and with `exclude_cn_from_sans` be left out of the email SANs.',
  }),
  ...everyOf(makers, (maker, at) =>
    must(endpoint(rowOf[maker]), {
      [`${maker}.sans`]: `${at} takes the SAN fields.`,
      [`${maker}.exclude-cn`]: `${at} takes \`exclude_cn_from_sans\`.`,
    }),
  ),
}

const subjects = {
  ...everyOf(makers, (maker, at) =>
    must(endpoint(rowOf[maker]), {
      [`${maker}.common-name.subject`]: `${at}: \`common_name\` is the common name of the subject.`,
      [`${maker}.common-name.required`]: `${at}: a request without \`common_name\` is refused.`,
    }),
  ),
  ...everyOf(named, (maker, at) =>
    must(sharedGroup('Subject fields'), {
      [`${maker}.subject.comma-list`]: `${at}: a subject field may be a comma-separated string: each value is in the subject.`,
      [`${maker}.subject.array`]: `${at}: a subject field may be a JSON array: each value is in the subject.`,
      [`${maker}.subject.default`]: `${at}: subject fields are empty by default.`,
    }),
  ),
}

const formats: Rows = {
  ...must(sharedGroup('`format` values'), {
    'format.pem': 'With `format` `pem` the output is PEM.',
    'format.der': 'With `format` `der` the output is DER in base64.',
    'format.pem-bundle': '`format` may be `pem_bundle`: the output is PEM.',
  }),
  ...should(sharedGroup('`format` values'), { 'format.other-refused': 'Another `format` should be refused.' }),
  ...must(sharedGroup('`private_key_format` values'), {
    'private-key-format.der':
      'With `private_key_format` `der` the private key is DER, in base64 or PEM as `format` says.',
  }),
  ...must(sharedGroup('`private_key_format` values', 13), {
    'private-key-format.pkcs8':
      'With `private_key_format` `pkcs8` the private key is PKCS8, in PEM where `format` is PEM.',
  }),
  ...should(sharedGroup('`private_key_format` values'), {
    'private-key-format.other-refused': 'Another `private_key_format` should be refused.',
  }),
  ...everyOf(makers, (maker, at) =>
    must(endpoint(rowOf[maker]), {
      [`${maker}.format`]: `${at} takes \`format\`.`,
      [`${maker}.format.default`]: `${at}: \`format\` is \`pem\` by default.`,
    }),
  ),
  ...everyOf(keyed, (maker, at) =>
    must(endpoint(rowOf[maker]), {
      [`${maker}.private-key-format`]: `${at} takes \`private_key_format\`.`,
      [`${maker}.private-key.belongs`]: `${at}: the private key returned is that of the certificate or CSR.`,
    }),
  ),
  // The row of a root names no default.
  ...everyOf(keyed, (maker, at) =>
    told(maker === 'root' ? 'should' : 'must', endpoint(rowOf[maker]), {
      [`${maker}.private-key-format.default`]: `${at}: \`private_key_format\` is \`der\` by default.`,
    }),
  ),
  ...must(endpoint(rowOf.intermediate), {
    'intermediate.returns.csr': 'The reply holds a CSR.',
    'intermediate.bundle': 'With `pem_bundle` the `csr` field holds the private key and the CSR concatenated.',
    'intermediate.bundle.internal': 'With `pem_bundle` and type `internal` the `csr` field holds the CSR and no key.',
  }),
  ...must(endpoint(rowOf.issue), {
    'issue.bundle': 'With `pem_bundle` the `certificate` field holds the private key and the certificate concatenated.',
    'issue.bundle.generated-root':
      'With `pem_bundle` under a self-signed root that the service made, the CA is not in the bundle.',
    'issue.bundle.submitted-root':
      'With `pem_bundle` under a self-signed root that was submitted, the bundle holds the CA, too.',
    'issue.bundle.intermediate': 'With `pem_bundle` under an intermediate, the bundle holds the CA, too.',
    'issue.returns.private-key': 'The reply holds the private key.',
    'issue.returns.certificate': 'The reply holds the certificate.',
    'issue.returns.issuing-ca': 'The reply holds the issuing CA.',
    'issue.key-not-stored': 'The private key is not stored: it is not to be had with the certificate.',
  }),
  ...should(endpoint(rowOf.issue), {
    'issue.bundle.order': 'With `pem_bundle` the certificate should stand before its CA.',
  }),
}

const keys = everyOf(generated, (maker, at) => ({
  ...must(endpoint(rowOf[maker]), {
    [`${maker}.type.internal`]: `${at}: with type \`internal\` no private key is returned.`,
    [`${maker}.type.exported`]: `${at}: with type \`exported\` the private key is returned.`,
    [`${maker}.key-type.default`]: `${at}: \`key_type\` is \`rsa\` by default.`,
    [`${maker}.key-type.ec`]: `${at}: with \`key_type\` \`ec\` the key is an EC key.`,
    [`${maker}.key-bits.default`]: `${at}: \`key_bits\` is 2048 by default.`,
    [`${maker}.key-bits.used`]: `${at}: \`key_bits\` is the size of the key.`,
  }),
  ...must(endpoint(rowOf[maker], 18), {
    [`${maker}.key-bits.changed-for-ec`]: `${at}: \`key_bits\` 2048 gives no EC key.`,
  }),
  ...should(endpoint(rowOf[maker]), {
    [`${maker}.key-type.other-refused`]: `${at}: another \`key_type\` should be refused.`,
    [`${maker}.type.closed`]: `${at}: another type should be refused.`,
  }),
}))

const lifetimes: Rows = {
  ...must(endpoint(rowOf.issue, 14), {
    'issue.ttl.used': '`ttl` of an issue request is the lifetime of the certificate.',
    'issue.ttl.default-role':
      'Without `ttl` in the request, the `ttl` of the role is used, also where `max_ttl` is longer.',
  }),
  ...should(endpoint(rowOf.issue), { 'issue.ttl.duration-only': 'A `ttl` that is no duration should be refused.' }),
  ...must(endpoint(rowOf.root), { 'root.ttl.used': '`ttl` of a generated root is its lifetime.' }),
  ...must(limit('Certificate TTL', 14), {
    'root.ttl.bounded': 'No generated root lives longer than the engine or system maximum, whatever the request asks.',
    'root.ttl.default-bounded': 'A root generated without `ttl` lives no longer than the engine or system maximum.',
  }),
  ...must(endpoint(rowOf['sign-intermediate'], 15), {
    'sign-intermediate.ttl.used': '`ttl` of a signed intermediate is its lifetime.',
    'sign-intermediate.ttl.beyond-ca': 'A signed intermediate may live longer than the signing CA.',
  }),
  ...must(limit('Certificate TTL', 15), {
    'sign-intermediate.ttl.bounded': 'No signed intermediate lives longer than the engine or system maximum.',
  }),
}

const constraints: Rows = {
  ...must(endpoint(rowOf.root), {
    'root.max-path-length.default': '`max_path_length` of a root is -1 by default: no limit.',
    'root.max-path-length.unlimited': '`max_path_length` -1 of a root means no limit.',
    'root.max-path-length.zero': '`max_path_length` 0 of a root means literally zero.',
    'root.max-path-length.used': '`max_path_length` of a root is the path length in its Basic Constraints.',
    'root.permitted-dns-domains.comma-list':
      '`permitted_dns_domains` of a root may be a comma-separated string: each is a permitted name constraint.',
    'root.permitted-dns-domains.array':
      '`permitted_dns_domains` of a root may be an array: each is a permitted name constraint.',
    'root.permitted-dns-domains.default': '`permitted_dns_domains` of a root is empty by default: no name constraint.',
    'root.urls.crl': 'A generated root carries the CRL distribution points of the URLs configuration.',
  }),
  // Told where a root is generated, and meant wherever the field stands.
  ...must(endpoint(rowOf.root), {
    'sign-intermediate.max-path-length.unlimited':
      '`max_path_length` -1 means no limit where the signing certificate sets none.',
    'sign-intermediate.max-path-length.one-less':
      '`max_path_length` -1 means one less than the signing certificate sets.',
    'sign-intermediate.max-path-length.zero': '`max_path_length` 0 means literally zero.',
  }),
  ...must(endpoint(rowOf['sign-intermediate']), {
    'sign-intermediate.csr.required': 'A request without `csr` is refused.',
    'sign-intermediate.csr.pem': 'A `csr` that is no CSR in PEM is refused.',
    'sign-intermediate.is-ca': 'The certificate is that of a CA.',
    'sign-intermediate.key-of-csr': 'The certificate is for the key of the CSR.',
    'sign-intermediate.signed-by-ca': 'The certificate is signed by the key of the CA.',
    'sign-intermediate.max-path-length.default': '`max_path_length` is -1 by default.',
    'sign-intermediate.max-path-length.used': '`max_path_length` is the path length in the Basic Constraints.',
    'sign-intermediate.permitted-dns-domains.names': 'Each of `permitted_dns_domains` is a permitted name constraint.',
    'sign-intermediate.permitted-dns-domains.leading-dot': 'A name in `permitted_dns_domains` may begin with a dot.',
    'sign-intermediate.permitted-dns-domains.default':
      '`permitted_dns_domains` is empty by default: no name constraint.',
    'sign-intermediate.urls.crl':
      'A signed intermediate carries the CRL distribution points of the URLs configuration.',
    'sign-intermediate.use-csr-values.default': '`use_csr_values` is off by default.',
    'sign-intermediate.use-csr-values.sans': 'With `use_csr_values` the SANs are those of the CSR.',
    'sign-intermediate.use-csr-values.key-usages':
      'With `use_csr_values` the key usages of the CSR are added to those of a CA.',
    'sign-intermediate.use-csr-values.extensions': 'With `use_csr_values` extensions of the CSR are copied.',
    'sign-intermediate.use-csr-values.off-subject': 'Without `use_csr_values` the subject of the CSR is ignored.',
    'sign-intermediate.use-csr-values.off-sans': 'Without `use_csr_values` the SANs of the CSR are ignored.',
    'sign-intermediate.use-csr-values.off-key-usages':
      'Without `use_csr_values` the key usages of the CSR are ignored.',
    'sign-intermediate.use-csr-values.off-extensions':
      'Without `use_csr_values` other extensions of the CSR are ignored.',
  }),
  ...must(endpoint(rowOf['sign-intermediate'], 17), {
    'sign-intermediate.use-csr-values.subject': 'With `use_csr_values` the subject is that of the CSR, verbatim.',
  }),
  // Said of issued certificates in general.
  ...should(purpose('configuration of URLs encoded into issued certificates'), {
    'root.urls.others': 'A generated root carries the issuing certificates and OCSP servers of the URLs configuration.',
    'sign-intermediate.urls.others':
      'A signed intermediate carries the issuing certificates and OCSP servers of the URLs configuration.',
  }),
  ...should(endpoint(rowOf['sign-intermediate']), {
    'sign-intermediate.max-path-length.none-left':
      'Under a CA with path length 0, `max_path_length` -1 should be refused: one less is no length.',
    'sign-intermediate.csr.signed': 'A CSR whose signature is wrong should be refused.',
  }),
}

export const requestRows: Rows = {
  ...sans,
  ...subjects,
  ...formats,
  ...keys,
  ...lifetimes,
  ...constraints,
}
