/** Checks that roles are written, read, listed and deleted. */
import type { Check, Expectation, Json, JsonObject, Reply } from '../../harness/vocabulary/index.ts'
import {
  check,
  DoesNotApply,
  del,
  fieldOf,
  get,
  isRefusal,
  isSuccess,
  keyed,
  keysOf,
  list,
  mismatch,
  next,
  notAsPrepared,
  notKeyed,
  notRefusal,
  notSuccess,
  refused,
  shortfall,
  shown,
} from '../../harness/vocabulary/index.ts'
import { attempted, sentTogether } from '../given.ts'
import { listMethodCheck } from '../list-method.ts'
import { action, expectation } from '../records.ts'
import { issue, leafName, mounted, noneIssued, role, rooted, rootedWith, successOf } from './given/given.ts'
import { usageOids } from './judge/usage-oids.ts'
import {
  basicConstraintsOfLeaf,
  extKeyUsageIs,
  ipSansAre,
  keyUsageIs,
  policiesAre,
  uriSansAre,
} from './then/extensions.ts'
import { backdatedBy, livesFor, neverLonger } from './then/lifetimes.ts'
import { certificate, issuedFor, keyIs, subjectIs } from './then/then.ts'
import { topic } from './topic.ts'

const read = get('{mount}/roles/{use}leaf')
const deleted = del('{mount}/roles/{use}leaf')
const listed = list('{mount}/roles')

/** A server could end its list after a number of entries, such as 100. */
const many = Array.from({ length: 105 }, (_, at) => `many${at}`)
const manyWritten = many.map((name) => role({}, name))
const manyRoles = action(
  `${many.length} roles are written, some of them at the same time`,
  { touches: manyWritten.slice(0, 1) },
  async (scope) => {
    for (const reply of await sentTogether(scope, manyWritten)) successOf(reply)
  },
)
const listsEach = (names: readonly string[]) =>
  expectation(`the list names each of ${names.length} roles`, ({ reply }) => {
    const keys = new Set(keysOf(reply))
    const lost = names.filter((name) => !keys.has(name))
    return lost.length === 0 ? undefined : shortfall(reply, 'keys', lost.join(', '), `${keys.size} other keys`)
  })

/** The list has the role `there`, and not the deleted role `gone`. */
const listsOnly = (there: string, gone: string) =>
  expectation(`the list names \`${there}\` and not \`${gone}\``, (seen, before) => {
    const found = notKeyed(gone).judge(seen, before)
    if (found || keysOf(seen.reply)?.includes(there)) return found
    return mismatch(
      seen.reply,
      'keys',
      `\`${there}\`, which was not deleted`,
      keysOf(seen.reply)?.join(', ') || 'no keys',
    )
  })

const [mine, others, known] = ['Org Of This Role', 'Org Of Another', 'Org By Which It Is Known']
/** The documents leave open which fields a read shows (reading 25), so a role is recognized by a value that only it
 * has. */
const showsOwn = expectation(`what is shown is of this role, not of another`, ({ reply }) => {
  if (!isSuccess(reply)) return notSuccess(reply)
  const field = fieldOf(reply, 'organization')
  if (reply.text.includes(others)) return mismatch(reply, 'body', mine, others)
  if (field !== undefined && !JSON.stringify(field).includes(mine))
    return mismatch(reply, 'organization', mine, shown(field))
  if (reply.text.includes(mine)) return undefined
  throw DoesNotApply.shown(reply, `${reply.asked} shows nothing by which roles could be told apart`)
})

/** The fields of the role table by which a role is recognized; other fields of a reply do not matter. */
const ofRoles = [
  'ttl',
  'max_ttl',
  'allow_localhost',
  'allowed_domains',
  'allow_any_name',
  'enforce_hostnames',
  'key_type',
  'key_bits',
  'organization',
] as const
const isNothing = (value: Json | undefined): boolean => !value || (Array.isArray(value) && value.length === 0)
const showsRole = (reply: Reply): boolean =>
  reply.text.includes(known) || ofRoles.some((name) => !isNothing(fieldOf(reply, name)))

/** Saves as `{shown}` whether a read of `leaf` shows something; if it does not, an empty read later proves nothing. */
const seenBefore = action('the role `leaf` is read', { touches: [read], provides: ['shown'] }, async (scope) => {
  scope.save('shown', showsRole(successOf(await scope.send(read))) ? 'something' : 'nothing')
})
/** The request is refused, or succeeds and shows no role (reading 55). */
const showsNoRole = expectation('the request is refused, or shows no role', ({ reply, scope }) => {
  if (isRefusal(reply)) return undefined
  if (!isSuccess(reply) || showsRole(reply)) return notRefusal(reply)
  if (scope.value('shown') === 'something') return undefined
  throw DoesNotApply.shown(reply, 'reading a role succeeds and shows nothing, whether the role is there or not')
})

