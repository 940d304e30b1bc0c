import { next, topic } from '../../harness/vocabulary/index.ts'
import { ifAccepted } from '../given.ts'
import { bodyOf, catalog, check, listed, placedFile, read, registered, removed, types } from './given.ts'
import { digest, stored } from './then.ts'
import { tells } from './then-lists.ts'

const requirement = (id: string): string => `plugin-catalog.${id}`
const [one, two] = ['v1.0.0', 'v2.0.0']

/** The documents do not say how a list shows versions, but a plugin that has a version left is registered. */
const ofLists = types.map((type) =>
  check(`${type}-lists-name-a-plugin-with-a-version-left`, {
    requirement: [requirement('list.versioned'), requirement('catalog.versioned')],
    given: [
      placedFile,
      registered(type, bodyOf({ version: one })),
      registered(type, bodyOf({ version: two })),
      removed(type, '{plugin}', one),
    ],
    when: listed(type),
    then: [tells('{plugin}'), next(catalog, tells('{plugin}'))],
  }),
)

const ofDigests = check('a-version-leaves-the-digest-of-another', {
  requirement: [requirement('version.several'), requirement('sha256.kept')],
  given: [placedFile, registered('secret', bodyOf({ version: two }))],
  when: registered('secret', bodyOf({ version: one, sha256: '{wrongSha256}' })),
  // A server may compare the digest with the file at registration.
  then: [ifAccepted(next(read('secret', '{plugin}', two), stored('sha256', digest)))],
})

export default topic('plugin-catalog/transitions-versions', {
  about: 'A plugin has several versions: lists name it while one is left, and one version leaves another as it was.',
  names: ['plugin'],
  checks: [...ofLists, ofDigests],
})
