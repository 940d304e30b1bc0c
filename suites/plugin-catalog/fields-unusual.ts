import { afterSuccess, next, topic } from '../../harness/vocabulary/index.ts'
import { whereTaken } from '../given.ts'
import { bodyOf, check, placedFile, read, registered, removed } from './given.ts'
import { absent, assignments, entries, isReturned, stored } from './then.ts'

/** No document says that an argument or a variable may be empty, or that an argument may have several lines. */
const args = ['--first', '', 'two\nlines']
const env = ['EMPTY=', 'SECOND=2']
const ofLists = [
  check('an-empty-argument-is-kept', {
    requirement: 'plugin-catalog.args.kept',
    given: [placedFile, whereTaken(registered('secret', bodyOf({ args })))],
    when: read('secret'),
    then: [stored('args', entries(args))],
  }),
  check('an-empty-environment-variable-is-kept', {
    requirement: 'plugin-catalog.env.kept',
    given: [placedFile, whereTaken(registered('secret', bodyOf({ env })))],
    when: read('secret'),
    then: [stored('env', assignments(env))],
  }),
]

/** The documents do not say which names a server accepts, nor whether case matters. But a plugin must be found by the
 * name under which it was registered. */
const capitals = '{plugin}-With-Capitals'
const nameWithCapitals = check('a-name-with-capitals-is-read-and-deleted', {
  requirement: ['register.secret', 'delete.removes'].map((id) => `plugin-catalog.${id}`),
  given: [placedFile, whereTaken(registered('secret', bodyOf(), capitals))],
  when: read('secret', capitals),
  then: [isReturned('secret'), next(removed('secret', capitals), afterSuccess(next(read('secret', capitals), absent)))],
})

export default topic('plugin-catalog/fields-unusual', {
  about: 'Values that the documents do not exclude, and that a server may refuse: if it accepts them, it keeps them.',
  names: ['plugin'],
  checks: [...ofLists, nameWithCapitals],
})
