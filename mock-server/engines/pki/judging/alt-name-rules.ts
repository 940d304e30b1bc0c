/** Reads subject alternative names from a request, and checks them against a role. */
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { PkiRules } from '../rules/index.ts'
import type { NamingRow } from '../rules/naming.ts'
import { oneOtherName } from '../rules/other-names.ts'
import type { Role } from '../store.ts'
import type { AltNames, OtherName } from '../x509/alt-names.ts'
import { addressBytes } from '../x509/ip.ts'
import { allowedNames, asciiName, isHostName, takeApart } from './name-rules.ts'

interface NameFields {
  readonly alt_names: readonly string[]
  readonly ip_sans: readonly string[]
  readonly uri_sans: readonly string[]
  readonly other_sans: readonly string[]
}

function notA(value: string, what: string): never {
  throw badRequest(`${JSON.stringify(value)} is not ${what}`)
}

const isUri = (uri: string): boolean => /^[\x21-\x7e]+$/.test(uri) && URL.canParse(uri)

/** Returns the alternative names in the fields, and refuses names that are invalid. The common name is not included. */
export function readNames(fields: NameFields, row: NamingRow, rules: PkiRules): AltNames {
  const isEmail = (name: string): boolean => name.includes('@') && row.emailsAre === 'email'
  const valid = (kind: 'ip' | 'uri', value: string, isOne: boolean, what: string): boolean =>
    isOne || (row.invalid[kind] === 'refused' ? notA(value, what) : false)
  return {
    dns: fields.alt_names.filter((name) => !isEmail(name)),
    email: fields.alt_names.filter(isEmail),
    ip: fields.ip_sans.filter((ip) => valid('ip', ip, addressBytes(ip) !== undefined, 'an IP address')),
    uri: fields.uri_sans.filter((uri) => valid('uri', uri, isUri(uri), 'a URI')),
    other: fields.other_sans.map(
      (entry) => oneOtherName(entry, rules.sans.typesInRequests) ?? notA(entry, 'an <oid>;UTF8:<value>'),
    ),
  }
}

/** Returns the names that the role allows. Refuses the request if it has a name that the role does not allow. */
export function heldAgainst(
  role: Role,
  names: AltNames,
  { names: rules, sans }: PkiRules,
  identity: Readonly<Record<string, string>>,
  isHostRequired: boolean,
): AltNames {
  const hostless = isHostRequired ? names.uri.find((uri) => new URL(uri).host === '') : undefined
  if (hostless !== undefined) throw badRequest(`URI subject alternative name ${hostless} has no host`)
  if (!role.allow_ip_sans && names.ip.some((address) => sans.forbidsIp(address)))
    throw badRequest(`IP subject alternative names are not allowed in this role: ${names.ip.join(', ')}`)
  const uri = names.uri.find((asked) => !role.allowed_uri_sans.some((glob) => sans.uriMatches(glob, asked)))
  if (uri !== undefined) throw badRequest(`URI subject alternative name ${uri} not allowed by this role`)
  const other = names.other.find((asked) => !isAllowedOther(asked, role, sans))
  if (other)
    throw badRequest(`other subject alternative name ${other.oid};UTF8:${other.value} not allowed by this role`)
  return {
    ...names,
    dns: allowedNames(names.dns, 'dns', role, rules, identity),
    email: allowedNames(names.email, 'email', role, rules, identity),
  }
}

function isAllowedOther(asked: OtherName, role: Role, sans: PkiRules['sans']): boolean {
  return role.allowed_other_sans.some((entry) => {
    if (entry === '*') return sans.singleStarAllowsAll
    const allowed = oneOtherName(entry, sans.typesInRoles)
    return allowed !== undefined && sans.otherMatches(allowed, asked)
  })
}

/** Returns the alternative names of the certificate, without duplicates and in ASCII. They include the common name,
 * unless it is excluded. */
export function withCommonName(
  names: AltNames,
  commonName: string,
  excluded: boolean,
  row: NamingRow,
  rules: PkiRules,
): AltNames {
  const asked = commonName === '' ? undefined : takeApart(commonName, rules.names)
  const kind = asked?.email ? 'email' : 'dns'
  const isIn = asked !== undefined && isHostName(asked, rules.names) && row.commonNameIn[kind]
  const own = (of: 'dns' | 'email'): string[] =>
    isIn && of === kind && !(excluded && row.excludes[of]) ? [commonName] : []
  const none = names.dns.length + names.email.length === 0
  const { unasked } = row
  if (excluded && row.excludesAll) return { ...names, dns: [], email: [] }
  return {
    dns: written([...own('dns'), ...names.dns, ...(none ? unasked.dns : [])]),
    email: written([...own('email'), ...names.email, ...(none ? unasked.email : [])]),
    ip: [...(names.ip.length > 0 ? names.ip : unasked.ip), ...row.furtherIps(names, commonName)],
    uri: names.uri.length > 0 ? names.uri : unasked.uri,
    other: names.other.length > 0 ? names.other : unasked.other,
  }
}

const written = (names: readonly string[]): string[] => [
  ...new Set(
    names.map((name) => {
      const [local = '', host] = name.split('@')
      const ascii = host === undefined ? asciiName(local) : `${local}@${asciiName(host)}`
      return /^[\x20-\x7e]+$/.test(ascii) ? ascii : notA(name, 'a name that a certificate can hold')
    }),
  ),
]
