/** A topic in a file of its own, which vitest reaches only after the one of `example-topic.ts`. */
import { check, get, refused, topic, unseen } from '../../vocabulary/index.ts'

export default topic('cloud/errors-quick', {
  about: 'Things are kept.',
  names: [],
  checks: [
    check('quick', {
      requirement: 'policies.example.kept',
      mutants: ['policies/example'],
      when: get('things/quick'),
      then: [refused(unseen('it only reads'))],
    }),
  ],
})
