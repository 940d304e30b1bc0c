/** The denial table: names that resemble those which an option of a role allows, for each kind of name and each way in
 * which a name can miss. Each cell is denied or allowed by a row, or open. */
import type { JsonObject } from '../../harness/vocabulary/index.ts'

export const misses = [
  'look-alike',
  'longer-end',
  'part-too-many',
  'beyond-the-star',
  'other-scheme',
  'punycode',
  'final-dot',
  'capitals',
] as const
export type Miss = (typeof misses)[number]

export const hostKinds = ['common-name', 'dns-name', 'email', 'uri'] as const
export type Kind = (typeof hostKinds)[number] | 'ip' | 'other'

type Verdict =
  | { readonly is: 'denied' | 'allowed'; readonly row: string }
  | { readonly is: 'open'; readonly why: string }

export type Cell = Verdict & {
  readonly kind: Kind
  readonly miss: Miss
  /** The fields of the request. An open cell has none, because it is not sent. */
  readonly asks?: JsonObject
}

export interface DenialOption {
  readonly role: JsonObject
  /** A request that the role allows. */
  readonly allowed: JsonObject
  readonly cells: readonly Cell[]
}

/** What an option says about the names of one way to miss. */
interface Said {
  readonly names: readonly string[]
  readonly verdict: Verdict
}

const denied =
  (row: string) =>
  (...names: readonly string[]): Said => ({ names, verdict: { is: 'denied', row } })
const allowed =
  (row: string) =>
  (...names: readonly string[]): Said => ({ names, verdict: { is: 'allowed', row } })
const open = (why: string): Said => ({ names: [], verdict: { is: 'open', why } })

const finalDot = open('No row says whether a name with a dot at its end is a host name, or the same one.')
const speaksOfCommonNames = open('The row speaks of common names.')
const mayBeCut = open('A row of its own says that a DNS SAN which is not a host name should be denied; it may be cut.')
const noAddress = open('No row says which addresses a host with a scheme or a star is part of.')

type Saying = Readonly<Record<Miss, Said>>

function cellsOf(kind: Kind, saying: Saying, asksFor: (name: string) => JsonObject): readonly Cell[] {
  return misses.flatMap((miss) => {
    const { names, verdict } = saying[miss]
    return names.length === 0
      ? [{ kind, miss, ...verdict }]
      : names.map((name) => ({ kind, miss, ...verdict, asks: asksFor(name) }))
  })
}

const forAll = (said: Said): Saying => Object.fromEntries(misses.map((miss) => [miss, said])) as Saying

/** An option about host names. It allows no URI, since a role allows none by default. */
function ofHosts(
  name: string,
  role: JsonObject,
  saying: Saying,
  except: Partial<Record<Kind, Partial<Saying>>> = {},
): DenialOption {
  const of = (kind: Kind): Saying => ({ ...saying, ...except[kind] })
  return {
    role,
    allowed: { common_name: name },
    cells: [
      ...cellsOf('common-name', of('common-name'), (host) => ({ common_name: host })),
      ...cellsOf('dns-name', of('dns-name'), (host) => ({ common_name: name, alt_names: host })),
      ...cellsOf('email', of('email'), (host) => ({ common_name: name, alt_names: `user@${host}` })),
      ...cellsOf('uri', forAll(denied('role.allowed-uri-sans.default')(name)), (host) => ({
        common_name: name,
        uri_sans: `https://${host}/`,
      })),
    ],
  }
}

const notEqual = denied('role.allow-bare-domains.only-equal')
const noSubdomain = denied('matching.bare-independent')
const bare = ofHosts(
  'example.com',
  { allowed_domains: ['example.com'], allow_bare_domains: true },
  {
    'look-alike': notEqual('myexample.com'),
    'longer-end': notEqual('example.com.au'),
    'part-too-many': noSubdomain('a.example.com'),
    'beyond-the-star': noSubdomain('*.example.com'),
    'other-scheme': notEqual('https://example.com'),
    punycode: notEqual('xn--exmple-cua.com'),
    'final-dot': finalDot,
    capitals: notEqual('MyExample.com'),
  },
  { 'dns-name': { 'other-scheme': mayBeCut }, email: { 'beyond-the-star': noAddress, 'other-scheme': noAddress } },
)

