import { next, topic } from '../../harness/vocabulary/index.ts'
import { atOnce } from '../given.ts'
import { bodyOf, catalog, check, listed, placedFile, registered } from './given.ts'
import { filesOwn, listsOwn } from './then-lists.ts'

const requirement = ['list.secret', 'catalog.by-type'].map((id) => `plugin-catalog.${id}`)

/** More plugins than a page of a list usually has. */
const many = Array.from({ length: 26 }, (_, at) => `{plugin}-${at}`)
const both = ['{plugin}', '{plugin}-more'] as const

export default topic('plugin-catalog/transitions-many', {
  about: 'Lists name each of many plugins, and plugins that are registered at the same time.',
  names: ['plugin'],
  checks: [
    check('lists-name-each-of-many', {
      requirement,
      given: [placedFile, ...many.map((name) => registered('secret', bodyOf(), name))],
      when: listed('secret'),
      then: [listsOwn(many), next(catalog, filesOwn('secret', many))],
    }),
    check('two-registered-at-once-are-both-listed', {
      requirement: [...requirement, 'plugin-catalog.register.secret'],
      given: [placedFile],
      when: atOnce(registered('secret', bodyOf(), both[0]), registered('secret', bodyOf(), both[1])),
      then: [next(listed('secret'), listsOwn(both))],
    }),
  ],
})