/** The list has no other names. Another check judges that each of these names is listed. */
const listsNothingBut = (names: readonly string[]) =>
  expectation(`the list names only ${names.join(', ')}`, ({ reply }) => {
    const keys = keysOf(reply) ?? []
    const others = keys.filter((key) => !names.includes(key))
    if (others.length > 0) return mismatch(reply, 'keys', `only ${names.join(', ')}`, keys.join(', '))
    if (keys.length > 0) return undefined
    throw notAsPrepared(mismatch(reply, 'keys', names.join(', '), 'none'), reply)
  })

const [hour, ip, uri] = [3600, '192.0.2.7', 'https://example.org/after']
const [beforePolicy, afterPolicy] = ['1.3.6.1.4.1.55555.1', '1.3.6.1.4.1.55555.2']

const noFlags = { server_flag: false, client_flag: false }

interface Update {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly asks?: JsonObject
  readonly then: Expectation
}

/** After the update, a certificate has the new value of the role, and no longer the old one. */
const changes: Readonly<Record<string, Update>> = {
  ou: { before: { ou: ['Before'] }, after: { ou: ['After'] }, then: subjectIs('ou', ['After']) },
  'postal-code': {
    before: { postal_code: '01111' },
    after: { postal_code: '02222' },
    then: subjectIs('postal_code', ['02222']),
  },
  'where-the-subject-is': {
    before: { country: 'BE', locality: 'Before', province: 'Before', street_address: 'Before' },
    after: { country: 'NL', locality: 'After', province: 'After', street_address: 'After' },
    then: certificate('subject', 'that of the update', ({ subject }) =>
      subject.country?.join() === 'NL' &&
      ['locality', 'province', 'street_address'].every((one) => subject[one]?.join() === 'After')
        ? undefined
        : JSON.stringify(subject),
    ),
  },
  'key-bits': {
    before: { key_type: 'ec', key_bits: 256 },
    after: { key_type: 'ec', key_bits: 384 },
    then: keyIs('ec', 384),
  },
  'flags-and-oids': {
    before: { server_flag: true, client_flag: true, ext_key_usage_oids: [beforePolicy] },
    after: { ...noFlags, code_signing_flag: true, email_protection_flag: true, ext_key_usage_oids: [afterPolicy] },
    then: extKeyUsageIs([usageOids.CodeSigning, usageOids.EmailProtection, afterPolicy]),
  },
  'flags-back': {
    before: { ...noFlags, code_signing_flag: true, email_protection_flag: true },
    after: { server_flag: true, client_flag: true, code_signing_flag: false, email_protection_flag: false },
    then: extKeyUsageIs([usageOids.ServerAuth, usageOids.ClientAuth]),
  },
  'basic-constraints': {
    before: { basic_constraints_valid_for_non_ca: false },
    after: { basic_constraints_valid_for_non_ca: true },
    then: basicConstraintsOfLeaf,
  },
  'key-usage': {
    before: { key_usage: ['DigitalSignature'] },
    after: { key_usage: ['KeyEncipherment'] },
    then: keyUsageIs(['KeyEncipherment']),
  },
  'policy-identifiers': {
    before: { policy_identifiers: [beforePolicy] },
    after: { policy_identifiers: [afterPolicy] },
    then: policiesAre([afterPolicy]),
  },
  'key-type': {
    before: { key_type: 'rsa', key_bits: 2048 },
    after: { key_type: 'ec', key_bits: 256 },
    then: keyIs('ec', 256),
  },
  'server-flag': {
    before: { server_flag: true, client_flag: true },
    after: { server_flag: false, client_flag: true },
    then: extKeyUsageIs([usageOids.ClientAuth]),
  },
  'ext-key-usage': {
    before: { ...noFlags, ext_key_usage: ['EmailProtection'] },
    after: { ...noFlags, ext_key_usage: ['TimeStamping'] },
    then: extKeyUsageIs([usageOids.TimeStamping]),
  },
  ttl: { before: { ttl: '2h' }, after: { ttl: '3h' }, then: livesFor(3 * hour) },
  'max-ttl': {
    before: { max_ttl: '5h' },
    after: { max_ttl: '7200s' },
    asks: { ttl: '4h' },
    then: neverLonger(2 * hour),
  },
  'not-before-duration': {
    before: { not_before_duration: '10m' },
    after: { not_before_duration: '5m' },
    then: backdatedBy(300, hour),
  },
}

