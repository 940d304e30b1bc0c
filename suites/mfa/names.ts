/** Checks that methods with similar names are kept apart. Only the legacy variant has names. */
import { type Check, check, del, get, type JsonObject, post, unchanged } from '../../harness/vocabulary/index.ts'
import { shownSoFar, whereTaken } from '../given.ts'
import { type CheckRow, rowsOf } from '../rows.ts'
import { fields, issuer } from './given.ts'
import { stored } from './then.ts'
import { methodStays } from './witnesses.ts'

interface NameRow extends Omit<CheckRow, 'requirement'> {
  /** The ends of two names. A server may refuse the first name: the documents do not say which names are allowed. */
  readonly ends: readonly [string, string]
}

const long = '-whose-name-is-longer-than-most'
const veryLong = `-${'x'.repeat(140)}`

const rows: readonly NameRow[] = rowsOf<NameRow>({
  'a-dot-and-a-hyphen-make-two-names': { ends: ['.b', '-b'] },
  'an-underscore-and-a-hyphen-make-two-names': { ends: ['_b', '-b'] },
  // A server may read the text after a dot as a format.
  'what-follows-a-dot-makes-two-names': { ends: ['.one', '.two'] },
  'long-names-stand-apart': { ends: [`${long}-one`, `${long}-two`] },
  // A server may refuse the longest names, and accept those of the row before.
  'very-long-names-stand-apart': { ends: [`${veryLong}-one`, `${veryLong}-two`] },
})

const pathOf = (end: string): string => `sys/mfa/method/totp/{label}${end}`
const definition = (end: string, body: JsonObject) => post(pathOf(end), body, { undo: del(pathOf(end)) })

export const namesApart: readonly Check[] = rows.map(({ id, ends: [first, second] }) =>
  check(id, {
    requirement: 'mfa-legacy.method.only-named',
    given: [whereTaken(definition(first, fields())), shownSoFar(get(pathOf(first)), stored('issuer', issuer))],
    when: definition(second, { issuer: 'Another Ltd' }),
    then: [unchanged(methodStays(get(pathOf(first))))],
  }),
)
