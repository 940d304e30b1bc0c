import type { Check } from '../../harness/vocabulary/index.ts'
import { check, topic } from '../../harness/vocabulary/index.ts'
import { crlDer, revoke, rootedWith } from './given.ts'
import { issued } from './given-certificates.ts'
import { revokes, soon } from './then-revocation.ts'

const shown: readonly Check[] = [
  check('revoked-certificate-is-in-the-crl-in-der', {
    requirement: 'pki.state.revoke.revoked',
    given: [...rootedWith(), issued()],
    when: revoke(),
    then: [soon(crlDer, revokes())],
    mutants: [
      'pki/crl-der-lists-nothing',
      'pki/revoke-does-not-rotate',
      'pki/revoke-adds-another-serial',
      'pki/revoke-refuses-colons',
      'pki/crl-disable-default-on',
    ],
  }),
]

export default topic('pki/transitions-crl', {
  about: 'What each of the three reads of the revocation list shows, and who signs it.',
  names: ['mount'],
  checks: shown,
})