const notBelow = denied('role.allow-subdomains.only-below')
const below = allowed('role.allow-subdomains.below')
const subdomains = ofHosts(
  'a.example.com',
  { allowed_domains: ['example.com'], allow_subdomains: true },
  {
    'look-alike': notBelow('badexample.com', 'a.badexample.com'),
    'longer-end': notBelow('a.example.com.evil.test'),
    'part-too-many': below('a.b.c.example.com'),
    'beyond-the-star': notBelow('*.badexample.com'),
    'other-scheme': open('Whether such a name is below the domain depends on what a host name is.'),
    punycode: notBelow('a.xn--exmple-cua.com'),
    'final-dot': finalDot,
    capitals: notBelow('a.BadExample.com'),
  },
  { email: { 'part-too-many': open('No row says that subdomains cover addresses.'), 'beyond-the-star': noAddress } },
)

const notWhole = denied('role.allow-glob-domains.whole-name')
const globs = ofHosts(
  'web1.example.com',
  { allowed_domains: ['web*.example.com'], allow_glob_domains: true },
  {
    'look-alike': notWhole('web1-example.com', 'xweb1.example.com'),
    'longer-end': notWhole('web1.example.com.evil.test'),
    'part-too-many': allowed('role.allow-glob-domains.across-parts')('web.a.b.example.com'),
    'beyond-the-star': notWhole('a.web1.example.com'),
    'other-scheme': notWhole('https://web1.example.com'),
    punycode: notWhole('web1.xn--exmple-cua.com'),
    'final-dot': finalDot,
    capitals: notWhole('Web1-Example.com'),
  },
  {
    'dns-name': { 'other-scheme': mayBeCut },
    email: {
      'part-too-many': open('No row says whether a glob is matched with the host or with the whole address.'),
      'other-scheme': noAddress,
    },
  },
)

const noHost = denied('role.allow-any-name.host-names-checked')
const any = allowed('role.allow-any-name.any')
const anyName: DenialOption = {
  role: { allowed_domains: ['example.com'], allow_any_name: true, enforce_hostnames: true },
  allowed: { common_name: 'go-od.example.com' },
  cells: [
    ...cellsOf(
      'common-name',
      {
        'look-alike': any('myexample.com'),
        'longer-end': noHost(`${'b'.repeat(64)}.example.com`, 'bad-.example.com'),
        'part-too-many': noHost('bad..example.com'),
        'beyond-the-star': noHost('w*w*.example.com'),
        'other-scheme': noHost('https://example.com', 'bad!.example.com', '-bad.example.com'),
        punycode: any('xn--exmple-cua.com'),
        'final-dot': finalDot,
        capitals: any('MyExample.com'),
      },
      (name) => ({ common_name: name }),
    ),
    ...(['dns-name', 'email'] as const).flatMap((kind) => cellsOf(kind, forAll(speaksOfCommonNames), () => ({}))),
    ...cellsOf('uri', forAll(denied('role.allowed-uri-sans.default')('example.com')), (host) => ({
      common_name: host,
      uri_sans: `https://${host}/`,
    })),
  ],
}

const notLocal = denied('role.allow-localhost.strict')
const localhost = ofHosts(
  'localhost',
  { allow_localhost: true },
  {
    'look-alike': notLocal('mylocalhost', 'mylocaldomain'),
    'longer-end': notLocal('localhost.evil.test', 'localdomain.evil.test'),
    'part-too-many': notLocal('foo.localhost', 'foo.localdomain'),
    'beyond-the-star': open('No row says whether `allow_wildcard_certificates` allows the two names below a star.'),
    'other-scheme': notLocal('https://localhost'),
    punycode: notLocal('xn--lcalhost-v3a'),
    'final-dot': finalDot,
    capitals: notLocal('MyLocalhost'),
  },
  { 'dns-name': { 'other-scheme': mayBeCut }, email: { 'other-scheme': noAddress } },
)