const named = (...domains: string[]): JsonObject => ({
  allow_any_name: false,
  allow_localhost: false,
  allow_bare_domains: true,
  allowed_domains: domains,
})

/** After the update the role allows what it denied before. */
const grants: Readonly<Record<string, Update>> = {
  'allowed-domains': { before: named('before.example.com'), after: named(leafName), then: issuedFor(leafName) },
  'allow-ip-sans': {
    before: { allow_ip_sans: false },
    after: { allow_ip_sans: true },
    asks: { ip_sans: ip },
    then: ipSansAre([ip]),
  },
  'allowed-uri-sans': {
    before: { allowed_uri_sans: ['https://example.org/before'] },
    after: { allowed_uri_sans: [uri] },
    asks: { uri_sans: uri },
    then: uriSansAre([uri]),
  },
}

type Withdrawal = Omit<Update, 'then'> & { readonly requirement?: string }

/** After the update the role denies what it allowed before. */
const withdrawals: Readonly<Record<string, Withdrawal>> = {
  'an-allowed-domain': { before: named(leafName), after: named('after.example.com') },
  'any-name': { before: {}, after: named('after.example.com') },
  'bare-domains': { before: named(leafName), after: { ...named(leafName), allow_bare_domains: false } },
  subdomains: {
    before: { ...named('example.com'), allow_subdomains: true },
    after: { ...named('example.com'), allow_subdomains: false },
  },
  globs: {
    before: { ...named('leaf*.com'), allow_glob_domains: true },
    after: { ...named('leaf*.com'), allow_glob_domains: false },
  },
  localhost: {
    before: { ...named('example.com'), allow_localhost: true },
    after: named('example.com'),
    asks: { common_name: 'localhost' },
  },
  wildcards: {
    before: { allow_wildcard_certificates: true },
    after: { allow_wildcard_certificates: false },
    asks: { common_name: '*.example.com' },
  },
  'names-that-are-no-host-names': {
    before: { enforce_hostnames: false },
    after: { enforce_hostnames: true },
    asks: { common_name: 'no host.example.com' },
  },
  'ip-sans': { before: { allow_ip_sans: true }, after: { allow_ip_sans: false }, asks: { ip_sans: ip } },
  'a-uri-san': {
    before: { allowed_uri_sans: [uri] },
    after: { allowed_uri_sans: ['https://example.org/another'] },
    asks: { uri_sans: uri },
  },
  'every-uri-san': {
    // A faulty server may treat an empty list as a missing field, and keep the old value.
    requirement: 'pki.roles.update-empties',
    before: { allowed_uri_sans: [uri] },
    after: { allowed_uri_sans: [] },
    asks: { uri_sans: uri },
  },
  'a-custom-san': {
    // The document does not say that `allowed_other_sans` may be an array.
    before: { allowed_other_sans: `${beforePolicy};UTF8:one` },
    after: { allowed_other_sans: `${beforePolicy};UTF8:two` },
    asks: { other_sans: `${beforePolicy};UTF8:one` },
  },
}

/** These updates withdraw what an update in the other direction grants. */
const reversed = [
  ...['any-name', 'bare-domains', 'subdomains', 'globs', 'localhost', 'wildcards'],
  'names-that-are-no-host-names',
] as const

const updates: readonly Check[] = [
  ...Object.entries({ ...changes, ...grants }).map(([id, { before, after, asks, then }]) =>
    check(`role-update-changes-${id}`, {
      requirement: 'pki.roles.updated',
      // A server could keep what it made of the role for the first certificate.
      given: [...rooted(), role(before), attempted(issue(asks))],
      when: role(after),
      then: [next(issue(asks), then)],
    }),
  ),
  ...reversed.map((id) => {
    const { before, after, asks } = withdrawals[id] as Withdrawal
    const asked = typeof asks?.common_name === 'string' ? asks.common_name : leafName
    return check(`role-update-grants-${id}`, {
      requirement: 'pki.roles.updated',
      given: [...rooted(), role(after)],
      when: role(before),
      then: [next(issue(asks), issuedFor(asked))],
    })
  }),
  ...Object.entries(withdrawals).map(([id, { requirement = 'pki.roles.updated', before, after, asks }]) =>
    check(`role-update-withdraws-${id}`, {
      requirement,
      given: [...rooted(), role(before), issue(asks)],
      when: role(after),
      then: [next(issue(asks), refused(noneIssued))],
    }),
  ),
]

