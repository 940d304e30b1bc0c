import { afterSuccess, next, topic, unchanged } from '../../harness/vocabulary/index.ts'
import {
  bodyOf,
  catalog,
  check,
  container,
  listed,
  placedFile,
  pluginShown,
  read,
  registered,
  removed,
  returned,
  types,
} from './given.ts'
import { absent, isReturnedAs, type Mark, marked, which } from './then.ts'
import { filesOwn, listsOwn } from './then-lists.ts'

const requirement = (id: string): string => `plugin-catalog.${id}`
const applies = { feature: 'plugin-catalog.oci-image' }

const [one, two] = ['v1.0.0', 'v2.0.0']
const image = (version: string, mark: Mark) => bodyOf({ ...container, ...marked(mark), version })
const { oci_image, runtime } = container

/** No document says that the registration of an image requires a version. */
const ofEveryType = types.map((type) =>
  check(`${type}-image-is-returned-and-listed`, {
    requirement: [requirement(`register.${type}`), requirement(`list.${type}`), requirement('catalog.by-type')],
    applies,
    given: [placedFile, registered(type, bodyOf({ oci_image, runtime }))],
    when: read(type),
    then: [isReturnedAs(type), next(listed(type), listsOwn(['{plugin}'])), next(catalog, filesOwn(type, ['{plugin}']))],
  }),
)

const ofVersions = [
  check('versions-of-an-image-stand-apart', {
    requirement: ['read.by-version', 'version.several', 'read.version-default', 'addressed-by.type'].map(requirement),
    applies,
    given: [
      placedFile,
      registered('auth', image(one, 3)),
      registered('secret', bodyOf(marked(3))),
      registered('secret', image(one, 1)),
      registered('secret', image(two, 2)),
    ],
    when: read('secret', '{plugin}', one),
    then: [which(1, one), next(read('secret'), which(3)), next(read('auth', '{plugin}', one), which(3, one))],
  }),
  check('delete-removes-one-version-of-an-image', {
    requirement: ['delete.by-version', 'read.version-required'].map(requirement),
    applies,
    given: [
      placedFile,
      registered('secret', image(one, 1)),
      registered('secret', image(two, 2)),
      returned('{plugin}', one),
    ],
    when: removed('secret', '{plugin}', one),
    then: [
      afterSuccess(next(read('secret', '{plugin}', one), absent)),
      unchanged(pluginShown(read('secret', '{plugin}', two))),
      next(read('secret'), absent),
    ],
  }),
]

export default topic('plugin-catalog/transitions-images', {
  about: 'Plugins with an image are registered, listed, read and deleted, by type, name and version.',
  names: ['plugin'],
  checks: [...ofEveryType, ...ofVersions],
})
