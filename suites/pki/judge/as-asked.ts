/** Finds what a certificate or CSR lacks, or has besides, of what its request and its role ask for, field by field. Each
 * field does what its row says whatever else is asked for (readings of the documents, 84). */
import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { fieldOf, type Json, type JsonObject, type Reply } from '../../../harness/vocabulary/index.ts'
import { booleanIn } from '../../numbers.ts'
import { address, type Certificate, type Extensions, type SigningRequest } from './certificate.ts'
import { base64, pemBlocks } from './der.ts'
import { hasSize, keyWords } from './key-size.ts'
import type { CertificateFlaw } from './path.ts'
import { keysOf, sameKey, signingRequestsIn } from './reply.ts'
import { usageOids } from './usage-oids.ts'

type Document = Certificate | SigningRequest

export type Maker = 'issue' | 'root' | 'intermediate' | 'sign-intermediate'

export interface Asked {
  readonly maker: Maker
  readonly body: JsonObject
  /** The body of each write of the role. */
  readonly roles: readonly JsonObject[]
  /** The bodies of the writes of the URLs. */
  readonly urls: readonly JsonObject[]
}

type Flaws = Generator<CertificateFlaw>

export const entriesOf = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? (value as readonly Json[]) : typeof value === 'string' ? value.split(',') : [])
    .map((one) => String(one).trim())
    .filter((one) => one !== '')

const listed = (values: readonly string[]): string => (values.length === 0 ? 'none' : values.join(', '))
const setOf = (values: readonly string[]): readonly string[] => [...new Set(values)].toSorted()
const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  isDeepStrictEqual(setOf(one), setOf(other))
const isOn = (value: Json | undefined): boolean => booleanIn(value) === true

/** A list as an array has a row of its own, and so has its default. */
const rowFor = (value: Json | undefined, { comma, array, none }: Record<'comma' | 'array' | 'none', string>): string =>
  entriesOf(value).length === 0 ? none : Array.isArray(value) ? array : comma

const subjectFields = ['ou', 'organization', 'country', 'locality', 'province', 'street_address', 'postal_code']

function* subjectFlaws({ subject }: Document, { maker, body }: Asked, role: RoleField): Flaws {
  for (const field of subjectFields) {
    const asked = maker === 'issue' ? role(field) : { value: body[field] }
    if (!asked) continue
    const [held, wanted] = [subject[field] ?? [], entriesOf(asked.value)]
    if (isSame(held, wanted)) continue
    const inSubject = `pki.role.${field.replace('_', '-')}.in-subject`
    const row =
      maker === 'issue'
        ? rowFor(asked.value, { comma: inSubject, array: inSubject, none: 'pki.role.subject.default' })
        : rowFor(asked.value, {
            comma: `pki.${maker}.subject.comma-list`,
            array: `pki.${maker}.subject.array`,
            none: `pki.${maker}.subject.default`,
          })
    yield { row, at: `${field} of the subject`, wanted: listed(wanted), saw: listed(held) }
  }
}

/** Only names that are certainly of one kind are looked for. */
const host = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]+$/i
const email = /^[a-z0-9.]+@[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]+$/i
const utf8 = /^([\d.]+);UTF-?8:/i

/** Returns the normalized address, or an invalid one as it is written. */
export function normalAddress(text: string): string {
  try {
    return address(text)
  } catch {
    return text
  }
}

const lower = (values: readonly string[]): readonly string[] => values.map((value) => value.toLowerCase())

