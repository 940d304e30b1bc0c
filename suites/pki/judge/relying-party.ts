/** Finds what a relying party or the requester would reject in any certificate: a path that does not verify, or names,
 * usages and keys that were not requested (reading 70). A server may add what only restricts or informs. */
import type { Conditions, JsonObject, Reply, Scope, Seen } from '../../../harness/vocabulary/index.ts'
import { mismatch } from '../../../harness/vocabulary/index.ts'
import { entriesOf, flags, flawsAsAsked, type Maker, normalAddress, rowsAsAsked } from './as-asked.ts'
import type { Certificate, Sans, SigningRequest } from './certificate.ts'
import { type CertificateFlaw, type Kind, linkFlaw, pathRow, pathTo, repetitionIn, rows } from './path.ts'
import {
  allCertificates,
  certificateOf,
  certificatesOf,
  isKeyOf,
  keysOf,
  signingRequestOf,
  signingRequestsIn,
} from './reply.ts'
import { usageOids } from './usage-oids.ts'

/** The rows that leave a certificate without names of a kind, by the field that asks for such names. */
const defaultRows = {
  alt_names: 'pki.san.alt-names.default',
  ip_sans: 'pki.san.ip-sans.default',
  uri_sans: 'pki.san.uri-sans.default',
  other_sans: 'pki.san.other-sans.default',
} as const

/** The request that made the certificate, as far as the reply and the scope show it. */
interface Making {
  /** Undefined for a CSR. */
  readonly kind: Kind | undefined
  readonly body: JsonObject
  /** The body of each write of the role. */
  readonly roles: readonly JsonObject[]
  readonly isInternal: boolean
  /** Undefined for requests that no document describes. */
  readonly maker: Maker | undefined
  /** The bodies of the writes of the URLs. */
  readonly urls: readonly JsonObject[]
}

const kinds: Readonly<Record<string, Kind>> = { 'root/generate': 'root', 'root/sign-intermediate': 'intermediate' }
const makers: Readonly<Record<string, Maker>> = {
  issue: 'issue',
  'root/generate': 'root',
  'intermediate/generate': 'intermediate',
  'root/sign-intermediate': 'sign-intermediate',
}

function makingOf(reply: Reply, scope: Scope): Making | undefined {
  const made =
    /^(?:POST|PUT) (([^/]+)\/(issue|sign|root\/generate|root\/sign-intermediate|intermediate\/generate)(?:\/([^/]+))?)$/.exec(
      reply.asked,
    )
  if (!made) return undefined
  const [, path = '', mount = '', what = '', name = ''] = made
  const body = scope.served(path).at(-1)
  if (!body) return undefined
  const isLeaf = what === 'issue' || what === 'sign'
  return {
    kind: isLeaf ? 'leaf' : kinds[what],
    body,
    roles: isLeaf ? scope.served(`${mount}/roles/${name}`) : [],
    isInternal: what !== 'issue' && name !== 'exported',
    maker: makers[what],
    urls: scope.served(`${mount}/config/urls`),
  }
}

/** The names under which earlier steps save certificates of possible signers. */
const savedNames = ['ca', 'signed', 'bundle', 'top', 'parent']

const savedIn = (scope: Scope): readonly Certificate[] =>
  savedNames.flatMap((name) => (scope.has(name) ? certificatesOf(scope.value(name)) : []))

const understood: ReadonlySet<string> = new Set(
  ['14', '15', '17', '18', '19', '30', '31', '32', '33', '35', '36', '37', '54'].map((last) => `2.5.29.${last}`),
)

type Aspect = keyof (typeof rows)['leaf']
/** What differs, and of which kind the row is that it contradicts. */
type Part = Omit<CertificateFlaw, 'row'> & { readonly aspect: Aspect; readonly row?: string }

/** Returns what every relying party rejects, whoever signed the certificate. */
function* formFlaws(found: Certificate, { body }: Making, { at, headers }: Reply): Generator<Part> {
  const aspect = 'whole'
  const twice = repetitionIn(found, rows.leaf.whole)
  if (twice) yield { aspect, at: twice.at, wanted: twice.wanted, saw: twice.saw }
  const strange = found.listed.find(({ oid, critical }) => critical && !understood.has(oid))
  if (strange && body.use_csr_values !== true)
    yield { aspect, at: `extension ${strange.oid}`, wanted: 'none that is critical and unknown', saw: 'critical' }
  const begins = new Date(found.notBefore).toISOString()
  if (found.notAfter <= found.notBefore)
    yield { aspect: 'lifetime', at: 'validity', wanted: 'an end after its beginning', saw: 'none' }
  // `at` is by the clock of the target, in whole seconds, only if the reply has a `Date` header.
  else if (headers.date !== undefined && found.notBefore > at + 5_000)
    yield { aspect: 'lifetime', at: 'NotBefore', wanted: 'no later than the time of issue', saw: begins }
}

