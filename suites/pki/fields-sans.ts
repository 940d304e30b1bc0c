/** Checks of the SANs of issued certificates. */
import { type Check, check, type Expectation, type JsonObject, next, refused } from '../../harness/vocabulary/index.ts'
import { whereTaken } from '../given.ts'
import { type CheckRow, requirementsIn } from '../rows.ts'
import { issue, leafName, noneIssued, role, rooted } from './given/given.ts'
import { issueUnder } from './given/in-turn.ts'
import { eachDenied } from './names.ts'
import { dnsSansAre, dnsSansAreWithin, emailSansAre, ipSansAre, otherSansAre, uriSansAre } from './then/extensions.ts'
import { refusedOr } from './then/then.ts'
import { topic } from './topic.ts'

const upn = '1.3.6.1.4.1.311.20.2.3'
const other = '1.3.6.1.4.1.55555.7'

interface LeafRow extends Omit<CheckRow<string | readonly string[]>, 'id'> {
  readonly role?: Parameters<typeof role>[0]
  readonly asks: JsonObject
}

/** `first` is a request that the server need not accept. If it refuses it, the row does not apply. */
const gives = (
  id: string,
  row: LeafRow & { then: Expectation; first?: Required<Pick<LeafRow, 'role' | 'asks'>> },
): Check =>
  check(id, {
    requirement: requirementsIn('pki.', row.requirement),
    given: [
      ...rooted(),
      ...(row.first ? [role(row.first.role, 'twin'), whereTaken(issue(row.first.asks, 'twin'))] : []),
    ],
    when: issueUnder(row.role ?? {}, row.asks),
    then: [row.then],
  })

/** A request that must be refused. `but` is the control: another request that must succeed under the same role, or
 * another role under which the same request must succeed. */
const denies = (
  id: string,
  row: LeafRow & {
    readonly but: { readonly asks: JsonObject } | { readonly role: Parameters<typeof role>[0] }
    /** Further requests that are denied as well. */
    readonly orAsks?: readonly JsonObject[]
  },
): Check =>
  check(id, {
    requirement: requirementsIn('pki.', row.requirement),
    given: [...rooted(), role(row.role), ...('role' in row.but ? [role(row.but.role, 'twin')] : [])],
    when: issue(row.asks),
    then: [row.orAsks ? eachDenied(row.role ?? {}, [row.asks, ...row.orAsks]) : refused(noneIssued)],
    control: 'role' in row.but ? issue(row.asks, 'twin') : issue(row.but.asks),
  })

const defaults = [
  gives('alt-names-are-empty-by-default', {
    requirement: 'san.alt-names.default',
    asks: {},
    then: dnsSansAreWithin([leafName]),
  }),
  gives('alt-names-hold-no-email-by-default', {
    requirement: 'san.alt-names.default',
    asks: {},
    then: emailSansAre([]),
  }),
  gives('ip-sans-are-empty-by-default', { requirement: 'san.ip-sans.default', asks: {}, then: ipSansAre([]) }),
  gives('ip-sans-that-are-switched-off-deny-no-request-without-any', {
    requirement: 'san.ip-sans.default',
    role: { allow_ip_sans: false },
    asks: {},
    then: ipSansAre([]),
  }),
  gives('uri-sans-are-empty-by-default', { requirement: 'san.uri-sans.default', asks: {}, then: uriSansAre([]) }),
  gives('other-sans-are-empty-by-default', { requirement: 'san.other-sans.default', asks: {}, then: otherSansAre([]) }),
]

/** Together the names are longer than 255 characters, at which a database column may cut them. */
const names = ['one', 'two', 'three', 'four', 'five'].map((name) => `${name}.${'long-label'.repeat(4)}.example.com`)
const altNames = [
  gives('alt-names-are-comma-delimited', {
    requirement: 'san.alt-names.comma-list',
    asks: { alt_names: 'one.example.com,two.example.com,three.example.com' },
    then: dnsSansAre([leafName, 'one.example.com', 'two.example.com', 'three.example.com']),
  }),
  gives('long-alt-names-are-not-cut', {
    requirement: 'san.alt-names.comma-list',
    asks: { alt_names: names.join(',') },
    // A server may limit the length, and then refuses the request.
    then: refusedOr(dnsSansAre([leafName, ...names])),
  }),
]