function* nameFlaws({ sans }: Document, { maker, body }: Asked): Flaws {
  const names = entriesOf(body.alt_names)
  const ofList = (field: string, one: string): string => (entriesOf(body[field]).length > 1 ? `${one}.comma-list` : one)
  const many = names.length > 1
  const others = entriesOf(body.other_sans)
  const form = Array.isArray(body.other_sans) ? 'array' : 'comma-list'
  const otherOfMaker = others.length > 1 ? `pki.${maker}.other-sans.${form}` : 'pki.san.other-sans.without-role'
  const otherOfIssue = others.length > 1 ? `pki.san.other-sans.${form}` : 'pki.san.other-sans'
  const kinds = [
    [
      'DNS SAN',
      lower(names.filter((name) => host.test(name))),
      lower(sans.dns),
      many ? 'pki.san.alt-names.comma-list' : 'pki.san.alt-names.host',
    ],
    [
      'email SAN',
      lower(names.filter((name) => email.test(name))),
      lower(sans.email),
      many ? 'pki.san.alt-names.comma-list' : 'pki.san.alt-names.email',
    ],
    ['IP SAN', entriesOf(body.ip_sans).map(normalAddress), sans.ip, ofList('ip_sans', 'pki.san.ip-sans')],
    ['URI SAN', entriesOf(body.uri_sans), sans.uri, ofList('uri_sans', 'pki.san.uri-sans')],
    [
      'custom SAN',
      others.filter((entry) => utf8.test(entry)).map((entry) => entry.replace(utf8, '$1;')),
      sans.other.map(({ oid, value }) => `${oid};${value}`),
      maker === 'issue' ? otherOfIssue : otherOfMaker,
    ],
  ] as const
  for (const [at, wanted, held, row] of kinds)
    if (wanted.some((name) => !held.includes(name))) yield { row, at, wanted: listed(wanted), saw: listed(held) }
}

function* commonNameFlaws({ subject, sans }: Document, { maker, body }: Asked): Flaws {
  const { common_name: name, exclude_cn_from_sans: excluded, alt_names: others } = body
  if (typeof name !== 'string' || name === '') return
  const isAmong = (names: readonly string[]): boolean => lower(names).includes(name.toLowerCase())
  const at = 'common_name of the subject'
  const held = subject.common_name ?? []
  if (!isAmong(held)) yield { row: `pki.${maker}.common-name.subject`, at, wanted: name, saw: listed(held) }
  const isWanted = !isOn(excluded)
  if (!host.test(name) || isAmong(entriesOf(others)) || isAmong(sans.dns) === isWanted) return
  const [row, wanted] = isWanted ? ['default', `${name} among them`] : ['dns', `without ${name}`]
  yield { row: `pki.san.exclude-cn.${row}`, at: 'DNS SAN', wanted, saw: listed(sans.dns) }
}

/** Returns what every write of the role says of a field: the documents leave open whether a second write replaces the
 * first. Undefined if there was no write, or if they differ. */
type RoleField = (field: string) => { readonly value: Json | undefined } | undefined

const roleFieldOf =
  (roles: readonly JsonObject[]): RoleField =>
  (field) => {
    const [first] = roles
    return first && roles.every((role) => isDeepStrictEqual(role[field], first[field]))
      ? { value: first[field] }
      : undefined
  }

function* csrKeyFlaws({ publicKey }: Document, { maker, body }: Asked): Flaws {
  const [csr] = maker === 'sign-intermediate' ? signingRequestsIn(String(body.csr)) : []
  if (csr && !sameKey(csr.publicKey, publicKey))
    yield { row: 'pki.sign-intermediate.key-of-csr', at: 'key', wanted: 'that of the CSR', saw: 'another' }
}

function* keyFlaws({ publicKey }: Document, { maker, body }: Asked, role: RoleField): Flaws {
  const isLeaf = maker === 'issue'
  const of = isLeaf ? role : (field: string) => ({ value: body[field] })
  const [ofType, ofBits] = [of('key_type'), of('key_bits')]
  const type = ofType?.value ?? 'rsa'
  if (!ofType || !ofBits || (type !== 'rsa' && type !== 'ec')) return
  const prefix = isLeaf ? 'pki.role' : `pki.${maker}`
  const flaw = { at: 'key', wanted: `${type} of ${ofBits.value ?? 2048} bits`, saw: keyWords(publicKey) }
  if (publicKey.asymmetricKeyType !== type) yield { row: `${prefix}.${keyTypeRow(ofType.value, isLeaf)}`, ...flaw }
  else if (!isOfSize(publicKey, type, ofBits.value))
    yield { row: `${prefix}.${keyBitsRow(ofBits.value, isLeaf ? type : undefined)}`, ...flaw }
}

/** Of the other makers, no row says that a key of type `rsa` is one, but that it has the asked size. */
function keyTypeRow(type: Json | undefined, isLeaf: boolean): string {
  if (type === undefined) return 'key-type.default'
  return type === 'rsa' && !isLeaf ? 'key-bits.used' : `key-type.${type}`
}

