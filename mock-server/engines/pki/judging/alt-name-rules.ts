/** Reads subject alternative names from a request, and checks them against a role. */
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { PkiRules } from '../rules/index.ts'
import { oneOtherName } from '../rules/other-names.ts'
import type { Role } from '../store.ts'
import type { AltNames, OtherName } from '../x509/alt-names.ts'
import { addressBytes } from '../x509/ip.ts'
import { asciiName, assertAllowed, isHostName, takeApart } from './name-rules.ts'

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
export function readNames(fields: NameFields): AltNames {
  const isEmail = (name: string): boolean => name.includes('@')
  return {
    dns: fields.alt_names.filter((name) => !isEmail(name)),
    email: fields.alt_names.filter(isEmail),
    ip: fields.ip_sans.map((ip) => (addressBytes(ip) ? ip : notA(ip, 'an IP address'))),
    uri: fields.uri_sans.map((uri) => (isUri(uri) ? uri : notA(uri, 'a URI'))),
    other: fields.other_sans.map((entry) => oneOtherName(entry) ?? notA(entry, 'an <oid>;UTF8:<value>')),
  }
}

/** Refuses the request if it has an alternative name that the role does not allow. */
export function assertAltNamesAllowed(
  role: Role,
  names: AltNames,
  { names: rules, sans }: PkiRules,
  identity: Readonly<Record<string, string>>,
  isHostRequired: boolean,
): void {
  const hostless = isHostRequired ? names.uri.find((uri) => new URL(uri).host === '') : undefined
  if (hostless !== undefined) throw badRequest(`URI subject alternative name ${hostless} has no host`)
  if (!role.allow_ip_sans && names.ip.length > 0)
    throw badRequest(`IP subject alternative names are not allowed in this role: ${names.ip.join(', ')}`)
  const uri = names.uri.find((asked) => !role.allowed_uri_sans.some((glob) => sans.uriMatches(glob, asked)))
  if (uri !== undefined) throw badRequest(`URI subject alternative name ${uri} not allowed by this role`)
  const other = names.other.find((asked) => !isAllowedOther(asked, role, sans))
  if (other)
    throw badRequest(`other subject alternative name ${other.oid};UTF8:${other.value} not allowed by this role`)
  assertAllowed(names.dns, 'dns', role, rules, identity)
  assertAllowed(names.email, 'email', role, rules, identity)
}

function isAllowedOther(asked: OtherName, role: Role, sans: PkiRules['sans']): boolean {
  return role.allowed_other_sans.some((entry) => {
    if (entry === '*') return true
    const allowed = oneOtherName(entry)
    return allowed !== undefined && sans.otherMatches(allowed, asked)
  })
}

/** Returns the alternative names of the certificate, without duplicates and in ASCII. They include the common name,
 * unless it is excluded. */
export function withCommonName(names: AltNames, commonName: string, excluded: boolean, rules: PkiRules): AltNames {
  const asked = excluded || commonName === '' ? undefined : takeApart(commonName, rules.names)
  const own = asked && isHostName(asked, rules.names) ? [commonName] : []
  return {
    ...names,
    dns: written([...(asked?.email ? [] : own), ...names.dns]),
    email: written([...(asked?.email ? own : []), ...names.email]),
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
