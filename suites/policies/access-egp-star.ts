import { check, next, refused, succeeds, topic } from '../../harness/vocabulary/index.ts'
import { governingDocument, readingOnly, refusedSoFar } from '../given.ts'
import { deleted, readingOf, rewritten, written } from './given.ts'
import { governedByEgp } from './governed.ts'

/** These policies cover the whole server, with a rule that denies only one throw-away path. */
const star = governedByEgp('*')
const [here, elsewhere] = [governedByEgp(readingOf('{anchor}')), governedByEgp(readingOf('{anchor}-z'))]
const situation = [...star.situation, governingDocument('deniesOne', { denyPath: readingOf('{anchor}') })]
const { governed, free } = star
const safety = 'disruptive'

const changes = [
  check('egp-delete-frees-what-the-star-covered', {
    requirement: ['policies.egp.delete.all-paths', 'policies.egp.delete.immediate'],
    safety,
    given: [...situation, written('egp', star.body('deniesOne')), refusedSoFar(governed)],
    when: deleted('egp'),
    then: [next(governed, succeeds)],
  }),
  check('egp-update-frees-what-the-star-covered', {
    requirement: 'policies.egp.update.immediate',
    safety,
    given: [...situation, written('egp', star.body('deniesOne')), refusedSoFar(governed)],
    when: rewritten('egp', elsewhere.body('deniesOne')),
    then: [next(governed, succeeds)],
  }),
  check('egp-update-to-the-star-governs-everything', {
    requirement: ['policies.egp.update.immediate', 'policies.egp.paths.star-authenticated'],
    safety,
    given: [...situation, written('egp', elsewhere.body('deniesOne')), governed],
    when: rewritten('egp', star.body('deniesOne')),
    then: [next(governed, refused(readingOnly))],
    control: free,
  }),
]

const beside = [
  check('an-egp-of-the-star-counts-beside-one-of-the-path', {
    requirement: ['policies.egp.paths.star-authenticated', 'policies.egp.paths.governed'],
    safety,
    given: [...situation, written('egp', here.body('allows'), '{policy}-1'), governed],
    when: written('egp', star.body('deniesOne'), '{policy}-2'),
    then: [next(governed, refused(readingOnly))],
    control: free,
  }),
  check('an-egp-of-a-path-counts-beside-one-of-the-star', {
    requirement: ['policies.egp.paths.governed', 'policies.egp.paths.star-authenticated'],
    safety,
    given: [...situation, written('egp', star.body('allows'), '{policy}-1'), governed],
    when: written('egp', here.body('denies'), '{policy}-2'),
    then: [next(governed, refused(readingOnly))],
    control: free,
  }),
]

export default topic('policies/access-egp-star', {
  about: 'An EGP with the single path `*` is written, changed and deleted, and stands beside EGPs with other paths.',
  names: ['policy', 'anchor'],
  checks: [...changes, ...beside],
})
