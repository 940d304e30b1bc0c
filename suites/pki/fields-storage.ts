/** Checks of what a server stores about certificates. */
import type { Expectation, Scope } from '../../harness/vocabulary/index.ts'
import {
  check,
  fieldOf,
  isSuccess,
  keysOf,
  mismatch,
  next,
  notAsPrepared,
  notSuccess,
  post,
  refused,
  replyLacks,
  shortfall,
  shownBefore,
  unchanged,
} from '../../harness/vocabulary/index.ts'
import { sentTogether } from '../given.ts'
import { action, expectation } from '../records.ts'
import { issued, issuedSerial } from './given/certificates.ts'
import {
  crlPem,
  csr,
  issue,
  leafName,
  listedCerts,
  noneIssued,
  revoke,
  role,
  rooted,
  rootedWith,
  signer,
  signIntermediate,
  successOf,
} from './given/given.ts'
import { inTurn, issueUnder } from './given/in-turn.ts'
import { leaseField, leaseIn, leasesAreSeen } from './given/leases.ts'
import { readAgain, readable, readBySerial } from './given/reading.ts'
import { sign, signingIsServed, signPath } from './given/signing.ts'
import { certificateOf } from './judge/reply.ts'
import { isSerial, plainSerial } from './judge/serial.ts'
import { strict } from './names.ts'
import { crlStays, revokesOnly, soon } from './then/revocation.ts'
import { isOfSerial, issuedFor, refusedOr, subjectIs } from './then/then.ts'
import { topic } from './topic.ts'

const leased = (wanted: boolean) =>
  expectation(`${wanted ? 'a' : 'no'} lease is attached`, ({ reply, scope }) => {
    const has = leaseIn(reply, scope.value('lease')) !== undefined
    if (isSuccess(reply) && has === wanted) return undefined
    const saw = has ? 'a lease' : 'no lease'
    return shortfall(reply, scope.value('lease'), wanted ? 'a lease' : 'no lease', saw)
  })

const isNamed = (keys: readonly string[] | undefined, serial: string): boolean =>
  keys?.some((key) => plainSerial(key) === plainSerial(serial)) ?? false

/** The list contains the serial `{serial}`, in any format. */
const enumerated = expectation('the list names the serial', ({ reply, scope }) => {
  const keys = keysOf(reply)
  if (isNamed(keys, scope.value('serial'))) return undefined
  return shortfall(reply, 'keys', scope.value('serialTold'), keys?.join(', ') || 'none')
})
/** The list contains the serial `{other}` of a stored certificate, and not the serial `{serial}`. */
const notEnumerated = expectation(
  'the list names the serial of the certificate that is stored, and not that of the other',
  ({ reply, scope }) => {
    const keys = keysOf(reply)
    if (isNamed(keys, scope.value('serial')))
      return mismatch(reply, 'keys', `not ${scope.value('serialTold')}`, keys?.join(', '))
    if (isNamed(keys, scope.value('other'))) return undefined
    throw notAsPrepared(mismatch(reply, 'keys', scope.value('other'), keys?.join(', ') || 'none'), reply)
  },
)

const notStored: Expectation = {
  words: 'no certificate is read',
  judge: ({ reply }) => (certificateOf(reply) ? mismatch(reply, 'certificate', 'none', 'a certificate') : undefined),
}

/** Issues a certificate under a role with this `no_store`, and another certificate that is certainly stored. */
const besideStored = (noStore: boolean | undefined) => [
  ...rooted(),
  role({ no_store: noStore }),
  role({ no_store: false }, 'twin'),
  issued(),
  issued('other', issue({ common_name: 'other.example.com' }, 'twin')),
]
const unstored = besideStored(true)
const readBack = readBySerial()

