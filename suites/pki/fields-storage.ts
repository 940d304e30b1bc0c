import type { Expectation, Operation, Reply } from '../../harness/vocabulary/index.ts'
import {
  check,
  fieldOf,
  get,
  isSuccess,
  keysOf,
  mismatch,
  post,
  refused,
  topic,
} from '../../harness/vocabulary/index.ts'
import { csr, issue, issued, leafName, listedCerts, revoke, role, rooted, rootedWith } from './given.ts'
import { readBySerial } from './given-reading.ts'
import { certificateOf } from './judge-reply.ts'
import { issuedFor, told } from './then.ts'

/** `{as}` is the place in a reply at which its lease stands. */
const leaseField: Operation = {
  kind: 'operation',
  operation: 'leaseField',
  args: { as: 'lease' },
  words: '`lease` tells where a lease stands',
  provides: ['lease'],
}
const hasLease = (reply: Reply, pointer: string): boolean => {
  const lease = fieldOf(reply, pointer)
  return typeof lease === 'string' && lease !== ''
}
const leased = (wanted: boolean): Expectation => ({
  words: `${wanted ? 'a' : 'no'} lease is attached`,
  judge({ reply, scope }) {
    const has = hasLease(reply, scope.value('lease'))
    if (isSuccess(reply) && has === wanted) return undefined
    const saw = isSuccess(reply) ? (has ? 'a lease' : 'no lease') : told(reply)
    return mismatch(reply, scope.value('lease'), wanted ? 'a lease' : 'no lease', saw)
  },
})

const bare = (serial: string): string =>
  serial
    .toLowerCase()
    .replaceAll(/[^0-9a-f]/g, '')
    .replace(/^0+/, '')

/** Whether the list names the serial `{serial}`, in whatever form. */
const enumerated = (wanted: boolean): Expectation => ({
  words: `the list ${wanted ? 'names' : 'does not name'} the serial`,
  judge({ reply, scope }) {
    const keys = keysOf(reply)
    if (keys?.some((key) => bare(key) === bare(scope.value('serial'))) === wanted) return undefined
    return mismatch(
      reply,
      'keys',
      `${wanted ? '' : 'not '}${scope.value('serialHyphens')}`,
      keys?.join(', ') ?? told(reply),
    )
  },
})

const stored: Expectation = {
  words: 'the certificate is read',
  judge: ({ reply }) =>
    certificateOf(reply) ? undefined : mismatch(reply, 'certificate', 'the certificate', told(reply)),
}
const notStored: Expectation = {
  words: 'no certificate is read',
  judge: ({ reply }) => (certificateOf(reply) ? mismatch(reply, 'certificate', 'none', 'a certificate') : undefined),
}

const unstored = [
  ...rooted(),
  role({ no_store: true }),
  role({ no_store: false }, 'twin'),
  issued(),
  issued('other', issue({ common_name: 'other.example.com' }, 'twin')),
]
const readBack = readBySerial()

const ofStorage = [
  check('certificates-are-stored-by-default', {
    requirement: 'pki.role.no-store.default',
    given: [...rooted(), role({ no_store: undefined }), issued()],
    when: readBack,
    then: [stored],
    mutants: ['pki/role-no-store-default-on'],
  }),
  check('no-store-keeps-certificates-from-being-read', {
    requirement: 'pki.role.no-store.not-stored',
    given: unstored,
    when: readBack,
    then: [notStored],
    control: get('{mount}/cert/{otherColons}'),
    mutants: ['pki/no-store-reads'],
  }),
  check('no-store-keeps-certificates-from-being-listed', {
    requirement: 'pki.role.no-store.not-enumerated',
    given: unstored,
    when: listedCerts,
    then: [enumerated(false)],
    mutants: ['pki/no-store-lists'],
  }),
  check('no-store-keeps-certificates-from-being-revoked', {
    requirement: 'pki.role.no-store.not-revoked',
    given: unstored,
    when: revoke(),
    then: [refused()],
    control: revoke('{otherColons}'),
    mutants: ['pki/no-store-revokes', 'pki/revoke-takes-unknown-serials'],
  }),
]

const signing: Operation = {
  kind: 'operation',
  operation: 'signPath',
  args: { role: 'leaf', as: 'sign' },
  words: '`sign` is where, below the mount, CSRs are signed',
  provides: ['sign'],
}

const signed = post('{mount}/{sign}', { csr: '{csr}', common_name: leafName })