const [v4, v6] = ['192.0.2.7', '2001:db8::7']
const ipSans = [
  gives('ip-sans-are-allowed-by-default', {
    requirement: ['role.allow-ip-sans.default', 'role.allow-ip-sans.any-valid'],
    asks: { ip_sans: v4 },
    then: ipSansAre([v4]),
  }),
  gives('ip-san-may-be-of-version-6', {
    requirement: 'role.allow-ip-sans.any-valid',
    role: { allow_ip_sans: true },
    asks: { ip_sans: v6 },
    then: ipSansAre([v6]),
  }),
  gives('ip-sans-are-comma-delimited', {
    requirement: 'san.ip-sans.comma-list',
    role: { allow_ip_sans: true },
    asks: { ip_sans: `${v4},192.0.2.8,${v6}` },
    then: ipSansAre([v4, '192.0.2.8', v6]),
  }),
  denies('ip-sans-of-version-6-can-be-switched-off', {
    requirement: ['role.allow-ip-sans.off', 'errors.sans-denied'],
    role: { allow_ip_sans: false },
    asks: { ip_sans: v6 },
    but: { role: { allow_ip_sans: true } },
  }),
  denies('ip-sans-can-be-switched-off', {
    requirement: ['role.allow-ip-sans.off', 'errors.sans-denied'],
    role: { allow_ip_sans: false },
    asks: { ip_sans: v4 },
    but: { role: { allow_ip_sans: true } },
  }),
  check('no-other-field-brings-ip-sans-that-are-switched-off', {
    requirement: 'pki.role.allow-ip-sans.off',
    given: [...rooted(), role({ allow_ip_sans: false })],
    when: issue({ alt_names: v4 }),
    then: [refusedOr(ipSansAre([])), next(issue({ common_name: v4 }), refusedOr(ipSansAre([])))],
    control: issue(),
  }),
  denies('one-invalid-ip-san-denies-the-request', {
    requirement: ['role.allow-ip-sans.valid-only', 'errors.sans-denied'],
    role: { allow_ip_sans: true },
    asks: { ip_sans: `${v4},2001:db8::g` },
    orAsks: [{ ip_sans: `2001:db8::g,${v4}` }, { ip_sans: `${v4},2001:db8::g,2001:db8::a` }],
    but: { asks: { ip_sans: `${v4},2001:db8::a` } },
  }),
  gives('ip-sans-may-be-private', {
    requirement: 'role.allow-ip-sans.any-valid',
    role: { allow_ip_sans: true },
    asks: { ip_sans: '10.0.0.7,127.0.0.1,::1' },
    then: ipSansAre(['10.0.0.7', '127.0.0.1', '::1']),
  }),
]

const numbers = Array.from({ length: 10 }, (_, at) => at + 1)
const [uri, uri2] = ['spiffe://example.com/one', 'https://example.org/two']
/** An encoded slash and a slash at the end are part of a URI (RFC 3986, 2.2 and 6.2). */
const unusualUri = `${uri2}%2Fthree/`
/** A star need not match the slashes of other URIs, and a server need not accept a URI without a host. */
const urn = { role: { allowed_uri_sans: 'urn:example:one' }, asks: { uri_sans: 'urn:example:one' } }
const uriSans = [
  gives('uri-sans-are-comma-delimited', {
    requirement: 'san.uri-sans.comma-list',
    role: { allowed_uri_sans: `${uri},${unusualUri}` },
    asks: { uri_sans: `${uri},${unusualUri}` },
    then: uriSansAre([uri, unusualUri]),
  }),
  denies('uri-sans-are-not-allowed-by-default', {
    requirement: ['role.allowed-uri-sans.default', 'errors.sans-denied'],
    asks: { uri_sans: uri },
    but: { role: { allowed_uri_sans: [uri] } },
  }),
  gives('allowed-uri-sans-may-be-a-comma-list', {
    requirement: 'role.allowed-uri-sans.comma-list',
    role: { allowed_uri_sans: `${uri},${uri2}` },
    asks: { uri_sans: `${uri},${uri2}` },
    then: uriSansAre([uri, uri2]),
  }),
  gives('allowed-uri-sans-may-be-an-array', {
    requirement: 'role.allowed-uri-sans.array',
    // A server could end the list after a number of entries.
    role: { allowed_uri_sans: [uri, ...numbers.map((number) => `${uri2}/${number}`), uri2] },
    asks: { uri_sans: `${uri},${uri2}` },
    then: uriSansAre([uri, uri2]),
  }),
  gives('allowed-uri-sans-may-hold-globs', {
    requirement: 'role.allowed-uri-sans.globs',
    // The documents leave open whether a star matches across a slash.
    role: { allowed_uri_sans: ['spiffe://*.com/one'] },
    asks: { uri_sans: uri },
    then: uriSansAre([uri]),
  }),
  gives('allowed-uri-sans-may-be-a-star-alone', {
    requirement: 'role.allowed-uri-sans.globs',
    first: urn,
    role: { allowed_uri_sans: '*' },
    asks: { uri_sans: 'urn:example:one' },
    then: uriSansAre(['urn:example:one']),
  }),
  gives('allowed-uri-sans-may-have-several-stars', {
    requirement: 'role.allowed-uri-sans.globs',
    first: urn,
    role: { allowed_uri_sans: ['*:example:one', 'urn:*:t*o'] },
    asks: { uri_sans: 'urn:example:one,urn:example:two' },
    then: uriSansAre(['urn:example:one', 'urn:example:two']),
  }),
  denies('part-of-an-allowed-uri-with-a-comma-is-denied', {
    requirement: ['role.allowed-uri-sans.array', 'role.allowed-uri-sans.others-denied'],
    role: { allowed_uri_sans: [`${uri},two`, uri2] },
    asks: { uri_sans: uri },
    but: { asks: { uri_sans: uri2 } },
  }),
  denies('one-uri-san-denies-the-request', {
    requirement: 'errors.sans-denied',
    role: { allowed_uri_sans: [uri] },
    asks: { uri_sans: `${uri},${uri2}` },
    orAsks: [{ uri_sans: `${uri2},${uri}` }, { uri_sans: `${uri},${uri2},${uri}` }],
    but: { asks: { uri_sans: uri } },
  }),
  denies('uri-san-must-be-a-uri', {
    requirement: 'role.allowed-uri-sans.valid-only',
    // The documents leave open whether a star matches across a slash.
    role: { allowed_uri_sans: 'http://*' },
    asks: { uri_sans: 'http://[::1' },
    but: { asks: { uri_sans: 'http://one.example.com' } },
  }),
]

