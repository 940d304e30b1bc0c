import { check, next, topic } from '../../harness/vocabulary/index.ts'
import { atOnce } from '../given.ts'
import { bodyOf, everyKind, listed, twoDocuments, written } from './given.ts'
import { listsOwn, mapsEach } from './then.ts'

/** More policies than a page of a list usually has. */
const many = Array.from({ length: 26 }, (_, at) => `{policy}-${at}`)

const ofLists = everyKind.map((kind) =>
  check(`${kind}-list-names-each-of-many`, {
    requirement: [
      `policies.${kind}.list.names-configured`,
      ...(kind === 'egp' ? ['policies.egp.list.maps-paths'] : []),
    ],
    given: [...twoDocuments(kind), ...many.map((name) => written(kind, bodyOf(kind, 'first'), name))],
    when: listed(kind),
    then: [listsOwn(many), ...(kind === 'egp' ? [mapsEach(many)] : [])],
  }),
)

const together = everyKind.map((kind) =>
  check(`${kind}-two-written-at-once-are-both-stored`, {
    requirement: [`policies.${kind}.write.creates`, `policies.${kind}.list.names-configured`],
    given: twoDocuments(kind),
    when: atOnce(written(kind, bodyOf(kind, 'first')), written(kind, bodyOf(kind, 'second'), '{policy}-more')),
    then: [next(listed(kind), listsOwn(['{policy}', '{policy}-more']))],
  }),
)

export default topic('policies/transitions-many', {
  about: 'Lists name each of many policies, and policies that are written at the same time are all stored.',
  names: ['policy'],
  checks: [...ofLists, ...together],
})