const ofLeases = [
  check('no-lease-is-attached-by-default', {
    requirement: 'pki.role.generate-lease.default',
    given: [leaseField, ...rootedWith()],
    when: issue(),
    then: [leased(false)],
    mutants: ['pki/role-generate-lease-default-on'],
  }),
  check('lease-is-attached-to-an-issued-certificate', {
    requirement: 'pki.role.generate-lease.issued',
    given: [leaseField, ...rootedWith({ generate_lease: true })],
    when: issue(),
    then: [leased(true)],
    mutants: ['pki/role-generate-lease-ignored'],
  }),
  check('lease-is-attached-to-a-signed-certificate', {
    requirement: 'pki.role.generate-lease.signed',
    // A first signing shows that the path, which is not documented, is there.
    given: [
      leaseField,
      signing,
      ...rootedWith(),
      csr({ key: 'ecLeaf', commonName: leafName }),
      signed,
      role({ generate_lease: true }),
    ],
    when: signed,
    then: [leased(true)],
    mutants: ['pki/role-generate-lease-ignored', 'pki/sign-attaches-no-lease'],
  }),
  check('no-store-attaches-no-lease', {
    requirement: 'pki.role.no-store.no-lease',
    given: [leaseField, ...rootedWith({ no_store: true, generate_lease: true })],
    when: issue(),
    then: [leased(false)],
    mutants: ['pki/no-store-keeps-the-lease'],
  }),
]

const nameless = { common_name: '', alt_names: 'alt.example.com' }
const ofNames = [
  check('common-name-is-required-by-default', {
    requirement: ['pki.role.require-cn.default', 'pki.issue.common-name.required'],
    given: [...rootedWith(), role({ require_cn: false }, 'twin')],
    when: issue(nameless),
    then: [refused()],
    control: issue(nameless, 'twin'),
    mutants: ['pki/role-require-cn-default-off'],
  }),
  check('common-name-is-required', {
    requirement: ['pki.role.require-cn.on', 'pki.issue.common-name.required'],
    given: rootedWith({ require_cn: true }),
    when: issue(nameless),
    then: [refused()],
    control: issue({ alt_names: 'alt.example.com' }),
    mutants: ['pki/role-require-cn-on-ignored'],
  }),
  check('common-name-can-be-optional', {
    requirement: 'pki.role.require-cn.off',
    given: rootedWith({ require_cn: false }),
    when: issue(nameless),
    then: [issuedFor('alt.example.com')],
    mutants: ['pki/role-require-cn-ignored', 'pki/drops-dns-names'],
  }),
]

const ofCerts = [
  check('issued-certificate-is-listed', {
    requirement: 'pki.certs.issued',
    given: [...rootedWith(), issued()],
    when: listedCerts,
    then: [enumerated(true)],
    mutants: ['pki/certs-list-omits', 'pki/certs-list-names-subjects'],
  }),
  check('list-of-certificates-names-serials-only', {
    requirement: 'pki.certs.serials-only',
    given: [...rootedWith(), issued()],
    when: listedCerts,
    then: [
      {
        words: 'each key is a serial',
        judge({ reply }) {
          const keys = keysOf(reply) ?? []
          const other = keys.filter((key) => !/^[0-9a-f]+([-:]?[0-9a-f]+)*$/i.test(key))
          if (keys.length > 0 && other.length === 0) return undefined
          return mismatch(reply, 'keys', 'serials only', keys.join(', ') || told(reply))
        },
      },
    ],
    mutants: ['pki/certs-list-names-subjects'],
  }),
  check('issued-certificate-is-read-back', {
    requirement: 'pki.cert.of-serial',
    given: [...rootedWith(), issued()],
    when: readBack,
    then: [
      {
        words: '`certificate` is the issued one, in PEM',
        judge({ reply, scope }) {
          const text = fieldOf(reply, 'certificate')
          const found = certificateOf(reply)
          const isPem = typeof text === 'string' && text.includes('-----BEGIN CERTIFICATE-----')
          if (found && isPem && bare(found.serial) === bare(scope.value('serial'))) return undefined
          const saw = found ? `serial ${found.serial}, ${isPem ? 'PEM' : 'no PEM'}` : told(reply)
          return mismatch(reply, 'certificate', `PEM of serial ${scope.value('serial')}`, saw)
        },
      },
    ],
    mutants: ['pki/cert-read-gives-the-ca', 'pki/cert-read-gives-der'],
  }),
]

export default topic('pki/fields-storage', {
  about: 'What is kept of a certificate: itself, its serial, a lease; and what a request must name.',
  names: ['mount'],
  checks: [...ofStorage, ...ofLeases, ...ofNames, ...ofCerts],
})
