/** The fields of a role: kind, default, limits (document 2, Role). */
import { flag, list, number, seconds, text } from '../fields.ts'
import { isOid } from '../x509/der.ts'
import { oneOtherName } from './other-names.ts'
import { extKeyUsages, keyUsages } from './usages.ts'

const unknownIn =
  (known: Readonly<Record<string, unknown>>) =>
  (names: readonly string[]): string | undefined => {
    const unknown = names.find((name) => !Object.hasOwn(known, name.toLowerCase()))
    return unknown === undefined ? undefined : `${JSON.stringify(unknown)} is not the name of a usage`
  }

const notOid = (oids: readonly string[]): string | undefined => {
  const bad = oids.find((oid) => !isOid(oid))
  return bad === undefined ? undefined : `${JSON.stringify(bad)} is not an object identifier`
}

export const roleFields = {
  ttl: seconds(0),
  max_ttl: seconds(0),
  allow_localhost: flag(true),
  allowed_domains: list(),
  allowed_domains_template: flag(false),
  allow_bare_domains: flag(false),
  allow_subdomains: flag(false),
  allow_glob_domains: flag(false),
  allow_wildcard_certificates: flag(true),
  allow_any_name: flag(false),
  enforce_hostnames: flag(true),
  allow_ip_sans: flag(true),
  allowed_uri_sans: list(),
  allowed_other_sans: list([], {
    invalid: (entries) => {
      const bad = entries.find((entry) => entry !== '*' && !oneOtherName(entry))
      return bad === undefined ? undefined : `${JSON.stringify(bad)} is neither * nor <oid>;UTF8:<value>`
    },
  }),
  server_flag: flag(true),
  client_flag: flag(true),
  code_signing_flag: flag(false),
  email_protection_flag: flag(false),
  key_type: text('rsa', { oneOf: ['rsa', 'ec', 'any'] }),
  /** 0 means the default size of the key type. */
  key_bits: number(0),
  key_usage: list(['DigitalSignature', 'KeyAgreement', 'KeyEncipherment'], { invalid: unknownIn(keyUsages) }),
  ext_key_usage: list([], { invalid: unknownIn(extKeyUsages) }),
  ext_key_usage_oids: list([], { invalid: notOid }),
  use_csr_common_name: flag(true),
  use_csr_sans: flag(true),
  ou: list(),
  organization: list(),
  country: list(),
  locality: list(),
  province: list(),
  street_address: list(),
  postal_code: list(),
  serial_number: list(),
  generate_lease: flag(false),
  no_store: flag(false),
  require_cn: flag(true),
  policy_identifiers: list([], { invalid: notOid }),
  basic_constraints_valid_for_non_ca: flag(false),
  not_before_duration: seconds(30),
}