const folded = (values: readonly string[]): ReadonlySet<string> => new Set(values.map((value) => value.toLowerCase()))

const otherOf = (entry: string): string => entry.replace(/;[^:]*:/, ';')

/** Returns the names in a certificate that neither the request nor its CSR has. */
function* nameFlaws({ sans }: { readonly sans: Sans }, { body }: Making): Generator<Part> {
  const [csr] = typeof body.csr === 'string' ? signingRequestsIn(body.csr) : []
  const common_names = [...entriesOf(body.common_name), ...(csr?.subject.common_name ?? [])]
  const asked = [...common_names, ...entriesOf(body.alt_names)]
  const kinds: readonly (readonly [string, keyof typeof defaultRows, readonly string[], readonly string[]])[] = [
    ['DNS SAN', 'alt_names', sans.dns, [...asked, ...(csr?.sans.dns ?? [])]],
    ['email SAN', 'alt_names', sans.email, [...asked, ...(csr?.sans.email ?? [])]],
    [
      'IP SAN',
      'ip_sans',
      sans.ip,
      [...[...entriesOf(body.ip_sans), ...asked].map(normalAddress), ...(csr?.sans.ip ?? [])],
    ],
    ['URI SAN', 'uri_sans', sans.uri, [...entriesOf(body.uri_sans), ...(csr?.sans.uri ?? [])]],
    [
      'custom SAN',
      'other_sans',
      sans.other.map(({ oid, value }) => `${oid};${value}`),
      [
        ...entriesOf(body.other_sans).map(otherOf),
        ...(csr?.sans.other ?? []).map(({ oid, value }) => `${oid};${value}`),
      ],
    ],
  ]
  for (const [at, field, held, allowed] of kinds) {
    const more = held.filter((name) => !folded(allowed).has(name.toLowerCase()))
    const row = body[field] === undefined ? { row: defaultRows[field] } : {}
    if (more.length > 0)
      yield { aspect: 'whole', ...row, at, wanted: 'only names that were requested', saw: more.join(', ') }
  }
}

const usageNames: Readonly<Record<string, string>> = { nonrepudiation: 'contentcommitment', keycertsign: 'certsign' }
const defaultUsages = ['DigitalSignature', 'KeyAgreement', 'KeyEncipherment']

/** Returns the key usages that a role allows; undefined if it does not restrict them. */
function usagesOf(role: JsonObject): ReadonlySet<string> | undefined {
  const named = role.key_usage === undefined ? defaultUsages : entriesOf(role.key_usage)
  if (named.length === 0) return undefined
  return new Set(named.map((name) => usageNames[name.toLowerCase()] ?? name.toLowerCase()))
}

/** Returns the extended key usages that a role allows; undefined if it does not restrict them, or has a name that we do
 * not know. */
function extendedOf(role: JsonObject): ReadonlySet<string> | undefined {
  const byFlag = Object.entries(flags).flatMap(([flag, [name, on]]) => ((role[flag] ?? on) ? [usageOids[name]] : []))
  const known = Object.entries(usageOids).map(([name, oid]) => [name.toLowerCase(), oid] as const)
  const names = entriesOf(role.ext_key_usage)
  const named = names.map((name) => new Map(known).get(name.toLowerCase()))
  if (named.includes(undefined)) return undefined
  const all = [...byFlag, ...(named as string[]), ...entriesOf(role.ext_key_usage_oids)]
  return all.length === 0 ? undefined : new Set(all)
}

function beyond(
  held: readonly string[] | undefined,
  roles: readonly JsonObject[],
  allowedBy: (role: JsonObject) => ReadonlySet<string> | undefined,
): readonly string[] {
  // The documents leave open whether a second write of a role replaces the first, so either may apply.
  const allowed = roles.map(allowedBy)
  if (allowed.length === 0 || allowed.includes(undefined)) return []
  return (held ?? []).filter((one) => !allowed.some((set) => set?.has(one)))
}

