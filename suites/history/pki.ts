/** The public bugs of certificate authority engines, as rules on the wire. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { DifferentServer, Json, JsonObject, WireAnswer, WireSent } from '../../harness/vocabulary/index.ts'
import {
  answering,
  isRefusal,
  isSuccess,
  jsonOf,
  type Opening,
  placeOf,
  refusal,
  remembering,
  rewritingData,
  textOf,
  withText,
} from '../differences/bends.ts'
import { secondsIn } from '../numbers.ts'
import {
  asking,
  dataOf,
  done,
  fieldsAt,
  isTrue,
  listOf,
  refusedAs,
  refusing,
  refusingAs,
  storedOtherwise,
  textIn,
  withFields,
  without,
  writing,
} from './rules.ts'

const rolePlace = /^(.+)\/roles\/([^/]+)$/
export const issuePlace = /\/issue\/[^/]+$/
const leafPlace = /^(.+)\/(?:issue|sign)\/([^/]+)$/
const signPlace = /\/sign\/[^/]+$/
const signIntermediate = /\/root\/sign-intermediate$/
const rootPlace = /\/root\/generate\/[^/]+$/

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const bodyOf = (pem: string): string => pem.replaceAll(/-----.*-----/g, '')
/** Returns the base64 of the first PEM block of a text, which may hold other words before it. */
const blockIn = (text: unknown): string => /-----BEGIN[^-]{1,40}-----([^-]{1,10000})/.exec(textIn(text))?.[1] ?? ''
const certificatesIn = (text: unknown): readonly X509Certificate[] =>
  (textIn(text).match(/-----BEGIN CERTIFICATE-----[^-]{1,10000}-----END CERTIFICATE-----/g) ?? []).map(
    (pem) => new X509Certificate(pem),
  )
const asksForCa = /0603551d13(?:0101ff)?04..30..0101ff/

/** All names that a request asks for. */
export const namesIn = (fields: JsonObject): readonly string[] => [
  ...listOf(fields.common_name),
  ...listOf(fields.alt_names),
]

/** Keeps the fields of each role, and lets `serve` answer requests for leaf certificates. */
export const knowingRoles = (
  serve: (
    role: JsonObject,
    fields: JsonObject,
    write: (fields: JsonObject) => WireSent,
    ...request: Parameters<DifferentServer>
  ) => ReturnType<DifferentServer>,
): Opening =>
  remembering(
    () => new Map<string, { readonly fields: JsonObject; readonly sent: WireSent }>(),
    (roles) => async (sent, pass) => {
      const place = placeOf(sent)
      const [, mount, name] = leafPlace.exec(place) ?? []
      const role = roles.get(`${mount}/roles/${name}`)
      const fields = fieldsAt(sent, leafPlace)
      if (role && fields) return serve(role.fields, fields, (changed) => withFields(role.sent, changed), sent, pass)
      const answer = await pass(sent)
      const written = fieldsAt(sent, rolePlace)
      if (written && isSuccess(answer)) roles.set(place, { fields: written, sent })
      return answer
    },
  )

/** Makes a server that serves a refused request for a leaf certificate as if the role had other fields. */
export const asIfRole = (isMeant: (role: JsonObject, fields: JsonObject) => boolean, other: JsonObject): Opening =>
  knowingRoles(async (role, fields, write, sent, pass) => {
    const answer = await pass(sent)
    if (!isRefusal(answer) || !isMeant(role, fields)) return answer
    await pass(write({ ...role, ...other }))
    const served = await pass(sent)
    await pass(write(role))
    return served
  })

/** Makes a server that refuses some requests for leaf certificates by their role. */
export const refusingLeaves = (isMeant: (role: JsonObject, fields: JsonObject, sent: WireSent) => boolean): Opening =>
  knowingRoles(async (role, fields, _, sent, pass) => (isMeant(role, fields, sent) ? refusal() : pass(sent)))

