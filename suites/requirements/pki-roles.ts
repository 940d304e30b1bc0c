/** Document 2 on the fields of a role other than those that match names, as they show in certificates. */
import { kebab, limit, must, type Rows, roleField, should, subjectFields } from './pki-sources.ts'

const lifetimes: Rows = {
  ...must(roleField('ttl'), {
    'role.ttl.used': 'A certificate that is asked for without a TTL lives as long as the `ttl` of its role.',
    'role.ttl.suffix-h': '`ttl` takes a duration in hours.',
    'role.ttl.suffix-m': '`ttl` takes a duration with a suffix smaller than the hour: minutes.',
    'role.ttl.suffix-s': '`ttl` takes a duration with a suffix smaller than the hour: seconds.',
    'role.ttl.default-system': 'Without `ttl` and `max_ttl` the system default is used.',
    'role.ttl.default-max-ttl': 'Without `ttl`, a `max_ttl` shorter than the system default is used.',
    'role.ttl.default-shorter-system': 'Without `ttl`, a system default shorter than `max_ttl` is used.',
  }),
  ...should(roleField('ttl'), { 'role.ttl.duration-only': 'A role whose `ttl` is no duration should be refused.' }),
  ...must(roleField('max_ttl', 14), {
    'role.max-ttl.bounds': 'No certificate of a role lives longer than its `max_ttl`, whatever the request asks.',
    'role.max-ttl.default': 'Without `max_ttl` no certificate of a role lives longer than the system maximum.',
  }),
  ...must(roleField('not_before_duration'), {
    'role.not-before-duration.used': '`not_before_duration` is how far NotBefore lies before the time of issue.',
  }),
  ...must(limit('Role `not_before_duration` default'), {
    'role.not-before-duration.default': '`not_before_duration` is 30 seconds by default.',
  }),
}

const sans: Rows = {
  ...must(roleField('allow_ip_sans'), {
    'role.allow-ip-sans.default': '`allow_ip_sans` is on by default.',
    'role.allow-ip-sans.any-valid': 'With `allow_ip_sans` on, any valid IP address is allowed.',
    'role.allow-ip-sans.valid-only': 'With `allow_ip_sans` on, what is no IP address is not allowed.',
    'role.allow-ip-sans.off': 'With `allow_ip_sans` off, a request with an IP SAN is denied.',
  }),
  ...must(roleField('allowed_uri_sans'), {
    'role.allowed-uri-sans.default': '`allowed_uri_sans` is empty by default: no URI SAN is allowed.',
    'role.allowed-uri-sans.comma-list': '`allowed_uri_sans` may be given as a comma-delimited list.',
    'role.allowed-uri-sans.array': '`allowed_uri_sans` may be given as a JSON string slice.',
    'role.allowed-uri-sans.globs': '`allowed_uri_sans` may hold globs.',
    'role.allowed-uri-sans.others-denied': 'A URI SAN that `allowed_uri_sans` does not allow is denied.',
    'role.allowed-uri-sans.valid-only': 'What is no valid URI is not allowed as a URI SAN.',
  }),
  ...must(roleField('allowed_other_sans'), {
    'role.allowed-other-sans.default': '`allowed_other_sans` is empty by default: no custom SAN is allowed.',
    'role.allowed-other-sans.type-utf8': 'An entry of `allowed_other_sans` may name its type `UTF8`.',
    'role.allowed-other-sans.type-utf-8': 'An entry of `allowed_other_sans` may name its type `UTF-8`.',
    'role.allowed-other-sans.no-other-type': 'No other type than UTF-8 is valid in custom SANs.',
    'role.allowed-other-sans.star-value': 'A value `*` in `allowed_other_sans` allows any value for its OID.',
    'role.allowed-other-sans.single-star': 'A single `*` as `allowed_other_sans` allows any custom SAN.',
    'role.allowed-other-sans.other-value-denied':
      'A custom SAN with a value that `allowed_other_sans` does not allow is denied.',
    'role.allowed-other-sans.other-oid-denied':
      'A custom SAN with an OID that `allowed_other_sans` does not allow is denied.',
  }),
}

