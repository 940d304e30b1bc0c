/** Checks of revocation and its list. */
import type { Action, Check, Expectation, Step } from '../../harness/vocabulary/index.ts'
import {
  check,
  DoesNotApply,
  del,
  field,
  fieldOf,
  get,
  isSuccess,
  matcher,
  next,
  post,
  reads,
  refused,
  replyLacks,
} from '../../harness/vocabulary/index.ts'
import { atOnce } from '../given.ts'
import { secondsIn, truth } from '../numbers.ts'
import { action } from '../records.ts'
import { issued, unknownSerial } from './given/certificates.ts'
import {
  configCrl,
  crlDer,
  crlPem,
  crlRead,
  csr,
  deleteRoot,
  generateIntermediate,
  issue,
  longRoot,
  mounted,
  revoke,
  role,
  rooted,
  rootedWith,
  signer,
  signIntermediate,
} from './given/given.ts'
import { inTurn } from './given/in-turn.ts'
import { crlInTime, leasedCertificate, revokeLease } from './given/leases.ts'
import { crlThere, listThere } from './given/lists.ts'
import { readAgain, readable } from './given/reading.ts'
import { disable, enable, revoked, revokedOne } from './given/revocations.ts'
import { revocationListOf } from './judge/reply.ts'
import {
  crlStays,
  isEmptyList,
  isNewerThan,
  isNoNewerThan,
  isStructuredList,
  listSignedBy,
  madeAt,
  revokes,
  revokesEach,
  revokesOnly,
  soon,
  validForHours,
} from './then/revocation.ts'
import { isOfSerial } from './then/then.ts'
import { topic } from './topic.ts'

const issuedTwo: readonly Step[] = [
  ...rootedWith(),
  issued('first'),
  issued('serial', issue({ common_name: 'second.example.com' })),
]

/** Several certificates, since a faulty server may cut its list after a few entries. Each other one has another role. */
const many = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const
const manyIssued: readonly Step[] = [
  ...rootedWith(),
  role({}, 'twin'),
  ...many.map((as, at) => issued(as, issue({ common_name: `${as}.example.com` }, at % 2 === 0 ? 'leaf' : 'twin'))),
]

