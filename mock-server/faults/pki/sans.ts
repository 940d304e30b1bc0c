/** Faults of subject alternative names. */

import { isHostName, takeApart } from '../../engines/pki/judging/name-rules.ts'
import { sanRules } from '../../engines/pki/rules/sans.ts'
import type { AltNames } from '../../engines/pki/x509/alt-names.ts'
import type { Draft } from '../../engines/pki/x509/certificate.ts'
import { printable } from '../../engines/pki/x509/der.ts'
import { addressBytes } from '../../engines/pki/x509/ip.ts'
import { readName } from '../../engines/pki/x509/names.ts'
import type { Call } from '../../kernel/contracts.ts'
import {
  arrayCutAtCommas,
  arrayKeepsFirst,
  commaListIsOne,
  commaListKeepsFirst,
  keepsFirst,
  keepsTen,
  namingOperations,
  none,
  part,
  requestField,
  roleField,
  routesOf,
} from './cells.ts'
import { draftingOfFields } from './csr-values.ts'
import { type DraftChange, namesIn, otherText, renaming, withoutCommonName } from './drafts.ts'
import {
  allowing,
  asRole,
  fault,
  faults,
  type Here,
  isEmail,
  isHost,
  issue,
  namesOf,
  type PkiFault,
  saysYes,
  sending,
  sign,
} from './pki-operations.ts'

const routes = routesOf(namingOperations)
const asked = (name: string, used: (values: readonly string[]) => readonly string[]) =>
  requestField(namingOperations, name, { used })
const isAddress = (name: string): boolean => addressBytes(name) !== undefined
const cutAt255 = (given: unknown): unknown => (typeof given === 'string' ? given.slice(0, 255) : given)
/** Leaves out the entries of roles with one way to write their type. */
const refusesType = (type: string) =>
  roleField('allowed_other_sans', {
    used: (entries: string[]) => entries.filter((entry) => !entry.toUpperCase().includes(`;${type}:`)),
  })
/** Reads every type as UTF8. */
const anyType = (given: unknown): unknown =>
  Array.isArray(given)
    ? given.map(anyType)
    : typeof given === 'string'
      ? given.replaceAll(/;[^;:,]*:/g, ';UTF8:')
      : given

/** Changes the names in certificates and certificate requests. */
const holding = (change: (names: AltNames, draft: Pick<Draft, 'subject'>) => AltNames) =>
  draftingOfFields(() => renaming(change))
const commonNameOf = ({ subject }: Pick<Draft, 'subject'>): string => readName(subject).commonName?.at(-1) ?? ''
/** Adds a name if the request has none of its kind. The common name does not count. */
const unasked = (more: Partial<AltNames>) =>
  holding((names, draft) => {
    const isAsked = [...names.dns, ...names.email].some((name) => name !== commonNameOf(draft))
    const added = (kind: keyof AltNames): readonly unknown[] =>
      (kind === 'dns' || kind === 'email' ? isAsked : names[kind].length > 0) ? [] : (more[kind] ?? [])
    return Object.fromEntries(
      Object.entries(names).map(([kind, held]) => [kind, [...held, ...added(kind as keyof AltNames)]]),
    ) as unknown as AltNames
  })
const excluding = (isExcluded: boolean, isMeant: (name: string) => boolean) =>
  sending(routes, ({ common_name, exclude_cn_from_sans: excluded }) =>
    isMeant(String(common_name ?? '')) && saysYes(excluded) !== isExcluded ? { exclude_cn_from_sans: isExcluded } : {},
  )
/** Leaves invalid entries out. */
const validOnly = (field: string, isValid: (value: string) => boolean) =>
  sending(issue, (body) => {
    const values = namesOf(body[field])
    return values.every(isValid) ? {} : { [field]: values.filter(isValid) }
  })