const flags: Rows = Object.assign(
  {},
  ...(
    [
      ['server_flag', true, 'server use'],
      ['client_flag', true, 'client use'],
      ['code_signing_flag', false, 'code signing'],
      ['email_protection_flag', false, 'email protection'],
    ] as const
  ).map(([field, on, use]) =>
    must(roleField(field), {
      [`role.${kebab(field)}.default`]: `\`${field}\` is ${on ? 'on' : 'off'} by default.`,
      [`role.${kebab(field)}.flags`]: `Certificates are flagged for ${use} if \`${field}\` is on, and not if it is off.`,
    }),
  ),
)

const usages: Rows = {
  ...must(roleField('key_usage'), {
    'role.key-usage.default': '`key_usage` is DigitalSignature, KeyAgreement and KeyEncipherment by default.',
    'role.key-usage.digital-signature': '`key_usage` takes the name DigitalSignature, alone too.',
    'role.key-usage.key-agreement': '`key_usage` takes the name KeyAgreement, alone too.',
    'role.key-usage.key-encipherment': '`key_usage` takes the name KeyEncipherment, alone too.',
    'role.key-usage.any-case': 'Names in `key_usage` are taken in any case.',
    'role.key-usage.empty': 'An empty `key_usage` puts no constraint on the use of the key.',
  }),
  ...should(roleField('key_usage'), {
    'role.key-usage.content-commitment': '`key_usage` should take the name ContentCommitment.',
    'role.key-usage.data-encipherment': '`key_usage` should take the name DataEncipherment.',
  }),
  ...must(roleField('ext_key_usage'), {
    'role.ext-key-usage.used': 'The extended key usages named in `ext_key_usage` are in certificates, each of them.',
    'role.ext-key-usage.default': '`ext_key_usage` is empty by default: it puts no constraint.',
    'role.ext-key-usage.any-case': 'Names in `ext_key_usage` are taken in any case.',
    'role.ext-key-usage.empty': 'An empty `ext_key_usage` puts no constraint on the use of the key.',
  }),
  ...should(roleField('ext_key_usage'), {
    'role.ext-key-usage.ocsp-signing': '`ext_key_usage` should take the name OCSPSigning.',
    'role.ext-key-usage.time-stamping': '`ext_key_usage` should take the name TimeStamping.',
  }),
  ...must(roleField('ext_key_usage_oids'), {
    'role.ext-key-usage-oids.comma-list': '`ext_key_usage_oids` may be given as a comma-separated string.',
    'role.ext-key-usage-oids.list': '`ext_key_usage_oids` may be given as a list.',
    'role.ext-key-usage-oids.default': '`ext_key_usage_oids` is empty by default.',
  }),
}

const keys: Rows = {
  ...must(roleField('key_type'), {
    'role.key-type.default': '`key_type` is `rsa` by default.',
    'role.key-type.rsa': 'With `key_type` `rsa`, keys are RSA keys.',
    'role.key-type.ec': 'With `key_type` `ec`, keys are EC keys.',
  }),
  ...should(roleField('key_type'), {
    'role.key-type.closed': 'No key should be generated under another `key_type`.',
  }),
  ...must(roleField('key_type', 26), {
    'role.key-type.any-either': 'In CSR signing, `key_type` `any` takes a key of either type.',
    'role.key-type.any-size': 'In CSR signing, `key_type` `any` takes a key of any size above the least.',
  }),
  ...must(limit('Key size default', 26), {
    'role.key-type.any-rsa-above-1024': 'In CSR signing, `key_type` `any` does not take an RSA key of 1024 bits.',
  }),
  ...must(roleField('key_bits'), {
    'role.key-bits.default': '`key_bits` is 2048 by default.',
    'role.key-bits.rsa': 'No RSA key has another size than the `key_bits` of its role.',
  }),
  ...must(roleField('key_bits: for example 224, 256, 384, 521'), {
    'role.key-bits.ec-224': 'With `key_type` `ec`, `key_bits` 224 gives a key on P-224.',
    'role.key-bits.ec-256': 'With `key_type` `ec`, `key_bits` 256 gives a key on P-256.',
    'role.key-bits.ec-384': 'With `key_type` `ec`, `key_bits` 384 gives a key on P-384.',
    'role.key-bits.ec-521': 'With `key_type` `ec`, `key_bits` 521 gives a key on P-521.',
  }),
  // No size of RSA keys but the default is named.
  ...should(roleField('key_bits'), { 'role.key-bits.rsa-3072': '`key_bits` 3072 should be taken for RSA keys.' }),
  ...must(roleField('key_bits', 18), {
    'role.key-bits.changed-for-ec': '`key_bits` must be changed for `ec`: 2048 gives no EC key.',
  }),
}

