/** The public bugs of certificate authority engines, as rules on the wire. */
import type { DifferentServer, JsonObject, WireSent } from '../../harness/vocabulary/index.ts'
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
import { fieldsAt, isTrue, listOf, refusedAs, refusing, textIn, withFields, without, writing } from './rules.ts'

const rolePlace = /^(.+)\/roles\/([^/]+)$/
const issuePlace = /\/issue\/[^/]+$/
const leafPlace = /^(.+)\/(?:issue|sign)\/([^/]+)$/
const signPlace = /\/sign\/[^/]+$/
const signIntermediate = /\/root\/sign-intermediate$/
const rootPlace = /\/root\/generate\/[^/]+$/

/** All names that a request asks for. */
const namesIn = (fields: JsonObject): readonly string[] => [...listOf(fields.common_name), ...listOf(fields.alt_names)]

/** Keeps the fields of each role, and lets `serve` answer requests for leaf certificates. */
const knowingRoles = (
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
      const written = fieldsAt(sent, rolePlace)
      if (written) {
        const answer = await pass(sent)
        if (isSuccess(answer)) roles.set(place, { fields: written, sent })
        return answer
      }
      const [, mount, name] = leafPlace.exec(place) ?? []
      const role = mount === undefined ? undefined : roles.get(`${mount}/roles/${name}`)
      const fields = fieldsAt(sent, leafPlace)
      if (!role || !fields) return pass(sent)
      return serve(role.fields, fields, (changed) => withFields(role.sent, changed), sent, pass)
    },
  )

/** Makes a server that serves a refused request for a leaf certificate as if the role had other fields. */
const asIfRole = (isMeant: (role: JsonObject, fields: JsonObject) => boolean, other: JsonObject): Opening =>
  knowingRoles(async (role, fields, write, sent, pass) => {
    const answer = await pass(sent)
    if (!isRefusal(answer) || !isMeant(role, fields)) return answer
    await pass(write({ ...role, ...other }))
    const served = await pass(sent)
    await pass(write(role))
    return served
  })

/** Makes a server that refuses some requests for leaf certificates by their role. */
const refusingLeaves = (isMeant: (role: JsonObject, fields: JsonObject, sent: WireSent) => boolean): Opening =>
  knowingRoles(async (role, fields, _, sent, pass) => (isMeant(role, fields, sent) ? refusal() : pass(sent)))

const endsInOtherCase = (name: string, domain: string): boolean =>
  name.toLowerCase().endsWith(domain.toLowerCase()) && !name.endsWith(domain)

const isBelow = (name: string, domain: string): boolean => name.endsWith(`.${domain}`)

/** Shows the fields of a role as they were written, although the server stored others. */
const storedOtherwise = (change: (fields: JsonObject) => JsonObject): Opening =>
  remembering(
    () => new Map<string, JsonObject>(),
    (shown) => async (sent, pass) => {
      const fields = fieldsAt(sent, rolePlace)
      if (fields) {
        const changed = change(fields)
        const own = Object.entries(fields).filter(([name, value]) => changed[name] !== value)
        shown.set(placeOf(sent), Object.fromEntries(own))
        return pass(own.length > 0 ? withFields(sent, changed) : sent)
      }
      const before = sent.method === 'GET' ? shown.get(placeOf(sent)) : undefined
      const answer = await pass(sent)
      if (!before || Object.keys(before).length === 0) return answer
      return rewritingData((data) => ({ ...data, ...before }))({ now: () => 0, wait: async () => {} })(
        sent,
        async () => answer,
      )
    },
  )

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
  'pki-units-lower-case': storedOtherwise((fields) =>
    changed(fields, ['ou', 'organization'], (entries) => entries.map((entry) => entry.toLowerCase())),
  ),
  'pki-subject-values-in-order': storedOtherwise((fields) =>
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
  'pki-revocation-has-no-effect': () => async (sent, pass) =>
    fieldsAt(sent, /\/revoke$/) ? { status: 204, headers: {}, body: new Uint8Array() } : pass(sent),
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
} satisfies Readonly<Record<string, Opening>>