const revoking: readonly Check[] = [
  check('revoked-certificate-is-in-the-crl', {
    requirement: ['pki.state.revoke.revoked', 'pki.config-crl.disable.default'],
    given: [...rootedWith(), issued()],
    when: revoke(),
    then: [soon(crlPem, revokes())],
  }),
  check('later-revocation-is-in-the-crl', {
    requirement: 'pki.state.revoke.each',
    given: [...issuedTwo, revoked('{firstTold}')],
    when: revoke(),
    then: [soon(crlPem, revokes())],
  }),
  check('earlier-revocation-stays-in-the-crl', {
    requirement: 'pki.state.revoke.each',
    given: [...issuedTwo, revoked('{firstTold}')],
    when: revoke(),
    then: [soon(crlPem, revokes('{first}'))],
  }),
  check('each-of-many-revocations-is-in-the-crl', {
    requirement: 'pki.state.revoke.each',
    given: [...manyIssued, ...many.slice(0, -1).map((as) => revoked(`{${as}Told}`))],
    when: revoke(`{${many.at(-1)}Told}`),
    then: [soon(crlPem, revokes(`{${many[0]}}`)), soon(crlPem, revokes(`{${many.at(-1)}}`))],
  }),
  check('revocations-at-the-same-time-are-both-in-the-crl', {
    requirement: 'pki.state.revoke.each',
    given: issuedTwo,
    when: atOnce(revoke('{firstTold}'), revoke()),
    then: [soon(crlPem, revokesEach(['{first}', '{serial}']))],
  }),
  check('signed-intermediate-can-be-revoked', {
    requirement: 'pki.state.revoke.intermediates',
    given: [...signer, csr({ key: 'ecLeaf', commonName: 'csr.example' }), issued('serial', signIntermediate())],
    when: revoke(),
    then: [soon(crlPem, revokes())],
  }),
  check('unknown-serial-does-not-come-into-the-crl', {
    requirement: 'pki.state.revoke.known-only',
    given: [...rootedWith(), issued(), unknownSerial('unknown')],
    when: inTurn(revoke('{unknown}'), revoke()),
    then: [soon(crlPem, revokesOnly('{serial}', '{unknown}'))],
  }),
  check('unknown-serial-cannot-be-revoked', {
    requirement: 'pki.state.revoke.unknown-refused',
    given: [...rootedWith(), issued(), unknownSerial('unknown')],
    when: revoke('{unknown}'),
    then: [refused(crlStays)],
    control: revoke(),
  }),
  check('revocation-needs-a-serial', {
    requirement: 'pki.revoke.serial-number.required',
    given: [...rootedWith(), issued()],
    when: post('{mount}/revoke', {}),
    then: [refused(crlStays)],
    control: revoke(),
  }),
  check('serial-may-have-colons', {
    requirement: 'pki.revoke.serial-number.colons',
    given: [...rootedWith(), issued()],
    when: revoke('{serialColons}'),
    then: [soon(crlPem, revokes())],
  }),
  check('serial-may-have-hyphens', {
    requirement: 'pki.revoke.serial-number.hyphens',
    given: [...rootedWith(), issued()],
    when: revoke('{serialHyphens}'),
    then: [soon(crlPem, revokes())],
  }),
  check('deleting-a-role-revokes-nothing', {
    requirement: 'pki.state.role-delete.revokes-nothing',
    // The end of a lease would revoke its certificate. A further revocation makes the server publish a CRL with the earlier one.
    given: [
      ...issuedTwo,
      role({ generate_lease: true }),
      issued('leased', issue({ common_name: 'leased.example.com' })),
      del('{mount}/roles/{use}leaf'),
    ],
    when: revoke('{firstTold}'),
    then: [soon(crlPem, revokesOnly('{first}', '{serial}', '{leased}'))],
  }),
  check('revocation-leaves-another-certificate-of-the-same-name', {
    requirement: 'pki.state.revoke.this-only',
    given: [...rootedWith(), issued(), issued('other')],
    when: revoke('{otherTold}'),
    then: [soon(crlPem, revokesOnly('{other}'))],
  }),
  check('revoked-certificate-is-read-by-its-serial', {
    requirement: 'pki.cert.of-revoked',
    given: [...rootedWith(), issued(), readable(), revoked()],
    when: readAgain(),
    then: [isOfSerial()],
  }),
  check('certificate-of-a-deleted-role-can-be-revoked', {
    requirement: 'pki.state.revoke.revoked',
    // A lease is no reason to refuse a serial, because the document has revocation by serial as the alternative to it.
    given: [...rootedWith({ generate_lease: true }), issued(), del('{mount}/roles/{use}leaf')],
    when: revoke(),
    then: [soon(crlPem, revokes())],
  }),
  check('revoking-a-lease-revokes-the-certificate', {
    requirement: 'pki.revoke.lease',
    given: [...rooted(), ...leasedCertificate, revokeLease],
    when: crlInTime,
    then: [revokes()],
  }),
]

const disabling: readonly Check[] = [
  check('disabled-crl-is-empty-as-der', {
    requirement: 'pki.state.crl-disabled.empty',
    given: revokedOne,
    when: disable,
    then: [soon(crlDer, isEmptyList)],
  }),
  check('disabled-crl-is-empty-as-pem', {
    requirement: 'pki.state.crl-disabled.empty',
    given: revokedOne,
    when: disable,
    then: [soon(crlPem, isEmptyList)],
  }),
  check('disabled-crl-is-signed', {
    requirement: 'pki.state.crl-disabled.signed',
    given: revokedOne,
    when: disable,
    then: [next(crlDer, listSignedBy('ca'))],
  }),
  ...([crlDer, crlPem] as const).map((read) =>
    check(`revocation-leaves-a-disabled-${read === crlDer ? 'crl' : 'crl-in-pem'}-empty`, {
      requirement: ['pki.state.crl-disabled.empty', 'pki.state.crl-disabled.recorded'],
      given: [...revokedOne, disable, issued('other', issue({ common_name: 'other.example.com' }))],
      when: revoke('{otherTold}'),
      then: [soon(read, isEmptyList)],
    }),
  ),
  check('enabled-crl-holds-what-was-revoked-before', {
    requirement: ['pki.state.crl-enabled.rebuilt', 'pki.state.crl-disabled.recorded'],
    given: [...revokedOne, disable],
    when: enable,
    then: [soon(crlDer, revokes())],
  }),
  check('enabled-crl-holds-what-was-revoked-meanwhile', {
    requirement: ['pki.state.crl-enabled.all', 'pki.state.crl-disabled.recorded'],
    given: [...rootedWith(), issued(), disable, revoke()],
    when: enable,
    then: [soon(crlPem, revokes())],
  }),
]