const otherUri = denied('role.allowed-uri-sans.others-denied')
const uris: DenialOption = {
  role: { allowed_uri_sans: ['spiffe://example.com/one', 'https://*.example.org/two'], allow_localhost: true },
  allowed: { common_name: 'localhost', uri_sans: 'spiffe://example.com/one' },
  cells: [
    ...cellsOf(
      'uri',
      {
        'look-alike': otherUri('spiffe://example-com/one', 'spiffe://myexample.com/one'),
        'longer-end': otherUri('spiffe://example.com/one/two', 'https://a.example.org.evil.test/two'),
        'part-too-many': otherUri('spiffe://a.example.com/one'),
        'beyond-the-star': otherUri('https://a.example.org/two/three'),
        'other-scheme': otherUri('http://a.example.org/two', 'https://example.com/one'),
        punycode: otherUri('spiffe://xn--exmple-cua.com/one'),
        'final-dot': finalDot,
        capitals: otherUri('spiffe://MyExample.com/one'),
      },
      (uri) => ({ common_name: 'localhost', uri_sans: uri }),
    ),
    ...cellsOf('common-name', forAll(denied('role.allowed-domains.default')('example.com')), (name) => ({
      common_name: name,
    })),
    ...cellsOf('dns-name', forAll(denied('role.allowed-domains.default')('example.com')), (name) => ({
      common_name: 'localhost',
      alt_names: name,
    })),
    ...cellsOf('email', forAll(denied('role.allowed-domains.default')('user@example.com')), (name) => ({
      common_name: 'localhost',
      alt_names: name,
    })),
  ],
}

const [upn, oid] = ['1.3.6.1.4.1.311.20.2.3', '1.3.6.1.4.1.55555.7']
const otherValue = denied('role.allowed-other-sans.other-value-denied')
const otherOid = denied('role.allowed-other-sans.other-oid-denied')
const others: DenialOption = {
  role: { allowed_other_sans: [`${upn};UTF8:dev@example.com`, `${oid};UTF8:*`], allow_localhost: true },
  allowed: { common_name: 'localhost', other_sans: `${upn};UTF8:dev@example.com` },
  cells: cellsOf(
    'other',
    {
      'look-alike': otherValue(`${upn};UTF8:ops@example.com`, `${upn};UTF8:dev@example-com`),
      'longer-end': otherValue(`${upn};UTF8:dev@example.com.evil.test`),
      'part-too-many': otherOid(`${oid}.1;UTF8:any`),
      'beyond-the-star': otherOid(`${oid}1;UTF8:any`),
      'other-scheme': denied('role.allowed-other-sans.no-other-type')(`${upn};IA5:dev@example.com`),
      punycode: otherValue(`${upn};UTF8:dev@xn--exmple-cua.com`),
      'final-dot': otherValue(`${upn};UTF8:dev@example.com.`),
      capitals: otherValue(`${upn};UTF8:MyDev@example.com`),
    },
    (entry) => ({ common_name: 'localhost', other_sans: entry }),
  ),
}

const invalid = denied('role.allow-ip-sans.valid-only')
const addresses: DenialOption = {
  role: { allow_ip_sans: true, allow_localhost: true },
  allowed: { common_name: 'localhost', ip_sans: '192.0.2.30' },
  cells: cellsOf(
    'ip',
    {
      'look-alike': invalid('192.0.2.300'),
      'longer-end': invalid('192.0.2.7.evil.test', '192.0.2.0/24'),
      'part-too-many': invalid('192.0.2.7.8'),
      'beyond-the-star': invalid('192.0.2.*'),
      'other-scheme': invalid('https://192.0.2.7'),
      punycode: invalid('xn--192-0-2-7'),
      'final-dot': open('No row says whether a dot at its end makes an address invalid.'),
      capitals: invalid('2001:DB8::G'),
    },
    (address) => ({ common_name: 'localhost', ip_sans: address }),
  ),
}

export const denialOptions = { bare, subdomains, globs, anyName, localhost, uris, others, addresses } as const
