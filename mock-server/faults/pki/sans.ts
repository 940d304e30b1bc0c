/** Mutants of subject alternative names. */
import { sanRules } from '../../engines/pki/rules/sans.ts'
import { type AltNames, noNames } from '../../engines/pki/x509/alt-names.ts'
import { printable, utf8 } from '../../engines/pki/x509/der.ts'
import { addressBytes } from '../../engines/pki/x509/ip.ts'
import {
  arrayCutAtCommas,
  arrayKeepsFirst,
  commaListIsOne,
  commaListKeepsFirst,
  keepsFirst,
  keepsTen,
  mutant,
  namingCell,
  namingOperations,
  none,
  type PkiMutant,
  part,
  requestField,
  roleField,
} from './cells.ts'

const asked = (name: string, used: (values: readonly string[]) => readonly string[]) =>
  requestField(namingOperations, name, { used })
const isAddress = (name: string): boolean => addressBytes(name) !== undefined
const cutAt255 = (given: unknown): unknown => (typeof given === 'string' ? given.slice(0, 255) : given)
const isEmail = (name: string): boolean => name.includes('@')
const unasked = (names: Partial<AltNames>) =>
  namingCell(namingOperations, () => ({ unasked: { ...noNames, ...names } }))
const roleTypes = (...types: string[]) => part('sans', { typesInRoles: types })

