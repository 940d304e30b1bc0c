/** A topic for the tests of the runner, with one check for each possible outcome. */
import { check, del, get, post, refused, status, succeeds, topic, unseen } from '../../vocabulary/index.ts'

const about = { requirement: 'policies.example.kept', mutants: ['policies/example'] } as const

export default topic('policies/errors-example', {
  about: 'Things are kept.',
  names: ['thing'],
  checks: [
    check('slow', { ...about, when: get('slow'), then: [refused(unseen('it only reads'))] }),
    check('kept', {
      ...about,
      given: [post('things/{thing}', { token: 'planted-token-0003' }, { undo: del('things/{thing}') })],
      when: get('things/{thing}'),
      then: [succeeds],
    }),
    check('wrong-status', { ...about, when: get('things/none'), then: [status(410)] }),
    check('defect', { ...about, when: get('things/{unknown-name}'), then: [succeeds] }),
    check('twin-refused', {
      ...about,
      when: get('things/none'),
      control: get('things/neither'),
      then: [refused(unseen('it only reads'))],
    }),
  ],
})
