import { allows, denies } from './names.ts'
import { topic } from './topic.ts'

const domain = 'example.com'
/** The longest possible host name. With another domain, the list is longer than 255 characters, at which a database
 * column may cut it. */
const long = `${`${'long-label'.repeat(6)}.`.repeat(4)}example`.slice(-253)
const others = Array.from({ length: 10 }, (_, at) => `Other${at}.example`)
const bare = { allowed_domains: [domain], allow_bare_domains: true }
const below = { allowed_domains: [domain], allow_subdomains: true }
const glob = { allowed_domains: ['web*.example.com'], allow_glob_domains: true }

const listing = [
  allows('lists-of-a-role-may-be-arrays', {
    requirement: 'role.lists.array',
    // A server could end the list after a number of entries.
    role: { allowed_domains: [domain, ...others, 'example.org'], allow_bare_domains: true },
    asks: 'example.org',
  }),
  denies('no-allowed-domains-allow-nothing', {
    requirement: ['role.allowed-domains.default', 'errors.cn-denied'],
    role: { allow_bare_domains: true, allow_subdomains: true },
    asks: 'a.example.com',
    but: { role: { allowed_domains: [domain] } },
  }),
  allows('second-allowed-domain-counts', {
    requirement: 'role.allowed-domains.list',
    role: { allowed_domains: [domain, 'example.org', 'Example.net'], allow_bare_domains: true },
    asks: 'example.org',
  }),
  allows('domain-after-a-long-one-counts', {
    requirement: 'role.allowed-domains.list',
    role: { allowed_domains: [long, 'example.org'], allow_bare_domains: true },
    // A server may limit the length, and then refuses the role.
    mayBeRefused: true,
    asks: 'example.org',
  }),
  allows('first-of-two-allowed-domains-counts', {
    requirement: 'role.allowed-domains.list',
    role: { allowed_domains: [domain, 'example.org'], allow_bare_domains: true },
    asks: domain,
  }),
  allows('subdomain-of-the-second-allowed-domain-is-allowed', {
    requirement: ['role.allowed-domains.list', 'role.allow-subdomains.below'],
    role: { allowed_domains: [domain, 'example.org'], allow_subdomains: true },
    asks: 'a.example.org',
  }),
  allows('glob-that-is-the-second-allowed-domain-is-matched', {
    requirement: ['role.allowed-domains.list', 'role.allow-glob-domains.matches'],
    role: { allowed_domains: [domain, 'web*.example.org'], allow_glob_domains: true },
    asks: 'web1.example.org',
  }),
  denies('domain-without-matching-option-is-denied', {
    requirement: 'matching.one-must-describe',
    role: { allowed_domains: [domain] },
    asks: domain,
    but: { role: { allow_bare_domains: true } },
  }),
]

const bareDomains = [
  allows('bare-domain-is-allowed', { requirement: 'role.allow-bare-domains.equal', role: bare, asks: domain }),
  allows('email-address-that-is-a-bare-domain-is-allowed', {
    requirement: 'role.allow-bare-domains.email-address',
    role: { allowed_domains: ['user@example.com'], allow_bare_domains: true },
    // A server may accept host names only as domains.
    mayBeRefused: true,
    asks: 'user@example.com',
  }),
  denies('bare-domains-are-off-by-default', {
    requirement: 'role.allow-bare-domains.default',
    role: { allowed_domains: [domain], allow_bare_domains: undefined },
    asks: domain,
    but: { role: { allow_bare_domains: true } },
  }),
]

const subdomains = [
  allows('subdomain-is-allowed', { requirement: 'role.allow-subdomains.below', role: below, asks: 'a.example.com' }),
  allows('deep-subdomain-is-allowed', {
    requirement: 'role.allow-subdomains.below',
    role: below,
    asks: 'a.b.example.com',
  }),
  allows('wildcard-subdomain-is-allowed', {
    requirement: 'role.allow-subdomains.wildcard',
    role: below,
    asks: '*.example.com',
  }),
  denies('subdomains-are-off-by-default', {
    requirement: 'role.allow-subdomains.default',
    role: { allowed_domains: [domain], allow_subdomains: undefined },
    asks: 'a.example.com',
    but: { role: { allow_subdomains: true } },
  }),
  denies('subdomains-do-not-cover-the-domain', {
    requirement: 'matching.subdomains-independent',
    role: below,
    asks: domain,
    but: { asks: 'a.example.com' },
  }),
  denies('subdomains-do-not-cover-globs', {
    requirement: 'matching.subdomains-independent',
    role: { ...glob, allow_glob_domains: false, allow_subdomains: true },
    asks: 'web1.example.com',
    but: { role: { allow_glob_domains: true } },
  }),
]

const globs = [
  allows('glob-is-matched', { requirement: 'role.allow-glob-domains.matches', role: glob, asks: 'web1.example.com' }),
  allows('glob-matches-across-parts', {
    requirement: 'role.allow-glob-domains.across-parts',
    role: glob,
    asks: 'web.a.b.example.com',
  }),
  allows('glob-may-have-several-stars', {
    requirement: 'role.allow-glob-domains.matches',
    role: { allowed_domains: ['web*.*.example.com'], allow_glob_domains: true },
    asks: 'web1.eu.example.com',
  }),
  allows('glob-may-have-its-star-in-a-later-label', {
    requirement: 'role.allow-glob-domains.matches',
    role: { allowed_domains: ['web.*.example.com'], allow_glob_domains: true },
    asks: 'web.eu.example.com',
  }),
  denies('globs-are-off-by-default', {
    requirement: 'role.allow-glob-domains.default',
    role: { ...glob, allow_glob_domains: undefined },
    asks: 'web1.example.com',
    but: { role: { allow_glob_domains: true } },
  }),
  denies('subdomain-beyond-a-glob-is-denied', {
    requirement: 'matching.subdomain-beyond-glob',
    role: { ...glob, allow_subdomains: true },
    asks: 'a.web1.example.com',
    but: { asks: 'web1.example.com' },
  }),
]

export default topic('pki/fields-names-domains', {
  about:
    'The names that a role allows by its domains (the domain itself, subdomains, globs), and those that it refuses.',
  checks: [...listing, ...bareDomains, ...subdomains, ...globs],
})
