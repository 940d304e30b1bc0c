import { type Applies, type Requirement, register } from '../../harness/vocabulary/index.ts'
import { commonRows, left, should } from './mfa-rows.ts'
import { endpoint, methodEndpoint, methodField } from './mfa-sources.ts'

/** One of the two variants of the API: a server need not have both. */
const applies: Applies = { form: { 'mfa-legacy': 'served' } }

const rows = {
  ...commonRows('mfa-legacy'),
  ...should({
    'method.updates': ['POST on a method that is there replaces its fields.', methodEndpoint('mfa-legacy', 'POST')],
  }),
  ...left({
    'open.validation': [
      'Where a code of a legacy method is asked for, and what `skew` and `max_validation_attempts` do then.',
      methodField('skew, max_validation_attempts', 32),
      'No endpoint validates codes and a login enforcement is named for the identity variant only: stored values are judged.',
    ],
    'open.delete-in-use': [
      'Whether a legacy method can be deleted while something uses it.',
      methodEndpoint('mfa-legacy', 'DELETE'),
      'The condition is stated for the identity variant only.',
    ],
    'open.names': [
      'Which names are allowed, whether case matters, and whether other types of method share them.',
      methodField('name'),
      'Only that the name stands in the URL.',
    ],
    'open.destroy-path': [
      'Whether admin-destroy is also served under a path with `totp`.',
      endpoint('mfa-legacy', 'POST /sys/mfa/method/:name/admin-destroy', 29),
      'The path is taken as written.',
    ],
  }),
}

export const mfaLegacy: readonly Requirement[] = register(
  'mfa-legacy',
  Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, { ...row, applies }])),
)