function keyBitsRow(bits: Json | undefined, typeOfLeaf: 'rsa' | 'ec' | undefined): string {
  if (bits === undefined) return 'key-bits.default'
  return { rsa: 'key-bits.rsa', ec: `key-bits.ec-${bits}`, none: 'key-bits.used' }[typeOfLeaf ?? 'none']
}

const curves = [224, 256, 384, 521]

/** Returns true also where no document says which size is meant. */
function isOfSize(key: KeyObject, type: 'rsa' | 'ec', asked: Json = 2048): boolean {
  const bits = Number(asked)
  const isKnown = type === 'rsa' ? bits > 0 : curves.includes(bits)
  return !isKnown || hasSize(key, type, bits)
}

function* formatFlaws({ maker, body: { format } }: Asked, reply: Reply): Flaws {
  const at = maker === 'intermediate' ? 'csr' : 'certificate'
  const text = String(fieldOf(reply, at) ?? '')
  const saw = pemBlocks(text).length > 0 ? 'pem' : base64(text) && 'der'
  const wanted = format === 'der' ? 'der' : 'pem'
  const row = format === undefined ? `${maker}.format.default` : `format.${String(format).replace('_', '-')}`
  if (saw && saw !== wanted) yield { row: `pki.${row}`, at, wanted, saw }
}

/** One such key is enough, since no document says whether the format of keys governs those in bundles. */
function* keyFormatFlaws({ maker, body }: Asked, reply: Reply): Flaws {
  const { format, private_key_format: asked } = body
  const keys = keysOf(reply)
  if (keys.length === 0) return
  const at = 'private key'
  if (asked === 'pkcs8' && !keys.some(({ isPkcs8 }) => isPkcs8))
    yield { row: 'pki.private-key-format.pkcs8', at, wanted: 'PKCS#8', saw: 'another structure' }
  const row = asked === undefined ? `${maker}.private-key-format.default` : 'private-key-format.der'
  if (asked !== 'pkcs8' && format === 'der' && !keys.some(({ encoding }) => encoding === 'der'))
    yield { row: `pki.${row}`, at, wanted: 'der', saw: 'pem' }
}

const dotless = (names: readonly string[]): readonly string[] => lower(names).map((name) => name.replace(/^\./, ''))

/** What a signed intermediate without a limit gets depends on its signer. */
function* pathLengthFlaws({ basicConstraints }: Extensions, { maker, body: { max_path_length: asked } }: Asked): Flaws {
  const length = Number(asked ?? -1)
  const isStated = maker === 'root' || (maker === 'sign-intermediate' && length === 0)
  const [wanted, saw] = [length < 0 ? undefined : length, basicConstraints?.pathLength]
  if (!isStated || saw === wanted) return
  const named = wanted === undefined ? 'unlimited' : wanted === 0 ? 'zero' : 'used'
  const words = (limit: number | undefined): string => String(limit ?? 'no limit')
  const row = `pki.${maker}.max-path-length.${asked === undefined ? 'default' : named}`
  yield { row, at: 'path length', wanted: words(wanted), saw: words(saw) }
}

function* domainFlaws({ permittedDns }: Extensions, { maker, body: { permitted_dns_domains: asked } }: Asked): Flaws {
  if (maker !== 'root' && maker !== 'sign-intermediate') return
  const [permitted, names] = [dotless(permittedDns), dotless(entriesOf(asked))]
  if (isSame(permitted, names)) return
  const [comma, array] = maker === 'root' ? ['comma-list', 'array'] : ['names', 'names']
  const row = `pki.${maker}.permitted-dns-domains.${rowFor(asked, { comma, array, none: 'default' })}`
  yield { row, at: 'permitted DNS name', wanted: listed(names), saw: listed(permitted) }
}

/** The flags of a role, with the extended key usage that each adds, and whether it is on by default. */
export const flags = {
  server_flag: ['ServerAuth', true],
  client_flag: ['ClientAuth', true],
  code_signing_flag: ['CodeSigning', false],
  email_protection_flag: ['EmailProtection', false],
} as const
const knownUses = new Map(
  Object.entries(usageOids).flatMap(([name, oid]) => (name === 'any' ? [] : [[name.toLowerCase(), oid] as const])),
)
const usages = [
  ['DigitalSignature', 'digital-signature'],
  ['KeyAgreement', 'key-agreement'],
  ['KeyEncipherment', 'key-encipherment'],
] as const

