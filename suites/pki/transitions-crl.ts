/** Checks of what each read of the revocation list shows. */
import {
  type Ceremony,
  type Check,
  check,
  del,
  type Exchange,
  get,
  post,
  type Step,
  shownBefore,
} from '../../harness/vocabulary/index.ts'
import { issued } from './given/certificates.ts'
import {
  configCa,
  configCrl,
  crlDer,
  crlPem,
  crlRead,
  csrSigned,
  deleteRoot,
  generateRoot,
  intermediate,
  issue,
  mounted,
  revoke,
  role,
  rooted,
  rootedWith,
  rootMade,
  setSigned,
  submitted,
  submittedRoot,
} from './given/given.ts'
import { inTurn } from './given/in-turn.ts'
import { listThere } from './given/lists.ts'
import { disable, enable, revoked, revokedOne } from './given/revocations.ts'
import {
  emptySignedBy,
  entriesSignedBy,
  isEmptyList,
  isStructuredList,
  listSignedBy,
  revokes,
  revokesEach,
  soon,
} from './then/revocation.ts'
import { topic } from './topic.ts'

interface Read {
  readonly exchange: Exchange
  /** Steps that show that the list can be read at this path, if its row in the documents is not that of `crl`. */
  readonly given: readonly Step[]
}

const reads: Readonly<Record<'crl' | 'crl-in-pem' | 'structured-crl', Read>> = {
  crl: { exchange: crlDer, given: [] },
  'crl-in-pem': { exchange: crlPem, given: [] },
  'structured-crl': {
    exchange: crlRead,
    given: [
      listThere(crlRead),
      shownBefore(crlRead, isStructuredList, 'pki/transitions-revocation/crl-is-readable-in-the-standard-structure'),
    ],
  },
}
const eachRead = Object.entries(reads) as (readonly [keyof typeof reads, Read])[]

const shown: readonly Check[] = [
  check('revoked-certificate-is-in-the-crl-in-der', {
    requirement: 'pki.state.revoke.revoked',
    given: [...rootedWith(), issued()],
    when: revoke(),
    then: [soon(crlDer, revokes())],
  }),
]

/** The reads may be made separately, so each of them must list a later revocation. */
const later: readonly Check[] = eachRead
  .filter(([name]) => name !== 'crl-in-pem')
  .map(([name, { exchange, given }]) =>
    check(`later-revocation-is-in-the-${name}`, {
      requirement: 'pki.state.revoke.each',
      given: [...revokedOne, ...given, issued('other', issue({ common_name: 'other.example.com' }))],
      when: revoke('{otherTold}'),
      then: [soon(exchange, revokes('{other}'))],
    }),
  )

/** A server may make its list for generated roots alone. */
const revocable: readonly Check[] = (
  [
    ['submitted', submitted()],
    ['signed', intermediate],
  ] as const
).map(([origin, situation]) =>
  check(`certificate-of-a-${origin}-ca-can-be-revoked`, {
    requirement: 'pki.state.revoke.revoked',
    given: [...situation, role(), issued()],
    when: revoke(),
    then: [soon(crlPem, revokes())],
  }),
)

const signed: readonly Check[] = [
  ...eachRead.map(([name, { exchange, given }]) =>
    check(`${name}-with-entries-is-signed`, {
      requirement: 'pki.state.generate.signs-own-crl',
      given: [...rootedWith(), issued(), ...given],
      when: revoke(),
      then: [soon(exchange, entriesSignedBy('ca'))],
    }),
  ),
  check('crl-is-signed-by-the-root-that-followed-a-deleted-one', {
    requirement: 'pki.state.generate.signs-own-crl',
    given: [
      ...rootedWith(),
      listThere(crlPem),
      deleteRoot,
      rootMade(generateRoot({ common_name: 'second.example' }), 'later'),
      issued(),
    ],
    when: revoke(),
    then: [soon(crlPem, entriesSignedBy('later'))],
  }),
  ...eachRead
    .filter(([name]) => name !== 'crl')
    .map(([name, { exchange, given }]) =>
      check(`disabled-${name}-is-signed`, {
        requirement: 'pki.state.crl-disabled.signed',
        given: [...revokedOne, ...given],
        when: disable,
        then: [soon(exchange, emptySignedBy('ca'))],
      }),
    ),
  ...(
    [
      ['submitted', 'config-ca', submitted(), 'bundle'],
      ['signed', 'set-signed', intermediate, 'signed'],
    ] as const
  ).map(([origin, row, situation, ca]) =>
    check(`${origin}-ca-signs-its-own-crl`, {
      requirement: `pki.state.${row}.signs-own-crl`,
      given: [...situation, role(), issued()],
      when: revoke(),
      then: [soon(crlPem, entriesSignedBy(ca))],
    }),
  ),
]

