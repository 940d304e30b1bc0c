import { check, post, refused } from '../../harness/vocabulary/index.ts'
import { whereTaken } from '../given.ts'
import { issue, leafName, noneIssued, role, rooted } from './given/given.ts'
import { allows, denies, strict } from './names.ts'
import { hasDnsSan, ipSansAre } from './then/extensions.ts'
import { topic } from './topic.ts'

const domain = 'example.com'
/** With a single option on, each name below is allowed by that option alone. */
const listed = { allowed_domains: [domain, 'web*.example.org'] }
const [below, globbed] = ['a.example.com', 'web1.example.org']
const every = { ...listed, allow_bare_domains: true, allow_subdomains: true, allow_glob_domains: true }

/** The three options are independent, so each allows its names also while the others are on. */
const besideOthers = [
  allows('bare-domain-is-allowed-beside-the-other-options', {
    requirement: 'role.allow-bare-domains.equal',
    role: every,
    asks: domain,
  }),
  allows('subdomain-is-allowed-beside-the-other-options', {
    requirement: 'role.allow-subdomains.below',
    role: every,
    asks: below,
  }),
  allows('glob-is-matched-beside-the-other-options', {
    requirement: 'role.allow-glob-domains.matches',
    role: every,
    asks: globbed,
  }),
]

/** The common name is allowed as well, since a server may require one. */
const amongAltNames = [
  allows('bare-domain-is-allowed-among-the-alt-names', {
    requirement: 'role.allow-bare-domains.equal',
    role: { allowed_domains: [domain, 'example.org'], allow_bare_domains: true },
    asks: domain,
    and: { alt_names: 'example.org' },
  }),
  allows('subdomain-is-allowed-among-the-alt-names', {
    requirement: 'role.allow-subdomains.below',
    role: { allowed_domains: [domain], allow_subdomains: true },
    asks: leafName,
    and: { alt_names: below },
  }),
  allows('glob-is-matched-among-the-alt-names', {
    requirement: 'role.allow-glob-domains.matches',
    role: { ...listed, allow_glob_domains: true },
    asks: globbed,
    and: { alt_names: 'web2.example.org' },
  }),
  allows('localhost-is-allowed-among-the-alt-names', {
    requirement: ['role.allow-localhost.localhost', 'role.allow-localhost.localdomain'],
    role: { allow_localhost: true },
    asks: 'localhost',
    and: { alt_names: 'localdomain' },
  }),
]

const anyName = { ...strict, allow_any_name: true }
const among = (name?: string) => issue({ alt_names: 'other.test' }, name)
/** The row of `allow_any_name` speaks of the common name. So the role must allow the alternative name without allowed
 * domains, before it is judged that they have no effect. */
const unused = check('any-name-ignores-allowed-domains-for-alt-names', {
  requirement: 'pki.role.allowed-domains.unused-with-any-name',
  given: [
    ...rooted(),
    ...[role(anyName, 'twin'), whereTaken(among('twin'))],
    whereTaken(role({ ...anyName, allowed_domains: [domain] })),
  ],
  when: among(),
  then: [hasDnsSan('other.test')],
})

const forms = [
  allows('wildcard-below-a-subdomain-is-allowed', {
    requirement: 'role.allow-subdomains.wildcard',
    role: { allowed_domains: [domain], allow_subdomains: true },
    asks: '*.a.example.com',
  }),
  ...(
    [
      ['glob-may-have-its-star-at-the-end', 'web*', 'web.example.org'],
      ['glob-may-have-its-star-at-the-beginning', '*web.example.com', 'oldweb.example.com'],
      ['star-of-a-glob-may-stand-for-nothing', 'web*.example.com', 'web.example.com'],
    ] as const
  ).map(([id, entry, asks]) =>
    allows(id, {
      requirement: 'role.allow-glob-domains.matches',
      role: { allowed_domains: [entry], allow_glob_domains: true },
      asks,
    }),
  ),
  allows('localdomain-is-allowed-by-default', {
    requirement: 'role.allow-localhost.default',
    role: { allow_localhost: undefined },
    asks: 'localdomain',
  }),
  allows('host-name-may-have-digits-and-hyphens', {
    requirement: 'role.allow-any-name.any',
    role: { allow_any_name: true },
    asks: '3com.a-b.example.com',
  }),
  allows('host-name-may-have-a-label-of-63-characters', {
    requirement: 'role.allow-any-name.any',
    role: { allow_any_name: true },
    asks: 'b'.repeat(63),
  }),
]

const belowDomain = { allowed_domains: [domain], allow_subdomains: true }
const nameless = (fields: { alt_names: string } | { ip_sans: string }) => post('{mount}/issue/{use}leaf', fields)

/** Each name must be allowed, whatever other names the request has or lacks. */
const alone = [
  denies('common-name-beside-an-allowed-alt-name-must-be-allowed', {
    requirement: 'errors.cn-denied',
    // A name that is optional must be allowed as well, where it is given.
    role: { ...belowDomain, require_cn: false },
    asks: 'a.other.test',
    and: { alt_names: below },
    but: { asks: leafName },
  }),
  denies('email-address-as-common-name-must-be-allowed', {
    requirement: 'errors.cn-denied',
    role: belowDomain,
    asks: 'user@a.other.test',
    but: { asks: leafName },
  }),
  check('alt-name-without-a-common-name-must-be-allowed', {
    requirement: 'pki.errors.sans-denied',
    given: [...rooted(), role({ ...strict, ...belowDomain, require_cn: false })],
    when: nameless({ alt_names: 'a.other.test' }),
    then: [refused(noneIssued)],
    control: nameless({ alt_names: below }),
  }),
  check('common-name-can-be-optional-beside-an-ip-san-alone', {
    requirement: 'pki.role.require-cn.off',
    given: [...rooted(), role({ require_cn: false, allow_ip_sans: true })],
    when: nameless({ ip_sans: '192.0.2.7' }),
    then: [ipSansAre(['192.0.2.7'])],
  }),
]

export default topic('pki/fields-names-together', {
  about: 'Names that a role allows by several options, among the alternative names, and without a common name.',
  checks: [...besideOthers, ...amongAltNames, unused, ...forms, ...alone],
})
