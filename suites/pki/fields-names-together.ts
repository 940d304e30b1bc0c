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
    mutants: [
      'names-bare-not-beside-subdomains',
      'names-bare-not-beside-globs',
      'names-bare-never-matches',
      'names-last-allowed-domain-only',
    ],
  }),
  allows('subdomain-is-allowed-beside-the-other-options', {
    requirement: 'role.allow-subdomains.below',
    role: every,
    asks: below,
    mutants: [
      'names-subdomains-not-beside-bare',
      'names-subdomains-not-beside-globs',
      'names-subdomains-never-match',
      'names-last-allowed-domain-only',
    ],
  }),
  allows('glob-is-matched-beside-the-other-options', {
    requirement: 'role.allow-glob-domains.matches',
    role: every,
    asks: globbed,
    mutants: ['names-globs-not-beside-others', 'names-glob-never-matches', 'names-first-allowed-domain-only'],
  }),
]

/** The common name is allowed as well, since a server may require one. */
const amongAltNames = [
  allows('bare-domain-is-allowed-among-the-alt-names', {
    requirement: 'role.allow-bare-domains.equal',
    role: { allowed_domains: [domain, 'example.org'], allow_bare_domains: true },
    asks: domain,
    and: { alt_names: 'example.org' },
    mutants: [
      'names-alt-names-exclude-bare-domains',
      'names-bare-never-matches',
      'names-first-allowed-domain-only',
      'names-last-allowed-domain-only',
      'drops-dns-names',
    ],
  }),
  allows('subdomain-is-allowed-among-the-alt-names', {
    requirement: 'role.allow-subdomains.below',
    role: { allowed_domains: [domain], allow_subdomains: true },
    asks: leafName,
    and: { alt_names: below },
    mutants: ['names-alt-names-exclude-subdomains', 'names-subdomains-never-match', 'drops-dns-names'],
  }),
  allows('glob-is-matched-among-the-alt-names', {
    requirement: 'role.allow-glob-domains.matches',
    role: { ...listed, allow_glob_domains: true },
    asks: globbed,
    and: { alt_names: 'web2.example.org' },
    mutants: [
      'names-alt-names-exclude-globs',
      'names-glob-never-matches',
      'names-first-allowed-domain-only',
      'drops-dns-names',
    ],
  }),
  allows('localhost-is-allowed-among-the-alt-names', {
    requirement: ['role.allow-localhost.localhost', 'role.allow-localhost.localdomain'],
    role: { allow_localhost: true },
    asks: 'localhost',
    and: { alt_names: 'localdomain' },
    mutants: [
      'localhost-excludes-alt-names',
      'localhost-excludes-localhost',
      'localhost-excludes-localdomain',
      'drops-dns-names',
    ],
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
  mutants: ['pki/names-any-name-binds-alt-names', 'pki/names-any-name-bound-by-allowed-domains', 'pki/drops-dns-names'],
})

const forms = [
  allows('wildcard-below-a-subdomain-is-allowed', {
    requirement: 'role.allow-subdomains.wildcard',
    role: { allowed_domains: [domain], allow_subdomains: true },
    asks: '*.a.example.com',
    mutants: [
      'names-subdomain-wildcards-directly-below-only',
      'names-subdomains-exclude-wildcards',
      'names-subdomains-never-match',
      'names-subdomains-one-level-only',
    ],
  }),
  ...(
    [
      [
        'glob-may-have-its-star-at-the-end',
        'web*',
        'web.example.org',
        'star-at-the-end-is-literal',
        ['names-glob-one-label-only'],
      ],
      [
        'glob-may-have-its-star-at-the-beginning',
        '*web.example.com',
        'oldweb.example.com',
        'star-at-the-beginning-is-literal',
        [],
      ],
      ['star-of-a-glob-may-stand-for-nothing', 'web*.example.com', 'web.example.com', 'star-needs-a-character', []],
    ] as const
  ).map(([id, entry, asks, mutant, more]) =>
    allows(id, {
      requirement: 'role.allow-glob-domains.matches',
      role: { allowed_domains: [entry], allow_glob_domains: true },
      asks,
      mutants: [`names-glob-${mutant}`, 'names-glob-never-matches', ...more],
    }),
  ),
  allows('localdomain-is-allowed-by-default', {
    requirement: 'role.allow-localhost.default',
    role: { allow_localhost: undefined },
    asks: 'localdomain',
    mutants: [
      'localhost-default-excludes-localdomain',
      'localhost-excludes-localdomain',
      'role-allow-localhost-default-off',
    ],
  }),
  allows('host-name-may-have-digits-and-hyphens', {
    requirement: 'role.allow-any-name.any',
    role: { allow_any_name: true },
    asks: '3com.a-b.example.com',
    mutants: ['hostnames-begin-with-letters', 'hostnames-hold-no-hyphens'],
  }),
  allows('host-name-may-have-a-label-of-63-characters', {
    requirement: 'role.allow-any-name.any',
    role: { allow_any_name: true },
    asks: 'b'.repeat(63),
    mutants: ['hostnames-hold-no-labels-of-63-characters', 'names-any-name-needs-a-dot'],
  }),
]

const belowDomain = { allowed_domains: [domain], allow_subdomains: true }
const nameless = (fields: { alt_names: string } | { ip_sans: string }) => post('{mount}/issue/{use}leaf', fields)

/** Each name must be allowed, whatever other names the request has or lacks. */
const alone = [
  denies('common-name-beside-an-allowed-alt-name-must-be-allowed', {
    requirement: 'errors.cn-denied',
    role: belowDomain,
    asks: 'a.other.test',
    and: { alt_names: below },
    but: { asks: leafName },
    mutants: ['common-name-beside-alt-names-not-matched'],
  }),
  denies('email-address-as-common-name-must-be-allowed', {
    requirement: 'errors.cn-denied',
    role: belowDomain,
    asks: 'user@a.other.test',
    but: { asks: leafName },
    mutants: ['email-common-names-not-matched'],
  }),
  check('alt-name-without-a-common-name-must-be-allowed', {
    requirement: 'pki.errors.sans-denied',
    given: [...rooted(), role({ ...strict, ...belowDomain, require_cn: false })],
    when: nameless({ alt_names: 'a.other.test' }),
    then: [refused(noneIssued)],
    control: nameless({ alt_names: below }),
    mutants: [
      'pki/names-without-a-common-name-not-matched',
      'pki/alt-names-not-matched',
      'pki/alt-names-drop-what-does-not-match',
      'pki/drops-dns-names',
      'pki/refusals-act',
    ],
  }),
  check('common-name-can-be-optional-beside-an-ip-san-alone', {
    requirement: 'pki.role.require-cn.off',
    given: [...rooted(), role({ require_cn: false, allow_ip_sans: true })],
    when: nameless({ ip_sans: '192.0.2.7' }),
    then: [ipSansAre(['192.0.2.7'])],
    mutants: ['pki/common-name-needs-another-host-name', 'pki/role-require-cn-ignored', 'pki/drops-ip-sans'],
  }),
]

export default topic('pki/fields-names-together', {
  about: 'Names that a role allows by several options, among the alternative names, and without a common name.',
  names: ['mount'],
  checks: [...besideOthers, ...amongAltNames, unused, ...forms, ...alone],
})