/** Adds addresses to the IP SANs, whether the role allows IP SANs or not. */
const addingAddresses = (find: (body: Call['body']) => readonly string[]) => [
  sending(routes, (body) => (find(body).length > 0 ? { ip_sans: [...namesOf(body.ip_sans), ...find(body)] } : {})),
  asRole(issue, (role, { body }) =>
    find(body).length > 0 && namesOf(body.ip_sans).length === 0 ? { ...role, allow_ip_sans: true } : role,
  ),
]
/** Leaves the common name out of the subject, if it is excluded from the names. */
const withoutExcludedName =
  ({ context: { rules } }: Here): DraftChange =>
  (draft) => {
    const name = commonNameOf(draft)
    const asked = name === '' ? undefined : takeApart(name, rules.names)
    const { dns, email } = namesIn(draft)
    const isExcluded = asked !== undefined && isHostName(asked, rules.names) && ![...dns, ...email].includes(name)
    return isExcluded ? withoutCommonName(draft) : draft
  }

export const ofSans: readonly PkiFault[] = [
  ...faults({
    'role-allow-ip-sans-default-off': 'A role written without allow_ip_sans has it off.',
    'role-allow-ip-sans-ignored': 'IP SANs are not refused if allow_ip_sans is off.',
    'role-allow-ip-sans-off-spares-ipv6': 'IPv6 SANs are not refused if allow_ip_sans is off.',
    'ip-sans-not-validated':
      'issue silently leaves out entries of ip_sans that are not IP addresses instead of refusing the request.',
    'ip-sans-of-version-6-not-validated':
      'Entries of ip_sans with a colon that are not IP addresses are silently left out instead of refused.',
    'ip-sans-may-be-networks': 'An entry of ip_sans with the length of a network is accepted as the address before it.',
    'ip-sans-of-private-networks-refused': 'Loopback and private addresses in ip_sans are refused.',
    'role-allowed-uri-sans-default-any': 'A role written without allowed_uri_sans allows every URI SAN.',
    'uri-sans-not-matched': 'URI SANs are not matched against allowed_uri_sans unless it is empty.',
    'uri-sans-globs-are-literal': 'A star in allowed_uri_sans is literal, except in the single entry "*".',
    'uri-sans-not-validated':
      'issue silently leaves out entries of uri_sans that are not URIs instead of refusing the request.',
    'role-allowed-uri-sans-comma-list-is-one':
      'A comma-separated string of allowed_uri_sans is stored as one pattern with a comma in it.',
    'role-allowed-uri-sans-array-keeps-first': 'Only the first entry of a JSON array of allowed_uri_sans is stored.',
    'role-allowed-other-sans-default-any': 'A role written without allowed_other_sans allows every other SAN.',
    'other-sans-values-not-matched':
      'The values of other_sans are not matched against allowed_other_sans, only the OIDs are.',
    'other-sans-oids-not-matched':
      'The OIDs of other_sans are not matched against allowed_other_sans, only the values are.',
    'role-allowed-other-sans-refuses-utf-8':
      'Entries of allowed_other_sans with the type written UTF-8 match nothing; entries with UTF8 still do.',
    'role-allowed-other-sans-refuses-utf8':
      'Entries of allowed_other_sans with the type written UTF8 match nothing; entries with UTF-8 still do.',
    'role-allowed-other-sans-any-type':
      'An entry of allowed_other_sans with another type than UTF8 is accepted and treated as UTF8.',
    'other-sans-any-type':
      'An entry of other_sans in a request with another type than UTF8 is accepted and treated as UTF8.',
    'other-sans-star-value-is-literal':
      'A value "*" in an entry of allowed_other_sans is literal; the single "*" still allows all.',
    'other-sans-single-star-is-literal': 'A single "*" as allowed_other_sans allows nothing.',
    'other-sans-as-printable-string': 'The value of an other SAN is encoded as PrintableString instead of UTF8String.',
    'other-sans-values-end-at-a-colon': 'The value of an other SAN ends at its first colon.',
    'other-sans-lose-letters-beyond-ascii':
      'Characters outside ASCII in the value of an other SAN become question marks.',
    'drops-dns-names': 'Host names in alt_names are not in the SANs; a common name still is.',
    'drops-emails': 'Email addresses in alt_names are not in the SANs; a common name still is.',
    'emails-as-dns-names': 'Email addresses in alt_names become DNS SANs instead of email SANs.',
    'drops-ip-sans': 'ip_sans are not in the SANs.',
    'drops-uri-sans': 'uri_sans are not in the SANs.',
    'drops-other-sans': 'other_sans are not in the SANs.',
    'cn-not-in-dns-sans':
      'A common name that is a host name is not in the DNS SANs, although exclude_cn_from_sans is off.',
    'cn-not-in-email-sans':
      'A common name that is an email address is not in the email SANs, although exclude_cn_from_sans is off.',
    'exclude-cn-ignored': 'exclude_cn_from_sans true has no effect on DNS SANs.',
    'exclude-cn-drops-all': 'exclude_cn_from_sans true leaves out every DNS and email SAN, not only the common name.',
    'exclude-cn-ignored-for-emails': 'exclude_cn_from_sans true has no effect on email SANs.',
    'alt-names-end-after-255-characters': 'Only the first 255 characters of alt_names are used.',
    'alt-names-keeps-first': 'Only the first entry of alt_names is used.',
    'role-allowed-uri-sans-ends-after-ten': 'Only the first ten entries of allowed_uri_sans are used.',
    'role-allowed-other-sans-ends-after-ten': 'Only the first ten entries of allowed_other_sans are used.',
    'ip-sans-keeps-first': 'Only the first entry of ip_sans is used.',
    'uri-sans-written-anew': 'URI SANs are normalized: %2F is decoded, and a slash at the end is left out.',
    'uri-sans-keeps-first': 'Only the first entry of uri_sans is used.',
    'other-sans-comma-list-keeps-first': 'Only the first entry of a comma-separated string of other_sans is used.',
    'other-sans-array-keeps-first': 'Only the first entry of a JSON array of other_sans is used.',
    'other-sans-array-is-cut-at-commas':
      'An entry with a comma, in a JSON array of other_sans, is split into several entries.',
    'uri-sans-globs-end-in-a-star':
      'A star in an entry of allowed_uri_sans is literal unless the entry ends with a star.',
    'drops-ipv6-sans': 'IPv6 addresses in ip_sans are not in the SANs.',
    'adds-an-ip-san': 'A request without ip_sans gets the IP SAN 127.0.0.1.',
    'adds-a-dns-san': 'A request without alt_names gets the DNS SAN added.example.',
    'adds-an-email-san': 'A request without alt_names gets the email SAN added@added.example.',
    'adds-a-uri-san': 'A request without uri_sans gets the URI SAN urn:added.',
    'adds-an-other-san': 'A request without other_sans gets the other SAN 1.3.6.1.4.1.311.20.2.3;UTF8:added.',
    'uri-sans-dots-match-any-letter': 'A dot in an entry of allowed_uri_sans matches any character.',
    'role-allowed-uri-sans-array-is-cut-at-commas':
      'An entry with a comma, in a JSON array of allowed_uri_sans, is split into several entries.',
    'addresses-in-alt-names-are-ip-sans': 'An IP address in alt_names becomes an IP SAN, even if allow_ip_sans is off.',
    'address-as-common-name-is-an-ip-san':
      'A common name that is an IP address becomes an IP SAN, even if allow_ip_sans is off.',
    'exclude-cn-drops-the-common-name': 'exclude_cn_from_sans true leaves the common name out of the subject as well.',
    'sign-takes-every-san-of-a-csr': 'sign/:name does not check the SANs against the role.',
    'uri-sans-matched-by-beginning': 'An entry of allowed_uri_sans also allows URIs that begin with it.',
    'other-sans-values-matched-by-beginning':
      'An entry of allowed_other_sans also allows values that begin with its value.',
    'other-sans-oids-matched-by-beginning': 'An entry of allowed_other_sans also allows OIDs that begin with its OID.',
  }).by({
    'role-allow-ip-sans-default-off': roleField('allow_ip_sans', { fallback: false }),
    'role-allow-ip-sans-ignored': roleField('allow_ip_sans', { used: () => true }),
    'role-allow-ip-sans-off-spares-ipv6': asRole(issue, (role, { body }) => {
      const addresses = namesOf(body.ip_sans)
      const isSpared = addresses.length > 0 && addresses.every((address) => address.includes(':'))
      return isSpared && !role.allow_ip_sans ? { ...role, allow_ip_sans: true } : role
    }),
    'ip-sans-not-validated': validOnly('ip_sans', isAddress),
    'ip-sans-of-version-6-not-validated': asked('ip_sans', (values) =>
      values.filter((value) => !value.includes(':') || isAddress(value)),
    ),
    'ip-sans-may-be-networks': asked('ip_sans', (values) => values.map((value) => value.replace(/\/\d+$/, ''))),
    'ip-sans-of-private-networks-refused': requestField(namingOperations, 'ip_sans', {
      invalid: (values: readonly string[]) =>
        values.some((value) => /^(?:10|127)\.|^::1$/.test(value)) ? 'has an address of a private network' : undefined,
    }),
    'role-allowed-uri-sans-default-any': roleField('allowed_uri_sans', { fallback: ['*'] }),
    'uri-sans-not-matched': part('sans', { uriMatches: () => true }),
    'uri-sans-globs-are-literal': part('sans', { uriMatches: (pattern, uri) => pattern === '*' || pattern === uri }),
    'uri-sans-not-validated': validOnly('uri_sans', (uri) => URL.canParse(uri)),
    'role-allowed-uri-sans-comma-list-is-one': roleField('allowed_uri_sans', { read: commaListIsOne }),
    'role-allowed-uri-sans-array-keeps-first': roleField('allowed_uri_sans', { read: arrayKeepsFirst }),
    'role-allowed-other-sans-default-any': roleField('allowed_other_sans', { fallback: ['*'] }),
    'other-sans-values-not-matched': part('sans', { otherMatches: (allowed, { oid }) => allowed.oid === oid }),
    'other-sans-oids-not-matched': part('sans', {
      otherMatches: (allowed, { value }) => allowed.value === '*' || allowed.value === value,
    }),
    'role-allowed-other-sans-refuses-utf-8': refusesType('UTF-8'),
    'role-allowed-other-sans-refuses-utf8': refusesType('UTF8'),
    'role-allowed-other-sans-any-type': roleField('allowed_other_sans', { read: anyType }),
    'other-sans-any-type': requestField(namingOperations, 'other_sans', { read: anyType }),
    'other-sans-star-value-is-literal': part('sans', {
      otherMatches: (allowed, { oid, value }) => allowed.oid === oid && allowed.value === value,
    }),
    'other-sans-single-star-is-literal': roleField('allowed_other_sans', {
      used: (entries: string[]) => entries.filter((entry) => entry !== '*'),
    }),
    'other-sans-as-printable-string': draftingOfFields(() => otherText(printable)),
    'other-sans-values-end-at-a-colon': asked('other_sans', (entries) =>
      entries.map((entry) => entry.split(':').slice(0, 2).join(':')),
    ),
    'other-sans-lose-letters-beyond-ascii': holding((names) => ({
      ...names,
      other: names.other.map((one) => ({ ...one, value: one.value.replaceAll(/[^ -~]/g, '?') })),
    })),
    'drops-dns-names': asked('alt_names', (names) => names.filter(isEmail)),
    'drops-emails': asked('alt_names', (names) => names.filter((name) => !isEmail(name))),
    'emails-as-dns-names': holding(({ dns, email, ...names }, draft) => {
      const isOwn = (name: string): boolean => name === commonNameOf(draft)
      return { ...names, email: email.filter(isOwn), dns: [...dns, ...email.filter((name) => !isOwn(name))] }
    }),
    'drops-ip-sans': asked('ip_sans', none),
    'drops-uri-sans': asked('uri_sans', none),
    'drops-other-sans': asked('other_sans', none),
    'cn-not-in-dns-sans': excluding(true, isHost),
    'cn-not-in-email-sans': excluding(true, isEmail),
    'exclude-cn-ignored': excluding(false, isHost),
    'exclude-cn-drops-all': sending(routes, ({ alt_names, exclude_cn_from_sans: excluded }) =>
      saysYes(excluded) && namesOf(alt_names).length > 0 ? { alt_names: '' } : {},
    ),
    'exclude-cn-ignored-for-emails': excluding(false, isEmail),
    'alt-names-end-after-255-characters': requestField(namingOperations, 'alt_names', { read: cutAt255 }),
    'alt-names-keeps-first': asked('alt_names', keepsFirst),
    'role-allowed-uri-sans-ends-after-ten': roleField('allowed_uri_sans', { used: keepsTen }),
    'role-allowed-other-sans-ends-after-ten': roleField('allowed_other_sans', { used: keepsTen }),
    'ip-sans-keeps-first': asked('ip_sans', keepsFirst),
    'uri-sans-written-anew': asked('uri_sans', (uris) =>
      uris.map((uri) => uri.replaceAll('%2F', '/').replace(/\/$/, '')),
    ),
    'uri-sans-keeps-first': asked('uri_sans', keepsFirst),
    'other-sans-comma-list-keeps-first': requestField(namingOperations, 'other_sans', { read: commaListKeepsFirst }),
    'other-sans-array-keeps-first': requestField(namingOperations, 'other_sans', { read: arrayKeepsFirst }),
    'other-sans-array-is-cut-at-commas': requestField(namingOperations, 'other_sans', { read: arrayCutAtCommas }),
    'uri-sans-globs-end-in-a-star': part('sans', {
      uriMatches: (pattern, uri) => (pattern.endsWith('*') ? sanRules.uriMatches(pattern, uri) : pattern === uri),
    }),
    'drops-ipv6-sans': asked('ip_sans', (ips) => ips.filter((ip) => !ip.includes(':'))),
    'adds-an-ip-san': unasked({ ip: ['127.0.0.1'] }),
    'adds-a-dns-san': unasked({ dns: ['added.example'] }),
    'adds-an-email-san': unasked({ email: ['added@added.example'] }),
    'adds-a-uri-san': unasked({ uri: ['urn:added'] }),
    'adds-an-other-san': unasked({ other: [{ oid: '1.3.6.1.4.1.311.20.2.3', value: 'added' }] }),
    'uri-sans-dots-match-any-letter': part('sans', {
      uriMatches: (pattern, uri) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(uri),
    }),
    'role-allowed-uri-sans-array-is-cut-at-commas': roleField('allowed_uri_sans', { read: arrayCutAtCommas }),
    'addresses-in-alt-names-are-ip-sans': addingAddresses(({ alt_names }) => namesOf(alt_names, isAddress)),
    'address-as-common-name-is-an-ip-san': addingAddresses(({ common_name }) =>
      [String(common_name ?? '')].filter(isAddress),
    ),
    'exclude-cn-drops-the-common-name': draftingOfFields(withoutExcludedName),
    'sign-takes-every-san-of-a-csr': [
      asRole(sign, (role) => ({ ...role, allow_ip_sans: true, allowed_uri_sans: ['*'], allowed_other_sans: ['*'] })),
      allowing(sign, ({ kind }) => kind !== 'commonName'),
    ],
    'uri-sans-matched-by-beginning': part('sans', {
      uriMatches: (pattern, uri) => sanRules.uriMatches(`${pattern}*`, uri),
    }),
    'other-sans-values-matched-by-beginning': part('sans', {
      otherMatches: (allowed, asked) =>
        allowed.oid === asked.oid && (allowed.value === '*' || asked.value.startsWith(allowed.value)),
    }),
    'other-sans-oids-matched-by-beginning': part('sans', {
      otherMatches: (allowed, asked) =>
        asked.oid.startsWith(allowed.oid) && (allowed.value === '*' || allowed.value === asked.value),
    }),
  }),
  ...(['alt_names', 'ip_sans', 'uri_sans', 'other_sans'] as const).map((name) =>
    fault(
      `${name.replace('_', '-')}-ends-after-ten`,
      `Only the first ten entries of ${name} are used.`,
      asked(name, keepsTen),
    ),
  ),
]