export const sanMutants: readonly PkiMutant[] = [
  mutant(
    'role-allow-ip-sans-default-off',
    'A role written without allow_ip_sans has it off.',
    roleField('allow_ip_sans', { fallback: false }),
  ),
  mutant(
    'role-allow-ip-sans-ignored',
    'IP SANs are not refused if allow_ip_sans is off.',
    roleField('allow_ip_sans', { used: () => true }),
  ),
  mutant(
    'role-allow-ip-sans-off-spares-ipv6',
    'IPv6 SANs are not refused if allow_ip_sans is off.',
    part('sans', { forbidsIp: (address) => !address.includes(':') }),
  ),
  mutant(
    'ip-sans-not-validated',
    'issue silently leaves out entries of ip_sans that are not IP addresses instead of refusing the request.',
    namingCell(['issue'], ({ invalid }) => ({ invalid: { ...invalid, ip: 'dropped' } })),
  ),
  mutant(
    'ip-sans-of-version-6-not-validated',
    'Entries of ip_sans with a colon that are not IP addresses are silently left out instead of refused.',
    asked('ip_sans', (values) => values.filter((value) => !value.includes(':') || isAddress(value))),
  ),
  mutant(
    'ip-sans-may-be-networks',
    'An entry of ip_sans with the length of a network is accepted as the address before it.',
    asked('ip_sans', (values) => values.map((value) => value.replace(/\/\d+$/, ''))),
  ),
  mutant(
    'ip-sans-of-private-networks-refused',
    'Loopback and private addresses in ip_sans are refused.',
    requestField(namingOperations, 'ip_sans', {
      invalid: (values: readonly string[]) =>
        values.some((value) => /^(?:10|127)\.|^::1$/.test(value)) ? 'has an address of a private network' : undefined,
    }),
  ),
  mutant(
    'role-allowed-uri-sans-default-any',
    'A role written without allowed_uri_sans allows every URI SAN.',
    roleField('allowed_uri_sans', { fallback: ['*'] }),
  ),
  mutant(
    'uri-sans-not-matched',
    'URI SANs are not matched against allowed_uri_sans unless it is empty.',
    part('sans', { uriMatches: () => true }),
  ),
  mutant(
    'uri-sans-globs-are-literal',
    'A star in allowed_uri_sans is literal, except in the single entry "*".',
    part('sans', { uriMatches: (pattern, uri) => pattern === '*' || pattern === uri }),
  ),
  mutant(
    'uri-sans-not-validated',
    'issue silently leaves out entries of uri_sans that are not URIs instead of refusing the request.',
    namingCell(['issue'], ({ invalid }) => ({ invalid: { ...invalid, uri: 'dropped' } })),
  ),
  mutant(
    'role-allowed-uri-sans-comma-list-is-one',
    'A comma-separated string of allowed_uri_sans is stored as one pattern with a comma in it.',
    roleField('allowed_uri_sans', { read: commaListIsOne }),
  ),
  mutant(
    'role-allowed-uri-sans-array-keeps-first',
    'Only the first entry of a JSON array of allowed_uri_sans is stored.',
    roleField('allowed_uri_sans', { read: arrayKeepsFirst }),
  ),
  mutant(
    'role-allowed-other-sans-default-any',
    'A role written without allowed_other_sans allows every other SAN.',
    roleField('allowed_other_sans', { fallback: ['*'] }),
  ),
  mutant(
    'other-sans-values-not-matched',
    'The values of other_sans are not matched against allowed_other_sans, only the OIDs are.',
    part('sans', { otherMatches: (allowed, { oid }) => allowed.oid === oid }),
  ),
  mutant(
    'other-sans-oids-not-matched',
    'The OIDs of other_sans are not matched against allowed_other_sans, only the values are.',
    part('sans', { otherMatches: (allowed, { value }) => allowed.value === '*' || allowed.value === value }),
  ),
  mutant(
    'role-allowed-other-sans-refuses-utf-8',
    'Entries of allowed_other_sans with the type written UTF-8 match nothing; entries with UTF8 still do.',
    roleTypes('UTF8'),
  ),
  mutant(
    'role-allowed-other-sans-refuses-utf8',
    'Entries of allowed_other_sans with the type written UTF8 match nothing; entries with UTF-8 still do.',
    roleTypes('UTF-8'),
  ),
  mutant(
    'role-allowed-other-sans-any-type',
    'An entry of allowed_other_sans with another type than UTF8 is accepted and treated as UTF8.',
    roleField('allowed_other_sans', { invalid: () => undefined }),
    part('sans', { typesInRoles: 'any' }),
  ),
  mutant(
    'other-sans-any-type',
    'An entry of other_sans in a request with another type than UTF8 is accepted and treated as UTF8.',
    part('sans', { typesInRequests: 'any' }),
  ),
  mutant(
    'other-sans-star-value-is-literal',
    'A value "*" in an entry of allowed_other_sans is literal; the single "*" still allows all.',
    part('sans', { otherMatches: (allowed, { oid, value }) => allowed.oid === oid && allowed.value === value }),
  ),
  mutant(
    'other-sans-single-star-is-literal',
    'A single "*" as allowed_other_sans allows nothing.',
    part('sans', { singleStarAllowsAll: false }),
  ),
  mutant(
    'other-sans-as-printable-string',
    'The value of an other SAN is encoded as PrintableString instead of UTF8String.',
    part('sans', { otherText: printable }),
  ),
  mutant(
    'other-sans-values-end-at-a-colon',
    'The value of an other SAN ends at its first colon.',
    asked('other_sans', (entries) => entries.map((entry) => entry.split(':').slice(0, 2).join(':'))),
  ),
  mutant(
    'other-sans-lose-letters-beyond-ascii',
    'Characters outside ASCII in the value of an other SAN become question marks.',
    part('sans', { otherText: (text) => utf8(text.replaceAll(/[^ -~]/g, '?')) }),
  ),
  mutant(
    'drops-dns-names',
    'Host names in alt_names are not in the SANs; a common name still is.',
    asked('alt_names', (names) => names.filter(isEmail)),
  ),
  mutant(
    'drops-emails',
    'Email addresses in alt_names are not in the SANs; a common name still is.',
    asked('alt_names', (names) => names.filter((name) => !isEmail(name))),
  ),
  mutant(
    'emails-as-dns-names',
    'Email addresses in alt_names become DNS SANs instead of email SANs.',
    namingCell(namingOperations, () => ({ emailsAre: 'dns' })),
  ),
  mutant('drops-ip-sans', 'ip_sans are not in the SANs.', asked('ip_sans', none)),
  mutant('drops-uri-sans', 'uri_sans are not in the SANs.', asked('uri_sans', none)),
  mutant('drops-other-sans', 'other_sans are not in the SANs.', asked('other_sans', none)),
  mutant(
    'cn-not-in-dns-sans',
    'A common name that is a host name is not in the DNS SANs, although exclude_cn_from_sans is off.',
    namingCell(namingOperations, () => ({ commonNameIn: { dns: false, email: true } })),
  ),
  mutant(
    'cn-not-in-email-sans',
    'A common name that is an email address is not in the email SANs, although exclude_cn_from_sans is off.',
    namingCell(namingOperations, () => ({ commonNameIn: { dns: true, email: false } })),
  ),
  mutant(
    'exclude-cn-ignored',
    'exclude_cn_from_sans true has no effect on DNS SANs.',
    namingCell(namingOperations, () => ({ excludes: { dns: false, email: true } })),
  ),
  mutant(
    'exclude-cn-drops-all',
    'exclude_cn_from_sans true leaves out every DNS and email SAN, not only the common name.',
    namingCell(namingOperations, () => ({ excludesAll: true })),
  ),
  mutant(
    'exclude-cn-ignored-for-emails',
    'exclude_cn_from_sans true has no effect on email SANs.',
    namingCell(namingOperations, () => ({ excludes: { dns: true, email: false } })),
  ),
  mutant(
    'alt-names-end-after-255-characters',
    'Only the first 255 characters of alt_names are used.',
    requestField(namingOperations, 'alt_names', { read: cutAt255 }),
  ),
  mutant('alt-names-keeps-first', 'Only the first entry of alt_names is used.', asked('alt_names', keepsFirst)),
  ...(['alt_names', 'ip_sans', 'uri_sans', 'other_sans'] as const).map((name) =>
    mutant(
      `${name.replace('_', '-')}-ends-after-ten`,
      `Only the first ten entries of ${name} are used.`,
      asked(name, keepsTen),
    ),
  ),
  mutant(
    'role-allowed-uri-sans-ends-after-ten',
    'Only the first ten entries of allowed_uri_sans are used.',
    roleField('allowed_uri_sans', { used: keepsTen }),
  ),
  mutant(
    'role-allowed-other-sans-ends-after-ten',
    'Only the first ten entries of allowed_other_sans are used.',
    roleField('allowed_other_sans', { used: keepsTen }),
  ),
  mutant('ip-sans-keeps-first', 'Only the first entry of ip_sans is used.', asked('ip_sans', keepsFirst)),
  mutant(
    'uri-sans-written-anew',
    'URI SANs are normalized: %2F is decoded, and a slash at the end is left out.',
    asked('uri_sans', (uris) => uris.map((uri) => uri.replaceAll('%2F', '/').replace(/\/$/, ''))),
  ),
  mutant('uri-sans-keeps-first', 'Only the first entry of uri_sans is used.', asked('uri_sans', keepsFirst)),
  mutant(
    'other-sans-comma-list-keeps-first',
    'Only the first entry of a comma-separated string of other_sans is used.',
    requestField(namingOperations, 'other_sans', { read: commaListKeepsFirst }),
  ),
  mutant(
    'other-sans-array-keeps-first',
    'Only the first entry of a JSON array of other_sans is used.',
    requestField(namingOperations, 'other_sans', { read: arrayKeepsFirst }),
  ),
  mutant(
    'other-sans-array-is-cut-at-commas',
    'An entry with a comma, in a JSON array of other_sans, is split into several entries.',
    requestField(namingOperations, 'other_sans', { read: arrayCutAtCommas }),
  ),
  mutant(
    'uri-sans-globs-end-in-a-star',
    'A star in an entry of allowed_uri_sans is literal unless the entry ends with a star.',
    part('sans', {
      uriMatches: (pattern, uri) => (pattern.endsWith('*') ? sanRules.uriMatches(pattern, uri) : pattern === uri),
    }),
  ),
  mutant(
    'drops-ipv6-sans',
    'IPv6 addresses in ip_sans are not in the SANs.',
    asked('ip_sans', (ips) => ips.filter((ip) => !ip.includes(':'))),
  ),
  mutant('adds-an-ip-san', 'A request without ip_sans gets the IP SAN 127.0.0.1.', unasked({ ip: ['127.0.0.1'] })),
  mutant(
    'adds-a-dns-san',
    'A request without alt_names gets the DNS SAN added.example.',
    unasked({ dns: ['added.example'] }),
  ),
  mutant(
    'adds-an-email-san',
    'A request without alt_names gets the email SAN added@added.example.',
    unasked({ email: ['added@added.example'] }),
  ),
  mutant('adds-a-uri-san', 'A request without uri_sans gets the URI SAN urn:added.', unasked({ uri: ['urn:added'] })),
  mutant(
    'adds-an-other-san',
    'A request without other_sans gets the other SAN 1.3.6.1.4.1.311.20.2.3;UTF8:added.',
    unasked({ other: [{ oid: '1.3.6.1.4.1.311.20.2.3', value: 'added' }] }),
  ),
  mutant(
    'uri-sans-dots-match-any-letter',
    'A dot in an entry of allowed_uri_sans matches any character.',
    part('sans', { uriMatches: (pattern, uri) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(uri) }),
  ),
  mutant(
    'role-allowed-uri-sans-array-is-cut-at-commas',
    'An entry with a comma, in a JSON array of allowed_uri_sans, is split into several entries.',
    roleField('allowed_uri_sans', { read: arrayCutAtCommas }),
  ),
  mutant(
    'addresses-in-alt-names-are-ip-sans',
    'An IP address in alt_names becomes an IP SAN, even if allow_ip_sans is off.',
    namingCell(namingOperations, () => ({ furtherIps: ({ dns }) => dns.filter(isAddress) })),
  ),
  mutant(
    'address-as-common-name-is-an-ip-san',
    'A common name that is an IP address becomes an IP SAN, even if allow_ip_sans is off.',
    namingCell(namingOperations, () => ({ furtherIps: (_names, commonName) => [commonName].filter(isAddress) })),
  ),
  mutant(
    'exclude-cn-drops-the-common-name',
    'exclude_cn_from_sans true leaves the common name out of the subject as well.',
    namingCell(namingOperations, () => ({ excludedInSubject: false })),
  ),
  mutant(
    'sign-takes-every-san-of-a-csr',
    'sign/:name does not check the SANs against the role.',
    namingCell(['sign'], () => ({ heldAgainstRole: false })),
  ),
  mutant(
    'uri-sans-matched-by-beginning',
    'An entry of allowed_uri_sans also allows URIs that begin with it.',
    part('sans', { uriMatches: (pattern, uri) => sanRules.uriMatches(`${pattern}*`, uri) }),
  ),
  mutant(
    'other-sans-values-matched-by-beginning',
    'An entry of allowed_other_sans also allows values that begin with its value.',
    part('sans', {
      otherMatches: (allowed, asked) =>
        allowed.oid === asked.oid && (allowed.value === '*' || asked.value.startsWith(allowed.value)),
    }),
  ),
  mutant(
    'other-sans-oids-matched-by-beginning',
    'An entry of allowed_other_sans also allows OIDs that begin with its OID.',
    part('sans', {
      otherMatches: (allowed, asked) =>
        asked.oid.startsWith(allowed.oid) && (allowed.value === '*' || allowed.value === asked.value),
    }),
  ),
]