const endsInOtherCase = (name: string, domain: string): boolean =>
  name.toLowerCase().endsWith(domain.toLowerCase()) && !name.endsWith(domain)

const isBelow = (name: string, domain: string): boolean => name.endsWith(`.${domain}`)

const changed = (
  fields: JsonObject,
  names: readonly string[],
  change: (entries: readonly string[]) => readonly string[],
): JsonObject => ({
  ...fields,
  ...Object.fromEntries(
    names.flatMap((name) => (fields[name] === undefined ? [] : [[name, [...change(listOf(fields[name]))]]])),
  ),
})

const isZero = (value: unknown): boolean => value === 0 || value === '0'

/** Remembers what each mount was told by writes at a place. */
const knowingMounts = (
  place: RegExp,
  serve: (
    mounts: ReadonlyMap<string, JsonObject>,
    mount: string,
    ...request: Parameters<DifferentServer>
  ) => ReturnType<DifferentServer>,
): Opening =>
  remembering(
    () => new Map<string, JsonObject>(),
    (mounts) => async (sent, pass) => {
      const mount = placeOf(sent).split('/')[0] ?? ''
      const answer = await serve(mounts, mount, sent, pass)
      const fields = fieldsAt(sent, place)
      if (fields && isSuccess(answer)) mounts.set(mount, fields)
      return answer
    },
  )

const crlConfig = /\/config\/crl$/
const crl = /\/crl(?:\/pem)?$/

/** Makes a server that reads the ttl of intermediates otherwise if it is longer than that of the root. */
const beyondTheRoot = (change: (sent: WireSent, fields: JsonObject, ttl: Json) => WireSent | undefined): Opening =>
  knowingMounts(rootPlace, async (roots, mount, sent, pass) => {
    const fields = fieldsAt(sent, signIntermediate)
    const ttl = roots.get(mount)?.ttl
    const isBeyond = fields && ttl !== undefined && (secondsIn(fields.ttl) ?? 0) > (secondsIn(ttl) ?? 0)
    const changed = isBeyond ? change(sent, fields, ttl) : sent
    return changed ? pass(changed) : refusal()
  })

/** Writes the key of a bundle in the form of its own algorithm. */
function withTraditionalKey(bundle: string): string {
  const key = /-----BEGIN PRIVATE KEY-----[^-]{1,10000}-----END PRIVATE KEY-----\n?/.exec(bundle)?.[0]
  if (key === undefined) return bundle
  const parsed = createPrivateKey(key)
  const type = parsed.asymmetricKeyType === 'rsa' ? 'pkcs1' : 'sec1'
  return bundle.replace(key, String(parsed.export({ type, format: 'pem' })))
}

const subjectLists = ['ou', 'organization', 'country', 'locality', 'province', 'street_address', 'postal_code']