/** A role of the same name on a further mount. */
const roleOnTwin = [mounted({ as: 'twin' }), role({ organization: others }, 'leaf', '{twin}')]

export default topic('pki/transitions-roles', {
  about: 'Writing, reading, listing and deleting roles.',
  names: ['mount', 'twin'],
  checks: [
    check('role-is-created-under-its-name', {
      requirement: ['pki.roles.created', 'pki.spelling.written-default'],
      given: rooted(),
      when: role({}, 'web-server'),
      then: [next(issue({}, 'web-server'), issuedFor(leafName))],
    }),
    check('role-update-takes-effect', {
      requirement: ['pki.roles.updated', 'pki.spelling.escaped-name'],
      given: rootedWith({ organization: 'Before' }),
      when: role({ organization: 'After' }),
      then: [next(issue(), subjectIs('organization', ['After']))],
    }),
    check('role-that-does-not-exist-is-not-read', {
      requirement: 'pki.roles.read',
      given: [mounted(), role({ organization: known }), seenBefore],
      when: get('{mount}/roles/{use}lea'),
      then: [showsNoRole],
      control: read,
    }),
    check('role-is-read-as-itself', {
      requirement: 'pki.roles.read.own-fields',
      given: [
        mounted(),
        role({ organization: others }, 'other'),
        role({ organization: others }),
        role({ organization: mine }),
      ],
      when: read,
      then: [showsOwn],
    }),
    check('writing-a-role-leaves-another', {
      requirement: 'pki.roles.write.spares-others',
      given: [...rooted(), role({ organization: others }, 'other'), ...roleOnTwin],
      when: role({ organization: mine }),
      then: [next(issue({}, 'other'), subjectIs('organization', [others]))],
    }),
    check('deleting-a-role-leaves-another', {
      requirement: 'pki.roles.deleted.spares-others',
      given: [...rootedWith(), role({ organization: others }, 'leaf-more'), ...roleOnTwin],
      when: deleted,
      then: [next(issue({}, 'leaf-more'), subjectIs('organization', [others]))],
    }),
    listMethodCheck('pki', {
      given: [mounted(), role()],
      listing: listed,
      names: keyed('leaf'),
      restsOn: 'pki/transitions-roles/role-is-listed',
    }),
    check('role-is-listed', {
      requirement: 'pki.roles.listed',
      given: [mounted(), role({}, 'other'), role()],
      when: listed,
      then: [keyed('leaf'), keyed('other')],
    }),
    check('each-of-many-roles-is-listed', {
      requirement: 'pki.roles.listed',
      given: [mounted(), manyRoles],
      when: listed,
      then: [listsEach(many)],
    }),
    check('list-of-roles-names-roles-only', {
      requirement: 'pki.roles.names-only',
      given: [mounted(), role({}, 'other'), role()],
      when: listed,
      then: [listsNothingBut(['leaf', 'other'])],
    }),
    check('deleted-role-is-not-listed', {
      requirement: 'pki.roles.listed',
      // A server could keep the list that it made for an earlier request.
      given: [mounted(), role({}, 'leaf-more'), role(), attempted(listed)],
      when: deleted,
      then: [next(listed, listsOnly('leaf-more', 'leaf'))],
    }),
    check('deleted-role-is-not-read', {
      requirement: 'pki.roles.deleted.unread',
      given: [mounted(), role({ organization: known }), seenBefore],
      when: deleted,
      then: [next(read, showsNoRole)],
    }),
    check('deleted-role-issues-nothing', {
      requirement: 'pki.roles.deleted.unused',
      given: [...rootedWith(), issue()],
      when: deleted,
      then: [next(issue(), refused(noneIssued))],
    }),
    check('role-created-again-allows-nothing-of-before', {
      requirement: ['pki.roles.deleted.unused', 'pki.role.allowed-domains.default'],
      given: [...rooted(), role(named(leafName)), issue(), deleted],
      when: role({ ...named(), allowed_domains: undefined }),
      then: [next(issue(), refused(noneIssued))],
    }),
    check('role-that-does-not-exist-issues-nothing', {
      requirement: 'pki.issue.named-role',
      given: rootedWith(),
      when: issue({}, 'absent'),
      then: [refused(noneIssued)],
      control: issue(),
    }),
    ...updates,
  ],
})