const otherSans = [
  ...(['UTF8', 'UTF-8'] as const).map((type) =>
    gives(`custom-san-of-an-allowed-${type.toLowerCase()}-entry`, {
      requirement: `role.allowed-other-sans.type-${type.toLowerCase()}`,
      role: { allowed_other_sans: `${upn};${type}:dev@example.com` },
      asks: { other_sans: `${upn};UTF8:dev@example.com` },
      then: otherSansAre([`${upn};dev@example.com`]),
    }),
  ),
  gives('custom-san-of-the-last-of-many-entries', {
    requirement: 'role.allowed-other-sans.type-utf8',
    role: { allowed_other_sans: [...numbers.map((number) => `${other};UTF8:${number}`), `${upn};UTF8:dev`] },
    asks: { other_sans: [`${upn};UTF8:dev`] },
    then: otherSansAre([`${upn};dev`]),
  }),
  denies('custom-sans-are-not-allowed-by-default', {
    requirement: ['role.allowed-other-sans.default', 'san.other-sans.match-role'],
    asks: { other_sans: `${upn};UTF8:dev@example.com` },
    but: { role: { allowed_other_sans: `${upn};UTF8:dev@example.com` } },
  }),
  denies('one-custom-san-denies-the-request', {
    requirement: ['san.other-sans.match-role', 'errors.sans-denied'],
    role: { allowed_other_sans: `${upn};UTF8:one` },
    asks: { other_sans: [`${upn};UTF8:one`, `${upn};UTF8:two`] },
    orAsks: [{ other_sans: [`${upn};UTF8:two`, `${upn};UTF8:one`] }],
    but: { asks: { other_sans: [`${upn};UTF8:one`] } },
  }),
  check('entry-of-another-type-allows-no-custom-san', {
    requirement: 'pki.role.allowed-other-sans.no-other-type',
    given: [...rooted(), role({ allowed_other_sans: `${upn};UTF8:dev@example.com` }, 'twin')],
    when: issueUnder(
      { allowed_other_sans: `${upn};IA5:dev@example.com` },
      { other_sans: `${upn};UTF8:dev@example.com` },
    ),
    then: [refused(noneIssued)],
    control: issue({ other_sans: `${upn};UTF8:dev@example.com` }, 'twin'),
  }),
  gives('star-allows-any-value-of-an-oid', {
    requirement: 'role.allowed-other-sans.star-value',
    role: { allowed_other_sans: `${upn};UTF8:*` },
    // The type ends at the first colon, so another one belongs to the value.
    asks: { other_sans: `${upn};UTF8:any:one` },
    then: otherSansAre([`${upn};any:one`]),
  }),
  gives('single-star-allows-any-custom-san', {
    requirement: 'role.allowed-other-sans.single-star',
    role: { allowed_other_sans: '*' },
    asks: { other_sans: `${other};UTF8:Zoë` },
    then: otherSansAre([`${other};Zoë`]),
  }),
  ...(['comma-list', 'array'] as const).map((form) => {
    const first = form === 'array' ? 'one,and more' : 'one'
    const entries = [`${upn};UTF8:${first}`, `${upn};UTF8:two`]
    return gives(`custom-sans-may-be-given-as-${form}`, {
      requirement: `san.other-sans.${form}`,
      role: { allowed_other_sans: `${upn};UTF8:*` },
      asks: { other_sans: form === 'array' ? entries : entries.join(',') },
      then: otherSansAre([`${upn};${first}`, `${upn};two`]),
    })
  }),
]

export default topic('pki/fields-sans', {
  about: 'Subject alternative names of issued certificates, and what a role allows of them.',
  checks: [...defaults, ...altNames, ...ipSans, ...uriSans, ...otherSans],
})