const hours = (count: number) => matcher(`${count} hours`, (value) => secondsIn(value) === count * 3600)
const present = matcher('there', (value) => value !== undefined && value !== null)

const readConfig = get('{mount}/config/crl')
/** Judges only replies that show the field: another check judges, as a `should`, that it is shown (reading 54). */
const whereShown = (name: string, expectation: Expectation): Expectation => ({
  ...expectation,
  words: `where it is shown, ${expectation.words}`,
  judge(seen, before) {
    if (isSuccess(seen.reply) && !present.matches(fieldOf(seen.reply, name), seen.scope))
      throw DoesNotApply.shown(seen.reply, `${seen.reply.asked} shows no \`${name}\``)
    return expectation.judge(seen, before)
  },
})
/** Judges only a read that succeeds. */
const whereRead = (expectation: Expectation): Expectation => ({
  ...expectation,
  judge(seen, before) {
    if (!isSuccess(seen.reply)) throw DoesNotApply.refused(seen.reply, `${seen.reply.asked} shows nothing yet`)
    return expectation.judge(seen, before)
  },
})
const configured: readonly Step[] = [mounted()]
const configuring: readonly Check[] = [
  ...(
    [
      ['expiry', { expiry: '48h', disable: false }, hours(48)],
      ['disable', { expiry: '72h', disable: true }, truth(true)],
    ] as const
  ).flatMap(([name, fields, wanted]) => [
    check(`crl-${name}-that-is-shown-is-what-was-set`, {
      ground: 'own',
      requirement: `pki.config-crl.reads-${name}`,
      given: [...rooted(), configCrl(fields)],
      when: readConfig,
      then: [whereShown(name, field(name, wanted))],
    }),
    check(`crl-${name}-is-shown`, {
      requirement: `pki.config-crl.shows-${name}`,
      given: [...rooted(), configCrl(fields)],
      when: readConfig,
      then: [field(name, present)],
    }),
  ]),
  check('crl-expiry-that-is-shown-before-any-write-is-72-hours', {
    ground: 'own',
    requirement: 'pki.config-crl.expiry.shown-default',
    given: rooted(),
    when: readConfig,
    // A server may have nothing to read before the first write (readings, 55).
    then: [whereRead(whereShown('expiry', field('expiry', hours(72))))],
  }),
  check('crl-expiry-is-shown-before-any-write', {
    ground: 'own',
    requirement: 'pki.config-crl.shows-expiry',
    given: rooted(),
    when: readConfig,
    then: [field('expiry', hours(72))],
  }),
  check('crl-is-valid-for-72-hours-by-default', {
    requirement: 'pki.crl.expiry.default',
    given: [mounted(), longRoot],
    when: crlThere(crlPem),
    then: [validForHours(72)],
  }),
  check('crl-expiry-is-how-long-a-crl-is-valid', {
    requirement: 'pki.config-crl.expiry.used',
    given: [...configured, configCrl({ expiry: '48h', disable: false }), longRoot],
    when: crlThere(crlPem),
    then: [validForHours(48)],
  }),
  check('crl-expiry-may-be-in-minutes', {
    requirement: 'pki.config-crl.expiry.used',
    given: [...configured, configCrl({ expiry: '2850m', disable: false }), longRoot],
    when: crlThere(crlPem),
    then: [validForHours(47.5)],
  }),
  check('later-crl-expiry-is-how-long-a-crl-is-valid', {
    requirement: ['pki.config-crl.expiry.later', 'pki.spelling.duration'],
    given: [mounted(), longRoot, listThere(crlPem), configCrl({ expiry: '96h', disable: false })],
    when: get('{mount}/crl/rotate'),
    then: [soon(crlPem, validForHours(96))],
  }),
  check('crl-expiry-stays-72-hours-where-none-is-given', {
    requirement: 'pki.config-crl.expiry.written-default',
    given: [...configured, configCrl({ disable: false }), longRoot],
    when: crlThere(crlPem),
    then: [validForHours(72)],
  }),
  check('crl-stays-enabled-where-nothing-is-said', {
    requirement: ['pki.config-crl.disable.written-default', 'pki.config-crl.expiry.later'],
    given: [mounted(), longRoot, role(), configCrl({ expiry: '48h' }), issued()],
    when: revoke(),
    then: [soon(crlPem, revokes()), soon(crlPem, validForHours(48))],
  }),
  check('crl-expiry-must-be-a-duration', {
    requirement: 'pki.config-crl.expiry.duration-only',
    given: rooted(),
    when: configCrl({ expiry: 'soon' }),
    then: [refused(reads(get('{mount}/config/crl'), { fields: ['expiry', 'disable'] }))],
    // The value differs from the default, so that a refused request which is carried out is noticed.
    control: configCrl({ expiry: '24h' }),
  }),
]

