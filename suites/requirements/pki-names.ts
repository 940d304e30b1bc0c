/** Document 2 on which names a role lets certificates carry. */
import { error, limit, must, type Rows, roleField, should } from './pki-sources.ts'

const domains: Rows = {
  ...must(roleField('allow_localhost'), {
    'role.allow-localhost.default':
      '`allow_localhost` is on by default: a role without allowed domains issues for `localhost`.',
    'role.allow-localhost.localhost': 'With `allow_localhost` on, `localhost` is allowed.',
    'role.allow-localhost.localdomain': 'With `allow_localhost` on, `localdomain` is allowed.',
    'role.allow-localhost.off': 'With `allow_localhost` off, neither `localhost` nor `localdomain` is allowed by it.',
    'role.allow-localhost.off-yet-listed':
      'With `allow_localhost` off, `localhost` and `localdomain` are allowed where `allowed_domains` and its options permit them.',
  }),
  ...must(roleField('allow_localhost', 19), {
    'role.allow-localhost.strict':
      '`allow_localhost` covers exactly these two names: nothing below them, and nothing that looks like them.',
  }),
  ...must(roleField('allowed_domains'), {
    'role.allowed-domains.default':
      '`allowed_domains` is empty by default: a role without it (and without `allow_any_name`) allows no domain.',
    'role.allowed-domains.list': '`allowed_domains` is a list: each of its entries counts.',
    'role.allowed-domains.unused-with-any-name': '`allowed_domains` has no effect when `allow_any_name` is on.',
  }),
  ...must(roleField('allowed_domains_template'), {
    'role.allowed-domains-template.resolved':
      'With `allowed_domains_template` on, ACL path templates in `allowed_domains` stand for what they mean for the caller.',
    'role.allowed-domains-template.default': '`allowed_domains_template` is off by default: a template is no template.',
  }),
  ...must(roleField('allow_bare_domains'), {
    'role.allow-bare-domains.equal': 'With `allow_bare_domains` on, a name equal to an allowed domain is allowed.',
    'role.allow-bare-domains.default': '`allow_bare_domains` is off by default.',
    'role.allow-bare-domains.only-equal':
      '`allow_bare_domains` allows no name that merely resembles an allowed domain.',
  }),
  ...must(roleField('allow_subdomains'), {
    'role.allow-subdomains.below':
      'With `allow_subdomains` on, subdomains of allowed domains are allowed, at any depth.',
    'role.allow-subdomains.wildcard': 'With `allow_subdomains` on, wildcard subdomains of allowed domains are allowed.',
    'role.allow-subdomains.default': '`allow_subdomains` is off by default.',
    'role.allow-subdomains.only-below':
      '`allow_subdomains` allows no name that merely resembles a subdomain of an allowed domain.',
  }),
  ...must(roleField('allow_glob_domains'), {
    'role.allow-glob-domains.matches':
      'With `allow_glob_domains` on, entries of `allowed_domains` may hold shell-style globs.',
    'role.allow-glob-domains.across-parts': 'A glob in `allowed_domains` can match across several domain parts.',
    'role.allow-glob-domains.whole-name':
      'A glob in `allowed_domains` allows no name that it does not match as a whole.',
    'role.allow-glob-domains.default':
      '`allow_glob_domains` is off by default: a star in `allowed_domains` is no glob.',
  }),
  ...must(limit('Matching options'), {
    'matching.bare-independent': '`allow_bare_domains` alone allows no subdomain.',
    'matching.subdomains-independent': '`allow_subdomains` alone does not allow the domain itself.',
    'matching.one-must-describe': 'With none of the three matching options on, `allowed_domains` allows nothing.',
    'matching.subdomain-beyond-glob':
      'With globs and subdomains both on, a subdomain of a name that matches a glob is not allowed for that.',
  }),
}

const anything: Rows = {
  ...must(roleField('allow_any_name'), {
    'role.allow-any-name.any': 'With `allow_any_name` on, any common name is allowed.',
    'role.allow-any-name.default': '`allow_any_name` is off by default.',
    'role.allow-any-name.host-names-checked': 'With `allow_any_name` on, `enforce_hostnames` is still checked.',
    'role.allow-any-name.wildcards-checked':
      'With `allow_any_name` on, `allow_wildcard_certificates` is still checked.',
  }),
  ...must(roleField('enforce_hostnames'), {
    'role.enforce-hostnames.default': '`enforce_hostnames` is on by default.',
    'role.enforce-hostnames.cn': 'With `enforce_hostnames` on, a common name must be a valid host name.',
    'role.enforce-hostnames.dns-sans':
      'With `enforce_hostnames` on, no certificate carries a DNS SAN that is no valid host name.',
    'role.enforce-hostnames.emails':
      'With `enforce_hostnames` on, no certificate carries an email address whose host part is no valid host name.',
    'role.enforce-hostnames.off': 'With `enforce_hostnames` off, a common name need not be a host name.',
  }),
  ...should(roleField('enforce_hostnames'), {
    'role.enforce-hostnames.dns-sans-denied':
      'With `enforce_hostnames` on, a request for a DNS SAN that is no valid host name should be denied, not cut.',
    'role.enforce-hostnames.emails-denied':
      'With `enforce_hostnames` on, a request for an email address whose host part is no valid host name should be denied, not cut.',
  }),
  ...must(roleField('allow_wildcard_certificates', 20), {
    'role.allow-wildcards.default': '`allow_wildcard_certificates` is on by default.',
    'role.allow-wildcards.entire-label': 'A common name may be a wildcard whose entire left-most label is `*`.',
    'role.allow-wildcards.suffixed': 'A common name may be a wildcard whose left-most label ends in `*`.',
    'role.allow-wildcards.prefixed': 'A common name may be a wildcard whose left-most label begins with `*`.',
    'role.allow-wildcards.interior': 'A common name may be a wildcard with `*` inside its left-most label.',
    'role.allow-wildcards.off':
      'With `allow_wildcard_certificates` off, no wildcard of any of the four forms is allowed in the common name.',
    'role.allow-wildcards.off-for-subdomains':
      'With `allow_wildcard_certificates` off, a wildcard subdomain is not allowed in the common name either.',
  }),
  ...must(error('rule 1'), {
    'errors.cn-denied': 'A request whose common name the role does not allow is denied.',
    'errors.sans-denied': 'A request with a SAN that the role does not allow is denied.',
    'errors.one-alt-name-denies-all': 'One entry of `alt_names` that does not match denies the whole request.',
  }),
}

export const nameRows: Rows = { ...domains, ...anything }