/** A use of keys that a role names, and the row that it is then in the certificate. */
type Use = readonly [row: string, use: string]

const flagUses = (role: RoleField): readonly Use[] =>
  Object.entries(flags).flatMap(([flag, [name, isOnByDefault]]) => {
    const asked = role(flag)
    const row = `pki.role.${flag.replaceAll('_', '-')}.${asked?.value === undefined ? 'default' : 'flags'}`
    const isAsked = asked !== undefined && (asked.value === undefined ? isOnByDefault : isOn(asked.value))
    return isAsked ? [[row, usageOids[name]] as const] : []
  })

function namedUses(role: RoleField): readonly Use[] {
  const oids = role('ext_key_usage_oids')?.value
  const ofOids = `pki.role.ext-key-usage-oids.${Array.isArray(oids) ? 'list' : 'comma-list'}`
  const names = entriesOf(role('ext_key_usage')?.value)
  return [
    ...names.flatMap((name) => {
      const oid = knownUses.get(name.toLowerCase())
      return oid === undefined ? [] : [['pki.role.ext-key-usage.used', oid] as const]
    }),
    ...entriesOf(oids).map((oid) => [ofOids, oid] as const),
  ]
}

function keyUses(role: RoleField): readonly Use[] {
  const asked = role('key_usage')
  if (!asked) return []
  const names = asked.value === undefined ? undefined : entriesOf(asked.value).map((name) => name.toLowerCase())
  return usages
    .filter(([name]) => names?.includes(name.toLowerCase()) ?? true)
    .map(([name, id]) => [`pki.role.key-usage.${names ? (names.length > 1 ? 'list' : id) : 'default'}`, name])
}

/** Returns what a leaf lacks of the uses that its role names. What it has besides is found elsewhere. */
function* useFlaws({ keyUsage, extKeyUsage }: Document, { maker }: Asked, role: RoleField): Flaws {
  if (maker !== 'issue') return
  const kinds = [
    ['extended key usage', extKeyUsage, [...flagUses(role), ...namedUses(role)]],
    ['key usage', keyUsage, keyUses(role)],
  ] as const
  for (const [at, held = [], uses] of kinds)
    for (const [row, wanted] of uses.filter(([, use]) => !held.includes(use)))
      yield { row, at, wanted, saw: listed(held) }
}

function* leafFlaws({ policies, basicConstraints }: Certificate, { maker }: Asked, role: RoleField): Flaws {
  if (maker !== 'issue') return
  const asked = role('policy_identifiers')
  if (asked && !isSame(policies, entriesOf(asked.value))) {
    const row = 'pki.role.policy-identifiers'
    yield {
      row: rowFor(asked.value, { comma: `${row}.comma-list`, array: `${row}.list`, none: `${row}.default` }),
      ...{ at: 'certificate policy', wanted: listed(entriesOf(asked.value)), saw: listed(policies) },
    }
  }
  const valid = role('basic_constraints_valid_for_non_ca')
  const at = 'Basic Constraints extension'
  if (valid && isOn(valid.value) && !basicConstraints)
    yield { row: 'pki.role.basic-constraints.on', at, wanted: 'there', saw: 'absent' }
}

const urlParts = {
  issuing_certificates: ['URL of the issuing certificate', 'issuerUrls'],
  crl_distribution_points: ['CRL distribution point', 'crlUrls'],
  ocsp_servers: ['OCSP server', 'ocspUrls'],
} as const

/** The last write that gives a field counts, for certificates that are issued afterwards. Later ones, of other fields, leave
 * it. */
function* urlFlaws(found: Extensions, { maker, urls }: Asked): Flaws {
  if (maker !== 'issue') return
  for (const [field, [at, part]] of Object.entries(urlParts)) {
    const last = urls.findLast((body) => body[field] !== undefined)?.[field]
    const wanted = entriesOf(last)
    if (last === undefined || isSame(found[part], wanted)) continue
    const isLast = urls.at(-1)?.[field] !== undefined
    const row = wanted.length === 0 ? 'blank' : isLast ? field.replaceAll('_', '-') : 'independent'
    yield { row: `pki.config-urls.${row}`, at, wanted: listed(wanted), saw: listed(found[part]) }
  }
}