/** Saves as `{made}` when the CRL was made, and lets two seconds pass, so that a new CRL has another time. */
const someTimeLater = action(
  '`made` is the time at which the CRL was made; then two seconds pass',
  { touches: [crlPem], provides: ['made'] },
  async (scope) => {
    const reply = await crlThere(crlPem).run(scope)
    const found = revocationListOf(reply)
    if (!found) throw replyLacks(reply, 'a CRL')
    scope.save('made', madeAt(found))
    await scope.time.pass(2, 'a CRL tells its time in whole seconds')
  },
)

/** Saves when the last CRL of a CA without a key was made. Such a CA need not serve a list any more. */
const lastWithout = (key: string): Action => ({
  ...someTimeLater,
  words: `\`made\` is the time at which the last CRL of the CA whose key is ${key} was made, read after two seconds; then two more pass`,
  async run(scope) {
    await scope.time.pass(2, `a last CRL may be made when the key is ${key}`)
    const reply = await scope.send(crlPem)
    const found = revocationListOf(reply)
    if (!found) throw DoesNotApply.shown(reply, `${reply.asked} shows no CRL once the key of the CA is ${key}`)
    scope.save('made', madeAt(found))
    await scope.time.pass(2, 'a CRL tells its time in whole seconds')
  },
})

const rotating = check('rotation-makes-a-new-crl', {
  requirement: 'pki.crl.rotate',
  needs: ['clock'],
  // This is the second rotation, so that a server which caches the reply to the first GET is noticed.
  given: [...rooted(), get('{mount}/crl/rotate'), someTimeLater],
  when: get('{mount}/crl/rotate'),
  then: [soon(crlPem, isNewerThan('made'))],
})

/** Without its key, a CA cannot sign another list, but it may still serve the last one. */
const unsigned = [
  check('deleted-root-signs-no-crl', {
    requirement: 'pki.state.delete.no-key',
    needs: ['clock'],
    given: [...rooted(), listThere(crlPem), deleteRoot, lastWithout('deleted')],
    when: get('{mount}/crl/rotate'),
    then: [next(crlPem, isNoNewerThan('made'))],
  }),
  check('intermediate-generate-ends-the-signing-of-crls', {
    requirement: 'pki.state.intermediate.overwrites-ca-key',
    needs: ['clock'],
    given: [...rooted(), listThere(crlPem), generateIntermediate(), lastWithout('overwritten')],
    when: get('{mount}/crl/rotate'),
    then: [next(crlPem, isNoNewerThan('made'))],
  }),
]

/** The lifetime of the certificate in seconds, and the wait after which it has expired. */
const [short, passed] = [15, 20]
const shrinking = check('rotation-drops-what-has-expired', {
  requirement: 'pki.crl.rotate.shrinks',
  needs: ['clock'],
  given: [
    ...rootedWith(),
    issued('serial', issue({ ttl: `${short}s` })),
    issued('other', issue({ common_name: 'other.example.com' })),
    revoked('{otherTold}'),
    revoked(),
    action('the certificate `serial` expires', {}, (scope) =>
      scope.time.pass(passed, 'a revoked certificate is to have expired'),
    ),
  ],
  when: get('{mount}/crl/rotate'),
  then: [soon(crlPem, revokesOnly('{other}'))],
})

const structured = check('crl-is-readable-in-the-standard-structure', {
  requirement: 'pki.cert.crl',
  given: rooted(),
  when: crlThere(crlRead),
  then: [isStructuredList],
})

const structuredContent = check('structured-crl-lists-what-was-revoked', {
  requirement: ['pki.cert.crl', 'pki.state.revoke.revoked'],
  given: [...rootedWith(), issued()],
  when: revoke(),
  then: [soon(crlRead, revokes())],
})

export default topic('pki/transitions-revocation', {
  about: 'Revoking certificates, and the revocation list: its content, when it is made, and who signs it.',
  checks: [...revoking, ...disabling, ...configuring, rotating, ...unsigned, shrinking, structured, structuredContent],
})
