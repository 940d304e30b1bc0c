import { check, next } from '../../harness/vocabulary/index.ts'
import { caPem, generateRoot, rooted } from './given/given.ts'
import { isNotSaved, isSaved } from './then/then.ts'
import { topic } from './topic.ts'

const second = generateRoot({ common_name: 'second.example' })

export default topic('pki/versions', {
  about: 'The effect of generating a root on an existing CA, by version.',
  checks: [
    check('root-generate-overwrote-before-0-8-1', {
      requirement: 'pki.state.generate-again.overwrote',
      given: rooted(),
      when: second,
      then: [next(caPem, isNotSaved('ca'))],
    }),
    check('root-generate-keeps-the-ca-at-0-8-1', {
      requirement: 'pki.state.generate-again.since-0-8-1',
      given: rooted(),
      when: second,
      then: [next(caPem, isSaved('ca'))],
    }),
  ],
})