const subjectRow = 'ou, organization, country, locality, province, street_address, postal_code, serial_number'
const subject: Rows = {
  ...must(roleField(subjectRow), {
    ...Object.fromEntries(
      subjectFields.map((field) => [
        `role.${kebab(field)}.in-subject`,
        `The values of \`${field}\` of a role are in the subject of its certificates.`,
      ]),
    ),
    'role.subject.comma-list': 'A subject field of a role may be a comma-separated string: each value counts.',
    'role.subject.array': 'A subject field of a role may be a JSON array: each value counts.',
    'role.subject.default': 'The subject fields of a role are empty by default.',
  }),
  ...must(roleField(subjectRow, 12), {
    'role.serial-number.random': 'Without `serial_number` each certificate gets a serial of its own.',
  }),
}

const signing: Rows = {
  ...must(roleField('use_csr_common_name', 26), {
    'role.use-csr-common-name.default':
      '`use_csr_common_name` is on by default: in CSR signing the common name is that of the CSR.',
    'role.use-csr-common-name.off': 'With `use_csr_common_name` off, the common name is not that of the CSR.',
    'role.use-csr-common-name.not-sans': '`use_csr_common_name` does not cover SANs.',
  }),
  ...must(roleField('use_csr_sans', 26), {
    'role.use-csr-sans.default': '`use_csr_sans` is on by default: in CSR signing the SANs are those of the CSR.',
    'role.use-csr-sans.off': 'With `use_csr_sans` off, SANs of the CSR are not taken.',
    'role.use-csr-sans.not-common-name': '`use_csr_sans` does not cover the common name.',
  }),
}

const rest: Rows = {
  ...must(roleField('generate_lease'), {
    'role.generate-lease.default': '`generate_lease` is off by default: no lease is attached.',
    'role.generate-lease.issued': 'With `generate_lease` on, a lease is attached to issued certificates.',
    'role.generate-lease.signed': 'With `generate_lease` on, a lease is attached to signed certificates.',
  }),
  ...must(roleField('no_store'), {
    'role.no-store.default': '`no_store` is off by default: issued certificates are stored.',
    'role.no-store.not-stored': 'With `no_store` on, issued certificates cannot be read afterwards.',
    'role.no-store.not-enumerated': 'With `no_store` on, issued certificates cannot be enumerated.',
    'role.no-store.not-revoked': 'With `no_store` on, issued certificates cannot be revoked by their serial.',
    'role.no-store.no-lease': '`no_store` implies that no lease is generated.',
  }),
  ...must(roleField('require_cn'), {
    'role.require-cn.default': '`require_cn` is on by default.',
    'role.require-cn.on': 'With `require_cn` on, a request without `common_name` is refused.',
    'role.require-cn.off': 'With `require_cn` off, `common_name` is optional.',
  }),
  ...must(roleField('policy_identifiers'), {
    'role.policy-identifiers.default': '`policy_identifiers` is empty by default.',
    'role.policy-identifiers.comma-list': '`policy_identifiers` may be given as a comma-separated string.',
    'role.policy-identifiers.list': '`policy_identifiers` may be given as a list.',
  }),
  ...should(roleField('basic_constraints_valid_for_non_ca'), {
    'role.basic-constraints.default':
      '`basic_constraints_valid_for_non_ca` is off by default: leaf certificates carry no Basic Constraints.',
  }),
  ...must(roleField('basic_constraints_valid_for_non_ca'), {
    'role.basic-constraints.on':
      'With `basic_constraints_valid_for_non_ca` on, leaf certificates carry Basic Constraints, and are no CA.',
  }),
}

export const roleRows: Rows = { ...lifetimes, ...sans, ...flags, ...usages, ...keys, ...subject, ...signing, ...rest }