/** Returns where a certificate or CSR is not as its request and its role ask. */
export function* flawsAsAsked(found: Document, asked: Asked, reply: Reply): Flaws {
  const role = roleFieldOf(asked.roles)
  yield* csrKeyFlaws(found, asked)
  if (asked.maker !== 'sign-intermediate') yield* keyFlaws(found, asked, role)
  yield* formatFlaws(asked, reply)
  yield* keyFormatFlaws(asked, reply)
  // What is taken from the CSR then is judged by checks of their own.
  if (isOn(asked.body.use_csr_values)) return
  yield* subjectFlaws(found, asked, role)
  yield* nameFlaws(found, asked)
  yield* commonNameFlaws(found, asked)
  if (found.kind === 'request') return
  yield* pathLengthFlaws(found, asked)
  yield* domainFlaws(found, asked)
  yield* useFlaws(found, asked, role)
  yield* leafFlaws(found, asked, role)
  yield* urlFlaws(found, asked)
}

const makers: readonly Maker[] = ['issue', 'root', 'intermediate', 'sign-intermediate']
const authorities = makers.filter((maker) => maker !== 'issue')
const generators = ['root', 'intermediate'] as const

/** Every row that these flaws contradict. */
export const rowsAsAsked: readonly string[] = [
  ...subjectFields.map((field) => `role.${field.replace('_', '-')}.in-subject`),
  'role.subject.default',
  ...authorities.flatMap((maker) => ['comma-list', 'array', 'default'].map((form) => `${maker}.subject.${form}`)),
  ...['host', 'email', 'comma-list'].map((aspect) => `san.alt-names.${aspect}`),
  ...['ip-sans', 'uri-sans', 'other-sans'].flatMap((kind) => [`san.${kind}`, `san.${kind}.comma-list`]),
  ...['san.other-sans.array', 'san.other-sans.without-role', 'san.exclude-cn.dns', 'san.exclude-cn.default'],
  ...authorities.flatMap((maker) => ['comma-list', 'array'].map((form) => `${maker}.other-sans.${form}`)),
  ...makers.flatMap((maker) => [`${maker}.common-name.subject`, `${maker}.format.default`]),
  ...['role', ...generators].flatMap((of) =>
    ['key-type.default', 'key-type.ec', 'key-bits.default'].map((one) => `${of}.${one}`),
  ),
  ...generators.map((of) => `${of}.key-bits.used`),
  ...['role.key-type.rsa', 'role.key-bits.rsa', ...curves.map((bits) => `role.key-bits.ec-${bits}`)],
  'sign-intermediate.key-of-csr',
  ...['pem', 'der', 'pem-bundle'].map((one) => `format.${one}`),
  ...['issue', ...generators].map((maker) => `${maker}.private-key-format.default`),
  ...['private-key-format.pkcs8', 'private-key-format.der'],
  ...['default', 'unlimited', 'zero', 'used'].map((aspect) => `root.max-path-length.${aspect}`),
  'sign-intermediate.max-path-length.zero',
  ...['comma-list', 'array', 'default'].map((form) => `root.permitted-dns-domains.${form}`),
  ...['names', 'default'].map((form) => `sign-intermediate.permitted-dns-domains.${form}`),
  ...Object.keys(flags).flatMap((flag) =>
    ['default', 'flags'].map((one) => `role.${flag.replaceAll('_', '-')}.${one}`),
  ),
  ...['role.ext-key-usage.used', 'role.ext-key-usage-oids.list', 'role.ext-key-usage-oids.comma-list'],
  ...['default', 'list', ...usages.map(([, id]) => id)].map((one) => `role.key-usage.${one}`),
  ...['default', 'list', 'comma-list'].map((one) => `role.policy-identifiers.${one}`),
  'role.basic-constraints.on',
  ...['blank', 'independent', ...Object.keys(urlParts).map((field) => field.replaceAll('_', '-'))].map(
    (one) => `config-urls.${one}`,
  ),
].map((row) => `pki.${row}`)