const ofStorage = [
  check('certificates-are-stored-by-default', {
    requirement: 'pki.role.no-store.default',
    given: [...besideStored(undefined), readable('other')],
    when: readBack,
    then: [isOfSerial()],
  }),
  check('no-store-keeps-certificates-from-being-read', {
    requirement: 'pki.role.no-store.not-stored',
    given: [...unstored, readable('other')],
    when: readBack,
    then: [notStored],
    control: readAgain('other'),
  }),
  check('no-store-keeps-certificates-from-being-listed', {
    requirement: 'pki.role.no-store.not-enumerated',
    given: unstored,
    when: listedCerts,
    then: [notEnumerated],
  }),
  check('no-store-set-by-an-update-keeps-certificates-from-being-listed', {
    requirement: ['pki.role.no-store.not-enumerated', 'pki.roles.updated'],
    given: [
      ...rooted(),
      role({ no_store: false }),
      role({ no_store: true }),
      role({ no_store: false }, 'twin'),
      issued(),
      issued('other', issue({ common_name: 'other.example.com' }, 'twin')),
    ],
    when: listedCerts,
    then: [notEnumerated],
  }),
  check('no-store-ended-by-an-update-lets-certificates-be-listed', {
    requirement: ['pki.certs.issued', 'pki.roles.updated'],
    given: [...rooted(), role({ no_store: true }), role({ no_store: false }), issued()],
    when: listedCerts,
    then: [enumerated],
  }),
  check('no-store-stores-nothing-beside-generate-lease', {
    requirement: 'pki.role.no-store.not-enumerated',
    given: [
      ...rooted(),
      role({ no_store: false }, 'twin'),
      issued('serial', issue({ common_name: 'other.example.com' }, 'twin')),
      shownBefore(listedCerts, enumerated, 'pki/fields-storage/issued-certificate-is-listed'),
    ],
    // A server may refuse a role with both fields when it is written; then nothing is stored either.
    when: issueUnder({ no_store: true, generate_lease: true }),
    then: [unchanged(noneIssued)],
    control: issue({}, 'twin'),
  }),
  check('certificates-that-are-not-stored-do-not-come-into-the-crl', {
    requirement: 'pki.role.no-store.not-revoked',
    given: unstored,
    // A further revocation makes the server publish a CRL with the earlier one.
    when: inTurn(revoke(), revoke('{otherTold}')),
    then: [soon(crlPem, revokesOnly('{other}'))],
  }),
  check('no-store-keeps-certificates-from-being-revoked', {
    requirement: 'pki.role.no-store.revocation-refused',
    given: unstored,
    when: revoke(),
    then: [refused(crlStays)],
    control: revoke('{otherTold}'),
  }),
]

const ofLeases = [
  check('no-lease-is-attached-by-default', {
    requirement: 'pki.role.generate-lease.default',
    given: [...rootedWith(), ...leasesAreSeen],
    when: issue(),
    then: [leased(false)],
  }),
  check('lease-is-attached-to-an-issued-certificate', {
    requirement: 'pki.role.generate-lease.issued',
    given: [leaseField, ...rootedWith({ generate_lease: true })],
    when: issue(),
    then: [leased(true)],
  }),
  check('lease-is-attached-to-a-signed-certificate', {
    requirement: 'pki.role.generate-lease.signed',
    given: [
      leaseField,
      ...rootedWith(),
      csr({ key: 'ecLeaf', commonName: leafName }),
      ...signingIsServed('leaf'),
      signPath('leasing'),
      role({ generate_lease: true }, 'leasing'),
    ],
    when: sign({}, 'leasing'),
    then: [leased(true)],
  }),
  check('no-store-attaches-no-lease', {
    requirement: 'pki.role.no-store.no-lease',
    given: [...rooted(), role({ no_store: true }, 'twin'), ...leasesAreSeen],
    // A server may refuse a role with both fields when it is written; then no lease is attached either.
    when: issueUnder({ no_store: true, generate_lease: true }),
    then: [refusedOr(leased(false))],
    control: issue({}, 'twin'),
  }),
]

/** The request leaves out the common name: the documents do not say whether an empty one counts as a name. */
const nameless = (name = 'leaf') => post(`{mount}/issue/{use}${name}`, { alt_names: 'alt.example.com' })
const ofNames = [
  check('common-name-is-required-by-default', {
    requirement: ['pki.role.require-cn.default', 'pki.issue.common-name.required'],
    given: [...rootedWith(), role({ require_cn: false }, 'twin')],
    when: nameless(),
    then: [refused(noneIssued)],
    control: nameless('twin'),
  }),
  check('common-name-is-required', {
    requirement: ['pki.role.require-cn.on', 'pki.issue.common-name.required'],
    given: rootedWith({ require_cn: true }),
    when: nameless(),
    then: [refused(noneIssued)],
    control: issue({ alt_names: 'alt.example.com' }),
  }),
  check('common-name-can-be-required-by-an-update', {
    requirement: ['pki.role.require-cn.on', 'pki.roles.updated'],
    given: [...rootedWith({ require_cn: false }), nameless(), role({ require_cn: true })],
    when: nameless(),
    then: [refused(noneIssued)],
    control: issue({ alt_names: 'alt.example.com' }),
  }),
  check('common-name-can-be-made-optional-by-an-update', {
    requirement: ['pki.role.require-cn.off', 'pki.roles.updated'],
    given: [...rootedWith({ require_cn: true }), role({ require_cn: false })],
    when: nameless(),
    then: [issuedFor('alt.example.com')],
  }),
  check('common-name-can-be-optional', {
    requirement: 'pki.role.require-cn.off',
    given: [
      ...rootedWith({ ...strict, allowed_domains: ['example.com'], allow_subdomains: true, require_cn: false }),
      issue({ alt_names: 'alt.example.com' }),
    ],
    when: nameless(),
    then: [issuedFor('alt.example.com'), next(issue(), subjectIs('common_name', [leafName]))],
  }),
]

