/** Mutants of static roles. */
import { firstUnitOnly, hoursAsMinutes, onlyDurations, onlyNumbers, type StaticRules } from '../tables/static-roles.ts'
import { type CloudMutant, inRow, inTable, mutant } from './cells.ts'

type Part = 'username' | 'period' | 'configuration' | 'rotation' | 'newPeriod' | 'deletion'

const part = <Name extends Part>(
  name: Name,
  id: string,
  does: string,
  cells: Partial<StaticRules[Name]>,
): CloudMutant => mutant(id, does, inRow('staticRoles', name, cells))
const whole = (id: string, does: string, cells: Partial<StaticRules>): CloudMutant =>
  mutant(id, does, inTable('staticRoles', cells))

export const ofStaticRoles: readonly CloudMutant[] = [
  part('username', 'static-username-optional', 'username may be missing.', { absent: 'taken' }),
  part('username', 'static-user-changes-in-name-only', 'Another username is taken and shown, and the user stays.', {
    changed: 'shown',
  }),
  part('period', 'static-period-optional', 'rotation_period may be missing.', { absent: 86_400 }),
  part('period', 'static-period-59', 'A rotation_period of 59 seconds is accepted.', { shortest: 59 }),
  part('period', 'static-period-unbound-later', 'A change of rotation_period to less than a minute is accepted.', {
    bounds: 'creation',
  }),
  part('period', 'static-period-60-refused', 'A rotation_period of 60 seconds is refused.', { shortest: 61 }),
  part('period', 'static-period-no-strings', 'rotation_period as a duration string is refused.', { read: onlyNumbers }),
  part('period', 'static-period-no-numbers', 'rotation_period as a number is refused.', { read: onlyDurations }),
  part('configuration', 'static-no-key-at-first', 'No key is made at configuration.', { key: 'none' }),
  part('configuration', 'static-full-newest-rotated', 'At configuration the newest of two keys goes.', {
    goes: 'newest',
  }),
  part('configuration', 'static-full-refused', 'A user with two keys is refused.', { full: 'refused' }),
  part('configuration', 'static-one-key-replaced', 'At configuration the only key goes.', { makesRoomAt: 1 }),
  part('rotation', 'static-never-rotates', 'Nothing is ever rotated.', { rotates: false }),
  part('rotation', 'static-failed-rotation-is-the-last', 'After a rotation that failed nothing is rotated any more.', {
    failed: 'given-up',
  }),
  part('period', 'static-period-hours-as-minutes', 'A rotation_period in hours counts as minutes.', {
    read: hoursAsMinutes,
  }),
  part('rotation', 'static-rotates-all', 'A rotation renews the keys of all static roles.', { renews: 'all' }),
  part('rotation', 'static-rotates-twice-only', 'After two rotations nothing is rotated any more.', { most: 2 }),
  part('rotation', 'static-rotation-signs-old-root', 'Rotations are signed by the root credentials of the beginning.', {
    signedBy: 'first',
  }),
  part('rotation', 'static-rotates-early', 'Rotations come after half the period.', { after: (period) => period / 2 }),
  part('rotation', 'static-rotation-replaces-own', 'A rotation deletes the key that it replaces.', {
    replaced: 'deleted',
  }),
  part('rotation', 'static-rotation-deletes-newest', 'A rotation deletes the newest of two keys.', { goes: 'newest' }),
  part('rotation', 'static-rotation-counts-own-keys', 'A rotation counts the keys alone that the static role made.', {
    counts: 'own',
  }),
  part('newPeriod', 'static-period-change-ignored', 'A new rotation_period is ignored.', { taken: false }),
  part('newPeriod', 'static-period-second-change-ignored', 'A second new rotation_period is ignored.', { most: 1 }),
  part('newPeriod', 'static-period-change-once', 'A new rotation_period counts for one rotation only.', {
    holds: 'once',
  }),
  part('newPeriod', 'static-period-change-from-last', 'A new rotation_period counts from the last rotation.', {
    countsFrom: 'last-rotation',
  }),
  part(
    'newPeriod',
    'static-period-longer-afterwards',
    'A longer rotation_period counts after the next rotation only.',
    {
      longer: 'afterwards',
    },
  ),
  part(
    'newPeriod',
    'static-same-period-ends-rotations',
    'A static role that is written again with its period is never rotated again.',
    {
      same: 'ends-rotations',
    },
  ),
  part(
    'newPeriod',
    'static-period-change-resets-all',
    'A new rotation_period puts the rotations of all static roles off.',
    {
      resets: 'all',
    },
  ),
  part('deletion', 'static-delete-takes-the-role-of-its-name', 'DELETE removes the role of the same name, too.', {
    namesake: 'goes',
  }),
  part('deletion', 'static-delete-takes-roles-of-its-user', 'DELETE removes all static roles of the user.', {
    role: 'all-of-user-gone',
  }),
  part('deletion', 'static-delete-removes-user', 'DELETE deletes the user at the provider.', { user: 'deleted' }),
  part('deletion', 'static-delete-strips-user', 'DELETE takes the groups and policies of the user away.', {
    user: 'stripped',
  }),
  part('deletion', 'static-delete-takes-other-keys', 'DELETE deletes the keys of the users of other static roles.', {
    otherKeys: 'deleted',
  }),
  part('deletion', 'static-delete-refused', 'DELETE removes the static role and answers with a refusal.', {
    answer: 'refused',
  }),
  part('deletion', 'static-delete-keeps', 'DELETE succeeds and keeps the static role.', { role: 'kept' }),
  part('deletion', 'static-rotates-after-delete', 'A static role that was deleted still rotates.', {
    rotation: 'goes-on',
  }),
  part('deletion', 'static-delete-ends-all-rotations', 'After a DELETE no static role is rotated any more.', {
    rotation: 'all-end',
  }),
  part(
    'period',
    'static-period-first-unit-only',
    'Of a rotation_period with several units only the first part counts.',
    {
      read: firstUnitOnly,
    },
  ),
  part('period', 'static-period-0', 'A rotation_period of 0 seconds is accepted.', { zero: 'taken' }),
  part('period', 'static-period-any', 'An invalid duration is accepted as rotation_period.', { invalid: 'taken' }),
  part('deletion', 'static-delete-all', 'DELETE removes all static roles.', { role: 'all-gone' }),
  whole('static-role-names-are-cut', 'Names of static roles count up to the 32nd character.', {
    nameOf: (name) => name.slice(0, 32),
  }),
  whole('static-role-names-end-at-a-dot', 'Of the name of a static role what follows its last dot does not count.', {
    nameOf: (name) => name.replace(/\.[^.]*$/, ''),
  }),
  whole('static-read-shows-last', 'A read of a static role shows the one that was made last.', { shows: 'last' }),
  whole('static-read-shows-first-period', 'A read of a static role shows the period that it was made with.', {
    showsPeriod: 'first',
  }),
  whole('static-read-shows-key', 'A read of a static role holds its key.', { readHolds: 'key' }),
  whole('static-creds-of-last', 'The key of the static role that was made last is answered.', {
    credentialsOf: 'last',
  }),
  whole('static-makes-administrator', 'The user of a static role gets AdministratorAccess.', {
    beside: 'administrator',
  }),
  whole('static-strips-user', 'The user of a static role loses its groups and policies.', { beside: 'stripped' }),
  whole('static-other-creds', 'Made-up credentials are answered.', { credentials: 'made-up' }),
  whole('static-creds-stale', 'The key of the configuration is answered for ever.', { credentials: 'first' }),
  whole('static-creds-stale-later', 'The key of the first rotation is answered for ever.', { credentials: 'second' }),
  whole('static-made-again-has-old-key', 'A static role that is made again after its deletion gives its old key.', {
    madeAgain: 'old-key',
  }),
  whole('static-made-again-never-rotates', 'A static role that is made again after its deletion is never rotated.', {
    madeAgain: 'at-rest',
  }),
  ...(['key', 'timer', 'role'] as const).map((what) =>
    whole(`static-refused-change-loses-${what}`, `A change that is refused loses the ${what} of the static role.`, {
      refusedChange: what,
    }),
  ),
  whole('static-creates-user', 'A user that is not at the provider is created.', { unknownUser: 'created' }),
  whole('static-read-fails', 'A read of a static role that is there answers 404.', { read: 'not-found' }),
  whole('static-missing-creds', 'Empty credentials are answered for a static role that is not there.', {
    missingCredentials: 'empty',
  }),
]