const disabled: readonly Check[] = [
  check('disabled-crl-is-empty-in-the-standard-structure', {
    requirement: 'pki.state.crl-disabled.empty',
    given: [...revokedOne, ...reads['structured-crl'].given],
    when: disable,
    then: [soon(crlRead, isEmptyList)],
  }),
  // A server may refuse to rotate a disabled list.
  ...eachRead.map(([name, { exchange, given }]) =>
    check(`rotation-leaves-a-disabled-${name}-empty`, {
      requirement: 'pki.state.crl-disabled.empty',
      given: [...revokedOne, ...given, disable],
      when: get('{mount}/crl/rotate'),
      then: [soon(exchange, isEmptyList)],
    }),
  ),
]

/** The first certificate is revoked before the list is disabled, the others while it is disabled. */
const serials = ['first', 'second', 'third'] as const
const enabling = check('enabled-crl-holds-each-revocation', {
  requirement: ['pki.state.crl-enabled.rebuilt', 'pki.state.crl-enabled.all', 'pki.state.crl-disabled.recorded'],
  given: [
    ...rootedWith(),
    ...serials.map((as) => issued(as, issue({ common_name: `${as}.example.com` }))),
    revoked('{firstTold}'),
    disable,
    revoke('{secondTold}'),
    revoke('{thirdTold}'),
  ],
  when: enable,
  then: [soon(crlPem, revokesEach(serials.map((as) => `{${as}}`)))],
})

/** The request must not remove an entry from the list. */
const leaves = (id: string, when: Exchange | Ceremony, ...more: readonly string[]) =>
  check(id, {
    requirement: more.length === 0 ? 'pki.state.revoke.revoked' : ['pki.state.revoke.revoked', ...more],
    given: revokedOne,
    when,
    then: [soon(crlPem, revokes())],
  })

/** The rotation makes the server publish what it has recorded. */
const published = (exchange: Exchange) => inTurn(exchange, get('{mount}/crl/rotate'))

const lasting: readonly Check[] = [
  leaves('second-revocation-leaves-the-certificate-in-the-crl', revoke()),
  check('configuration-leaves-revocations-in-the-crl', {
    requirement: 'pki.state.revoke.revoked',
    given: [...revokedOne, mounted({ as: 'twin' }), post('{twin}/config/crl', { expiry: '96h', disable: true })],
    when: configCrl({ expiry: '48h', disable: false }),
    then: [soon(crlPem, revokes())],
  }),
  leaves('rotation-leaves-revocations-in-the-crl', get('{mount}/crl/rotate')),
  leaves('issuing-leaves-revocations-in-the-crl', published(issue({ common_name: 'other.example.com' }))),
  leaves(
    'generating-a-root-again-leaves-revocations-in-the-crl',
    published(generateRoot({ common_name: 'second.example' })),
    'pki.state.generate-again.key-stays',
  ),
  leaves('deleting-a-role-leaves-revocations-in-the-crl', published(del('{mount}/roles/{use}leaf'))),
  check('crl-that-was-disabled-twice-holds-what-was-revoked', {
    requirement: 'pki.state.crl-disabled.recorded',
    given: [...revokedOne, disable, disable],
    when: enable,
    then: [soon(crlPem, revokes())],
  }),
]

/** Nothing is revoked after the first CA is replaced, so a server may wrongly go on serving the list of that CA. */
const replaced: readonly Check[] = (
  [
    ['submitted', 'config-ca', submittedRoot(), configCa('bundle'), 'bundle'],
    ['signed', 'set-signed', csrSigned(), setSigned('{signed}'), 'signed'],
  ] as const
).map(([origin, row, prepared, replacing, ca]) =>
  check(`crl-is-signed-anew-by-a-${origin}-ca`, {
    ground: 'own',
    requirement: `pki.state.${row}.signs-own-crl`,
    given: [...rooted(), listThere(crlPem), prepared],
    when: replacing,
    then: [soon(crlPem, listSignedBy(ca))],
  }),
)

export default topic('pki/transitions-crl', {
  about: 'What each of the three reads of the revocation list shows, and who signs it.',
  names: ['mount', 'twin'],
  checks: [...shown, ...later, ...revocable, ...signed, ...replaced, ...disabled, enabling, ...lasting],
})
