import { check, field, next, topic } from '../../harness/vocabulary/index.ts'
import { shownSoFar } from '../given.ts'
import { bodyOf, deleted, listed, read, readingOf, rewritten, twoDocuments, written } from './given.ts'
import { document, kept, mapped } from './then.ts'

const shared = readingOf('{policy}-shared')
const policy = (fields = {}) => bodyOf('egp', 'first', { paths: [shared], ...fields })
const pair = [...twoDocuments('egp'), written('egp', policy()), written('egp', policy(), '{other}')]

export default topic('policies/transitions-shared-paths', {
  about: 'Two EGPs have the same path, and a change of one of them leaves the other as it is.',
  names: ['policy', 'other'],
  checks: [
    check('egp-update-leaves-other-egps-of-the-path', {
      requirement: 'policies.egp.write.updates',
      given: [...pair, shownSoFar(read('egp', '{other}'), field('policy', document('first')))],
      when: rewritten('egp', policy({ enforcement_level: 'soft-mandatory' })),
      then: [kept(read('egp', '{other}'))],
    }),
    check('egp-delete-leaves-other-egps-of-the-path-in-the-map', {
      requirement: ['policies.egp.list.maps-paths', 'policies.egp.delete.only-named'],
      given: [...pair, shownSoFar(listed('egp'), mapped('{other}', [shared]))],
      when: deleted('egp'),
      then: [next(listed('egp'), mapped('{other}', [shared]))],
    }),
  ],
})