const listedSerials = async (scope: Scope): Promise<readonly string[]> => {
  const reply = await scope.send(listedCerts)
  const keys = keysOf(reply)
  if (!keys) throw replyLacks(reply, 'a list of names')
  return keys.map(plainSerial)
}
const oneMoreListed: Expectation = {
  words: 'the list of certificates has one more serial than before',
  touches: [listedCerts],
  before: listedSerials,
  async judge({ reply, scope }, before) {
    if (!isSuccess(reply)) return notSuccess(reply)
    const more = (await listedSerials(scope)).filter((serial) => !(before as readonly string[]).includes(serial))
    return more.length === 1 ? undefined : mismatch(reply, 'effect', 'one more serial', `${more.length} more serials`)
  },
}

/** A server could end its list after a number of entries, such as 100. */
const several = Array.from({ length: 105 }, () => issue())
const severalIssued = action(
  `${several.length} certificates are issued, with the serials \`serials\``,
  { touches: [issue()], provides: ['serials'] },
  async (scope) => {
    const replies = await sentTogether(scope, several)
    scope.save('serials', replies.map((reply) => issuedSerial(successOf(reply))).join(' '))
  },
)
const allEnumerated = expectation('the list names every serial', ({ reply, scope }) => {
  const keys = new Set(keysOf(reply)?.map(plainSerial))
  const lost = scope
    .value('serials')
    .split(' ')
    .filter((serial) => !keys.has(plainSerial(serial)))
  return lost.length === 0 ? undefined : shortfall(reply, 'keys', lost.join(', '), `${keys.size} other keys`)
})

const ofCerts = [
  check('issued-certificate-is-listed', {
    requirement: 'pki.certs.issued',
    given: [...rootedWith(), issued()],
    when: listedCerts,
    then: [enumerated],
  }),
  check('each-of-several-certificates-is-listed', {
    requirement: 'pki.certs.issued',
    // All have the same common name, because the list must distinguish certificates by their serials.
    given: [...rootedWith(), severalIssued],
    when: listedCerts,
    then: [allEnumerated],
  }),
  check('list-of-certificates-names-serials-only', {
    requirement: 'pki.certs.serials-only',
    given: [...rootedWith(), issued()],
    when: listedCerts,
    then: [
      expectation('each key is a serial', ({ reply }) => {
        const keys = keysOf(reply) ?? []
        const other = keys.filter((key) => !isSerial(key))
        if (keys.length > 0 && other.length === 0) return undefined
        return shortfall(reply, 'keys', 'serials only', keys.join(', ') || 'none')
      }),
    ],
  }),
  ...(
    [
      ['issue', [...rootedWith(), issue()], issue()],
      [
        'sign-intermediate',
        [...signer, csr({ key: 'ecLeaf', commonName: 'csr.example' })],
        signIntermediate({ use_csr_values: false }),
      ],
    ] as const
  ).map(([maker, given, when]) =>
    check(`${maker}-makes-one-certificate`, { requirement: `pki.${maker}.one`, given, when, then: [oneMoreListed] }),
  ),
  check('issued-certificate-is-read-back', {
    requirement: 'pki.cert.of-serial',
    given: [...rootedWith(), issued()],
    when: readBack,
    then: [
      expectation('`certificate` is the issued one, in PEM', ({ reply, scope }) => {
        const text = fieldOf(reply, 'certificate')
        const found = certificateOf(reply)
        const isPem = typeof text === 'string' && text.includes('-----BEGIN CERTIFICATE-----')
        if (found && isPem && plainSerial(found.serial) === plainSerial(scope.value('serial'))) return undefined
        const saw = found ? `serial ${found.serial}, ${isPem ? 'PEM' : 'no PEM'}` : 'none'
        return shortfall(reply, 'certificate', `PEM of serial ${scope.value('serial')}`, saw)
      }),
    ],
  }),
]

export default topic('pki/fields-storage', {
  about:
    'What the server stores about a certificate (itself, its serial, a lease), and the required fields of a request.',
  checks: [...ofStorage, ...ofLeases, ...ofNames, ...ofCerts],
})