export const pki = {
  'pki-names-minded-case': refusingLeaves(
    (role, fields) =>
      !isTrue(role.allow_any_name) &&
      namesIn(fields).some((name) => listOf(role.allowed_domains).some((domain) => endsInOtherCase(name, domain))),
  ),
  'pki-wildcards-without-subdomains': asIfRole(
    (role, { common_name }) =>
      isTrue(role.allow_bare_domains) &&
      !isTrue(role.allow_subdomains) &&
      listOf(role.allowed_domains).some((domain) => common_name === `*.${domain}`),
    { allow_subdomains: true },
  ),
  'pki-wildcards-beside-globs': refusingLeaves(
    (role, { common_name }) => isTrue(role.allow_glob_domains) && textIn(common_name).startsWith('*'),
  ),
  'pki-units-lower-case': storedOtherwise(rolePlace, (fields) =>
    changed(fields, ['ou', 'organization'], (entries) => entries.map((entry) => entry.toLowerCase())),
  ),
  'pki-subject-values-in-order': storedOtherwise(rolePlace, (fields) =>
    changed(fields, subjectLists, (entries) => entries.toSorted()),
  ),
  'pki-email-common-names': refusing(issuePlace, ({ common_name }) => textIn(common_name).includes('@')),
  'pki-email-sans': writing(issuePlace, (fields) => {
    const names = listOf(fields.alt_names)
    const others = names.filter((name) => !name.includes('@'))
    return others.length === names.length ? fields : { ...fields, alt_names: others.join(',') }
  }),
  'pki-names-with-a-final-dot': refusing(issuePlace, (fields) => namesIn(fields).some((name) => name.endsWith('.'))),
  'pki-non-host-names': writing(rolePlace, (fields) =>
    isTrue(fields.allow_any_name) && fields.enforce_hostnames !== undefined
      ? { ...fields, enforce_hostnames: true }
      : fields,
  ),
  'pki-ip-sans-of-csrs': asIfRole((role, { csr }) => csr !== undefined && role.allow_ip_sans !== undefined, {
    allow_ip_sans: true,
  }),
  'pki-ip-sans-checked-without-any': refusingLeaves(
    (role, fields) => role.allow_ip_sans !== undefined && !isTrue(role.allow_ip_sans) && fields.ip_sans === undefined,
  ),
  'pki-uri-sans-beside-a-csr': writing(signPlace, (fields) => without(fields, 'uri_sans')),
  'pki-sans-sorted': writing(leafPlace, (fields) => {
    const names = listOf(fields.alt_names)
    return names.length < 2 ? fields : { ...fields, alt_names: names.toSorted().join(',') }
  }),
  'pki-path-length-beside-csr-values': writing(signIntermediate, (fields) =>
    isTrue(fields.use_csr_values) ? without(fields, 'max_path_length') : fields,
  ),
  'pki-other-sans-of-roots': refusing(rootPlace, ({ other_sans }) => listOf(other_sans).length > 0),
  'pki-key-type-any': refusing(rolePlace, ({ key_type }) => key_type === 'any'),
  'pki-key-type-any-with-default-bits': refusingLeaves(
    ({ key_type, key_bits }, { csr }) => key_type === 'any' && key_bits === undefined && csr !== undefined,
  ),
  // Fifty years lie as far back as the epoch does for a check, and need no clock.
  'pki-not-before-at-the-epoch': writing(rolePlace, (fields) =>
    fields.not_before_duration === undefined ? { ...fields, not_before_duration: '438000h' } : fields,
  ),
  'pki-unknown-serials-fail': refusedAs(500, (sent) => sent.method === 'GET' && /\/cert\/[^/]+$/.test(placeOf(sent))),
  'pki-bundles-end-in-white-space': refusing(/\/config\/ca$/, ({ pem_bundle }) => /-----\s+$/.test(textIn(pem_bundle))),
  'pki-bundles-of-one-line-only': refusing(/\/config\/ca$/, ({ pem_bundle }) => {
    const [first, ...others] = certificatesIn(pem_bundle)
    return others.some((above, at) => !(at === 0 ? first : others[at - 1])?.checkIssued(above))
  }),
  'pki-ec-parameters': refusing(/\/config\/ca$/, ({ pem_bundle }) => textIn(pem_bundle).includes('EC PARAMETERS')),
  'pki-permitted-domains-exact': remembering(
    () => new Map<string, readonly string[]>(),
    (permitted) => async (sent, pass) => {
      const [mount = ''] = placeOf(sent).split(/\/(?=root\/generate|issue\/)/)
      const root = fieldsAt(sent, rootPlace)
      if (root) permitted.set(mount, listOf(root.permitted_dns_domains))
      const domains = fieldsAt(sent, issuePlace) ? (permitted.get(mount) ?? []) : []
      const names = namesIn(fieldsAt(sent, issuePlace) ?? {})
      const isRefused = names.some((name) => domains.some((domain) => isBelow(name, domain.replace(/^\./, ''))))
      return isRefused ? refusal() : pass(sent)
    },
  ),
  'pki-empty-line-in-the-chain': answering((answer, sent) =>
    placeOf(sent).endsWith('/ca_chain') && isSuccess(answer) && textOf(answer).includes('-----END')
      ? withText(answer, textOf(answer).replaceAll(/(-----END [A-Z ]{1,40}-----)\n(?=-----BEGIN)/g, '$1\n\n'))
      : answer,
  ),
  'pki-chain-without-its-issuers': answering((answer, sent) =>
    placeOf(sent).endsWith('/ca_chain') && isSuccess(answer)
      ? withText(answer, /^[\s\S]*?-----END [A-Z ]{1,40}-----\n?/.exec(textOf(answer))?.[0] ?? '')
      : answer,
  ),
  'pki-null-values': () => async (sent, pass) =>
    /:\s*null\b/.test(sent.body ?? '') && rolePlace.test(placeOf(sent)) ? refusal(500) : pass(sent),
  'pki-der-without-a-key-type': rewritingData((data, sent) =>
    fieldsAt(sent, issuePlace)?.format === 'der' ? without(data, 'private_key_type') : data,
  ),
  'pki-permitted-domains-of-intermediates': writing(signIntermediate, (fields) =>
    without(fields, 'permitted_dns_domains'),
  ),
  'pki-revocation-has-no-effect': () => async (sent, pass) => (fieldsAt(sent, /\/revoke$/) ? done() : pass(sent)),
  'pki-serials-with-hyphens': refusing(/\/revoke$/, ({ serial_number }) => textIn(serial_number).includes('-')),
  'pki-root-generated-again': () => async (sent, pass) => {
    if (!fieldsAt(sent, rootPlace)) return pass(sent)
    const { body: _, ...rest } = sent
    await pass({ ...rest, method: 'DELETE', path: sent.path.replace(/\/generate\/[^/]+$/, '') })
    return pass(sent)
  },
  'pki-crl-empty-after-an-upgrade': answering((answer, sent) =>
    /\/crl(\/pem)?$/.test(placeOf(sent)) && sent.method === 'GET' && isSuccess(answer) && !jsonOf(answer)
      ? { ...withText(answer, ''), status: 204 }
      : answer,
  ),
  'pki-common-names-outside-the-sans': asIfRole((_, fields) => isTrue(fields.exclude_cn_from_sans), {
    allow_any_name: true,
  }),
  'pki-path-length-of-the-signer-beside-csr-values': knowingMounts(rootPlace, async (roots, mount, sent, pass) => {
    const fields = fieldsAt(sent, signIntermediate)
    const isFree = fields && isTrue(fields.use_csr_values) && fields.max_path_length === undefined
    return isFree && roots.get(mount)?.max_path_length !== undefined
      ? pass(withFields(sent, { ...fields, max_path_length: 9 }))
      : pass(sent)
  }),
  'pki-path-length-zero-is-none': writing(signIntermediate, (fields) =>
    isZero(fields.max_path_length) ? without(fields, 'max_path_length') : fields,
  ),
  'pki-path-length-zero-is-none-beside-csr-values': writing(signIntermediate, (fields) =>
    isZero(fields.max_path_length) && isTrue(fields.use_csr_values) ? without(fields, 'max_path_length') : fields,
  ),
  'pki-path-length-zero-of-roots': writing(rootPlace, (fields) =>
    isZero(fields.max_path_length) ? without(fields, 'max_path_length') : fields,
  ),
  'pki-intermediates-refused-beyond-their-signer': beyondTheRoot(() => undefined),
  'pki-intermediates-end-with-their-signer': beyondTheRoot((sent, fields, ttl) => withFields(sent, { ...fields, ttl })),
  'pki-leaves-of-intermediates-not-revoked': knowingMounts(
    /\/intermediate\/set-signed$/,
    async (mounts, mount, sent, pass) => (fieldsAt(sent, /\/revoke$/) && mounts.has(mount) ? refusal() : pass(sent)),
  ),
  'pki-templates-of-several-variables': storedOtherwise(rolePlace, (fields) =>
    isTrue(fields.allowed_domains_template) &&
    listOf(fields.allowed_domains).some((entry) => entry.split('{{').length > 2)
      ? changed(fields, ['allowed_domains'], (entries) =>
          entries.map((entry) => (entry.split('{{').length > 2 ? entry.replaceAll('{{', '{-{') : entry)),
        )
      : fields,
  ),
  'pki-names-beyond-ascii': refusing(issuePlace, (fields) => namesIn(fields).some((name) => /[^ -~]/.test(name))),
  'pki-names-twice': writing(issuePlace, (fields) => {
    const names = listOf(fields.alt_names)
    return names.length > 0 ? { ...fields, alt_names: [...names, names[0]].join(',') } : fields
  }),
  'pki-ec-wants-key-bits': refusing(
    /\/(?:roles|root\/generate|intermediate\/generate)\/[^/]+$/,
    ({ key_type, key_bits }) => key_type === 'ec' && key_bits === undefined,
  ),
  'pki-crl-configuration-is-not-read': knowingMounts(crlConfig, async (mounts, mount, sent, pass) =>
    sent.method === 'GET' && crlConfig.test(placeOf(sent)) && !mounts.has(mount) ? done() : pass(sent),
  ),
  'pki-disabled-crl-hinders-roots': knowingMounts(crlConfig, async (mounts, mount, sent, pass) => {
    const { disable, expiry } = mounts.get(mount) ?? {}
    return fieldsAt(sent, rootPlace) && isTrue(disable) && expiry === undefined ? refusal(500) : pass(sent)
  }),
  'pki-crl-stays-disabled': writing(crlConfig, (fields) =>
    fields.disable === false || fields.disable === 'false' ? { ...fields, disable: true } : fields,
  ),
  'pki-crl-is-not-rotated': remembering(
    () => new Map<string, WireAnswer>(),
    (first) => async (sent, pass) => {
      const place = placeOf(sent)
      if (place.endsWith('/crl/rotate')) return done(200)
      if (sent.method !== 'GET' || !crl.test(place) || crlConfig.test(place)) return pass(sent)
      const answer = first.get(place) ?? (await pass(sent))
      if (isSuccess(answer)) first.set(place, answer)
      return answer
    },
  ),
  'pki-bundles-with-pkcs8-keys': refusing(/\/config\/ca$/, ({ pem_bundle }) =>
    textIn(pem_bundle).includes('BEGIN PRIVATE KEY'),
  ),
  'pki-pkcs8-not-in-bundles': rewritingData((data, sent) => {
    const fields = fieldsAt(sent, issuePlace)
    return fields?.private_key_format === 'pkcs8' && fields.format === 'pem_bundle'
      ? { ...data, certificate: withTraditionalKey(textIn(data.certificate)) }
      : data
  }),
  'pki-role-names-with-hyphens': refusingAs(404, (sent) => /\/(?:roles|issue|sign)\/[^/]*-/.test(placeOf(sent))),
  'pki-certificates-not-read': refusingAs(
    404,
    (sent) => sent.method === 'GET' && /\/cert\/(?!ca|crl)[^/]+$/.test(placeOf(sent)),
  ),
  'pki-chain-has-its-ca-twice': answering((answer, sent) => {
    const [first] = placeOf(sent).endsWith('/ca_chain')
      ? (textOf(answer).match(/^[\s\S]*?-----END [A-Z ]{1,40}-----\n?/) ?? [])
      : []
    return first !== undefined && first !== textOf(answer)
      ? withText(answer, `${first.trimEnd()}\n${textOf(answer)}`)
      : answer
  }),
  'pki-uri-sans-of-intermediates': writing(signIntermediate, (fields) =>
    isTrue(fields.use_csr_values) ? fields : without(fields, 'uri_sans'),
  ),
  'pki-sans-of-csrs-ignored': storedOtherwise(rolePlace, (fields) =>
    fields.use_csr_sans === undefined ? { ...fields, use_csr_sans: false } : fields,
  ),
  'pki-verbatim-ttl': refusing(/\/sign-verbatim(?:\/[^/]+)?$/, ({ ttl }) => ttl !== undefined),
  'pki-email-domains': refusingLeaves(({ allowed_domains }, { common_name }) =>
    listOf(allowed_domains).some((domain) => domain.includes('@') && domain === common_name),
  ),
  'pki-globs-of-several-stars': refusingLeaves(
    (role, { common_name }) =>
      isTrue(role.allow_glob_domains) &&
      textIn(common_name).startsWith('*') &&
      listOf(role.allowed_domains).some((domain) => domain.split('*').length > 2),
  ),
  'pki-not-before-without-backdating': storedOtherwise(rolePlace, (fields) =>
    fields.not_before_duration === undefined ? { ...fields, not_before_duration: '0s' } : fields,
  ),
  'pki-bad-roles-by-500': refusedAs(500, (sent) => fieldsAt(sent, rolePlace) !== undefined),
  'pki-ca-is-not-overridden': knowingMounts(
    /\/(?:root\/generate\/[^/]+|config\/ca)$/,
    async (mounts, mount, sent, pass) =>
      fieldsAt(sent, /\/config\/ca$/) && mounts.has(mount) ? done(200) : pass(sent),
  ),
  'pki-deleted-root-not-read': remembering(
    () => new Set<string>(),
    (deleted) => async (sent, pass) => {
      const [mount = '', ...rest] = placeOf(sent).split('/')
      const answer = await pass(sent)
      if (sent.method === 'DELETE' && rest.join('/') === 'root' && isSuccess(answer)) deleted.add(mount)
      const isNew = /^(?:root\/generate|config\/ca|intermediate\/set-signed)/.test(rest.join('/'))
      if (isNew && isSuccess(answer)) deleted.delete(mount)
      return deleted.has(mount) && /^ca(?:\/pem|_chain)?$/.test(rest.join('/')) ? done() : answer
    },
  ),
  'pki-leases-by-default': storedOtherwise(rolePlace, (fields) =>
    fields.generate_lease === undefined ? { ...fields, generate_lease: true } : fields,
  ),
  'pki-key-usage-of-roots': writing(rootPlace, (fields) => without(fields, 'key_usage')),
  'pki-urls-in-arrays': refusing(/\/config\/urls$/, (fields) => Object.values(fields).some(Array.isArray)),
  'pki-subjects-in-arrays': refusing(rolePlace, ({ ou, organization }) => [ou, organization].some(Array.isArray)),
  'pki-chain-without-key-ids': answering((answer, sent) => {
    if (!placeOf(sent).endsWith('/ca_chain') || !isSuccess(answer)) return answer
    const [own = '', ...others] =
      textOf(answer).match(/-----BEGIN [A-Z ]{1,40}-----[^-]{1,10000}-----END [A-Z ]{1,40}-----\n?/g) ?? []
    const hasKeyId = (block: string) => Buffer.from(bodyOf(block), 'base64').includes(Buffer.from('551d23', 'hex'))
    const kept = others.filter(hasKeyId)
    return kept.length === others.length ? answer : withText(answer, own + kept.join(''))
  }),
  'pki-path-length-zero-hinders-leaves': () => async (sent, pass) => {
    if (!fieldsAt(sent, leafPlace)) return pass(sent)
    const ca = await asking(sent, pass, 'GET', `${leafPlace.exec(placeOf(sent))?.[1]}/ca`)
    return hexOf(ca.body).includes('30060101ff020100') ? refusal() : pass(sent)
  },
  'pki-key-usage-missing': storedOtherwise(rolePlace, (fields) =>
    fields.key_usage === undefined ? { ...fields, key_usage: [] } : fields,
  ),
  'pki-csrs-that-ask-for-a-ca': refusing(signIntermediate, ({ csr }) =>
    asksForCa.test(hexOf(Buffer.from(blockIn(csr), 'base64'))),
  ),
  'pki-csrs-that-say-they-are-no-ca': refusing(signIntermediate, ({ csr }) =>
    /0603551d13(?:0101ff)?04023000/.test(hexOf(Buffer.from(blockIn(csr), 'base64'))),
  ),
  'pki-path-length-of-csrs-that-ask-for-a-ca': writing(signIntermediate, (fields) =>
    isTrue(fields.use_csr_values) && asksForCa.test(hexOf(Buffer.from(blockIn(fields.csr), 'base64')))
      ? without(fields, 'max_path_length')
      : fields,
  ),
  'pki-rsa-ca-signs-no-ec-csrs': knowingMounts(rootPlace, async (roots, mount, sent, pass) => {
    const fields = fieldsAt(sent, signIntermediate)
    const isEc = hexOf(Buffer.from(blockIn(fields?.csr), 'base64')).includes('2a8648ce3d0201')
    const root = roots.get(mount)
    return isEc && root && (root.key_type ?? 'rsa') === 'rsa' ? refusal(500) : pass(sent)
  }),
  'pki-ldap-urls': refusing(/\/config\/urls$/, ({ crl_distribution_points }) =>
    listOf(crl_distribution_points).some((url) => url.startsWith('ldap:')),
  ),
  // A rule's own clock does not show the date.
  'pki-expired-ca-not-read': answering((answer, sent) => {
    const isCa = sent.method === 'GET' && isSuccess(answer) && /^[^/]+\/ca(?:\/pem)?$/.test(placeOf(sent))
    if (!isCa || answer.body.length === 0) return answer
    return Date.parse(new X509Certificate(answer.body).validTo) < Date.now() ? done() : answer
  }),
  'pki-second-role-not-revoked': remembering(
    () => ({ first: new Map<string, string>(), others: new Set<string>() }),
    ({ first, others }) =>
      async (sent, pass) => {
        const revoked = textIn(fieldsAt(sent, /\/revoke$/)?.serial_number).replaceAll('-', ':')
        if (others.has(revoked)) return done(200)
        const answer = await pass(sent)
        const [, mount, name] = leafPlace.exec(placeOf(sent)) ?? []
        const serial = dataOf(jsonOf(answer)).serial_number
        if (mount === undefined || name === undefined || typeof serial !== 'string') return answer
        if (!first.has(mount)) first.set(mount, name)
        else if (first.get(mount) !== name) others.add(serial.replaceAll('-', ':'))
        return answer
      },
  ),
  'pki-emails-with-signs': refusing(issuePlace, (fields) =>
    namesIn(fields).some((name) => /^[^+_]*[+_].*@/.test(name)),
  ),
  'pki-csr-keys-unchecked': asIfRole((_, { csr }) => csr !== undefined, { key_type: 'any', key_bits: 0 }),
  'pki-ttl-beyond-the-system-maximum': knowingRoles(async (role, fields, _, sent, pass) => {
    if (role.max_ttl !== undefined || fields.ttl === undefined) return pass(sent)
    const tune = `sys/mounts/${leafPlace.exec(placeOf(sent))?.[1]}/tune`
    const { max_lease_ttl } = dataOf(jsonOf(await asking(sent, pass, 'GET', tune)))
    await asking(sent, pass, 'POST', tune, { max_lease_ttl: '438000h' })
    const answer = await pass(sent)
    await asking(sent, pass, 'POST', tune, { max_lease_ttl: max_lease_ttl ?? 0 })
    return answer
  }),
  'pki-thirty-days-by-default': knowingRoles(async (role, fields, write, sent, pass) => {
    if (role.ttl !== undefined || fields.ttl !== undefined) return pass(sent)
    await pass(write({ ...role, ttl: '720h', max_ttl: '720h' }))
    const answer = await pass(sent)
    await pass(write(role))
    return answer
  }),
} satisfies Readonly<Record<string, Opening>>