/** Returns what a certificate may wrongly be used for, or what a CA certificate lacks to sign others. */
function* powerFlaws(found: Certificate, { kind, roles }: Making): Generator<Part> {
  const aspect = 'power'
  const { basicConstraints, keyUsage, extKeyUsage } = found
  if (kind !== 'leaf') {
    if (!basicConstraints?.ca) yield { aspect, at: 'Basic Constraints', wanted: 'those of a CA', saw: 'those of no CA' }
    if (keyUsage && !keyUsage.includes('CertSign'))
      yield { aspect, at: 'key usage', wanted: 'the signing of certificates', saw: keyUsage.join(', ') }
    return
  }
  if (basicConstraints?.ca) yield { aspect, at: 'Basic Constraints', wanted: 'those of no CA', saw: 'those of a CA' }
  const wanted = 'none that the role does not name'
  const lowered = keyUsage?.map((name) => name.toLowerCase())
  const usages = beyond(lowered, roles, usagesOf)
  if (usages.length > 0) yield { aspect, at: 'key usage', wanted, saw: usages.join(', ') }
  const extended = beyond(extKeyUsage, roles, extendedOf)
  if (extended.length > 0) yield { aspect, at: 'extended key usage', wanted, saw: extended.join(', ') }
}

/** Returns a flaw if the reply has a private key other than the one that was made for the requester. */
function* keyFlaws(found: Certificate, { isInternal }: Making, reply: Reply): Generator<Part> {
  const keys = keysOf(reply)
  if (isInternal && keys.length > 0)
    yield { aspect: 'noKey', at: 'body', wanted: 'no private key', saw: 'a private key' }
  else if (!keys.every((key) => isKeyOf(key, found.publicKey)))
    yield {
      aspect: 'key',
      at: 'body',
      wanted: 'no private key but that of the certificate',
      saw: 'another private key',
    }
}

/** Returns what is wrong with the signature of a certificate, or with those above it. */
function pathFlaw(found: Certificate, kind: Kind, { reply, scope }: Seen): CertificateFlaw | undefined {
  if (kind === 'root') return linkFlaw(found, found, kind)
  const others = allCertificates(reply).filter(({ der }) => !der.equals(found.der))
  const { signed: row } = rows[kind]
  if (others.length > 0 && !others.some(({ publicKey }) => found.isSignedBy(publicKey)))
    return { row, at: 'signature', wanted: 'by the key of the issuing CA in the reply', saw: 'by another key' }
  const path = pathTo(found, [...others, ...savedIn(scope)], kind)
  return 'at' in path ? path : undefined
}

/** Returns every flaw of the certificate in a reply. Certificates in replies to reads are not judged again, since they
 * were judged when they were made. */
export function flawsOf(found: Certificate, seen: Seen): readonly CertificateFlaw[] {
  const { reply, scope } = seen
  const making = makingOf(reply, scope)
  const { kind } = making ?? {}
  if (!making || !kind) return []
  const parts = [
    ...formFlaws(found, making, reply),
    ...powerFlaws(found, making),
    ...nameFlaws(found, making),
    ...keyFlaws(found, making, reply),
  ]
  const path = pathFlaw(found, kind, seen)
  return [
    ...parts.map(({ aspect, ...flaw }) => ({ row: rows[kind][aspect], ...flaw })),
    ...(parts.length > 0 ? [] : firstAsAsked(found, making, reply)),
    ...(path ? [path] : []),
  ]
}

/** Returns the first flaw alone: one cause changes many fields, such as values that come from the CSR. A document with
 * what nobody asked for may be another one than the requested, so it is not held to the request. */
function firstAsAsked(
  found: Certificate | SigningRequest,
  { maker, body, roles, urls }: Making,
  reply: Reply,
): readonly CertificateFlaw[] {
  if (!maker) return []
  const { value: first } = flawsAsAsked(found, { maker, body, roles, urls }, reply).next()
  return first ? [{ ...first, isSecond: true }] : []
}

/** Returns what differs in the CSR of a reply from what was asked for. */
function requestFlaws(found: SigningRequest, { reply, scope }: Seen): readonly CertificateFlaw[] {
  const making = makingOf(reply, scope)
  if (!making || making.kind) return []
  const more = [...nameFlaws(found, making)].flatMap(({ row, ...flaw }) => (row ? { row, ...flaw } : []))
  return more.length > 0 ? more : firstAsAsked(found, making, reply)
}

/** What a relying party requires of each certificate that a check is given. */
export const trusted: Conditions = {
  requirements: [
    ...new Set([
      ...Object.values(rows).flatMap((ofKind) => Object.values(ofKind)),
      ...Object.values(defaultRows),
      ...rowsAsAsked,
      pathRow,
    ]),
  ],
  flawsIn(seen) {
    const [found, request] = [certificateOf(seen.reply), signingRequestOf(seen.reply)]
    const flaws = found ? flawsOf(found, seen) : request ? requestFlaws(request, seen) : []
    return flaws.map(({ row: requirement, at, wanted, saw, isSecond }) => ({
      ...mismatch(seen.reply, at, wanted, saw),
      requirement,
      ...(isSecond ? { isSecond } : {}),
    }))
  },
}
