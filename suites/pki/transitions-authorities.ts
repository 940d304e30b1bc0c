import type { Check } from '../../harness/vocabulary/index.ts'
import { afterSuccess, check, next, topic } from '../../harness/vocabulary/index.ts'
import { caDer, configCa, csrSigned, rooted, setSigned, submittedRoot } from './given.ts'
import { isSaved } from './then.ts'

/** The first CA is read before it is replaced, so that a reply which is kept too long is seen. */
const rootRead = [...rooted(), caDer]
const shownInDer = (name: string) => afterSuccess(next(caDer, isSaved(name)))

const replacing: readonly Check[] = [
  check('submitted-certificate-is-shown-in-der', {
    requirement: 'pki.state.config-ca.certificate-overridden',
    given: [...rootRead, submittedRoot()],
    when: configCa('bundle'),
    then: [shownInDer('bundle')],
    mutants: [
      'pki/ca-der-keeps-the-first-ca',
      'pki/config-ca-keeps-the-old-certificate',
      'pki/config-ca-is-ignored-with-a-ca',
    ],
  }),
  check('set-signed-certificate-is-shown-in-der', {
    requirement: ['pki.state.set-signed.one-at-a-time', 'pki.state.set-signed.makes-ca'],
    given: [...rootRead, csrSigned()],
    when: setSigned('{signed}'),
    then: [shownInDer('signed')],
    mutants: ['pki/ca-der-keeps-the-first-ca', 'pki/set-signed-keeps-the-old-certificate'],
  }),
]

export default topic('pki/transitions-authorities', {
  about: 'What calls do to a CA that was generated, submitted or signed elsewhere, and what is shown of it afterwards.',
  names: ['mount', 'twin'],
  checks: replacing,
})
