/** Mutants of static roles. */
import {
  digitsAsMinutes,
  firstUnitOnly,
  hoursAsMinutes,
  onlyDurations,
  onlyNumbers,
  type StaticRules,
} from '../../engines/cloud/rules/static-roles.ts'
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

const refusedChangeLoses = { key: 'its key', timer: 'the timer of its rotations', role: 'the role' } as const

export const ofStaticRoles: readonly CloudMutant[] = [
  part('username', 'static-username-optional', 'A static role without username is accepted.', { absent: 'taken' }),
  part(
    'username',
    'static-user-changes-in-name-only',
    'A change of username is accepted and shown, but the user stays the same.',
    {
      changed: 'shown',
    },
  ),
  part('period', 'static-period-optional', 'A static role without rotation_period is accepted.', { absent: 86_400 }),
  part('period', 'static-period-59', 'A rotation_period of 59 seconds is accepted.', { shortest: 59 }),
  part('period', 'static-period-unbound-later', 'An existing static role accepts a rotation_period below one minute.', {
    bounds: 'creation',
  }),
  part('period', 'static-period-60-refused', 'A rotation_period of 60 seconds is refused.', { shortest: 61 }),
  part('period', 'static-period-no-strings', 'rotation_period is refused if it is a duration string.', {
    read: onlyNumbers,
  }),
  part('period', 'static-period-no-numbers', 'rotation_period is refused if it is a number.', { read: onlyDurations }),
  part('configuration', 'static-no-key-at-first', 'No key is created when a static role is created.', { key: 'none' }),
  part(
    'configuration',
    'static-full-newest-rotated',
    'If the user has two keys when a static role is created, the newest is deleted instead of the oldest.',
    {
      goes: 'newest',
    },
  ),
  part('configuration', 'static-full-refused', 'A static role for a user with two keys is refused.', {
    full: 'refused',
  }),
  part(
    'configuration',
    'static-one-key-replaced',
    'If the user has only one key when a static role is created, that key is deleted.',
    { makesRoomAt: 1 },
  ),
  part('rotation', 'static-never-rotates', 'Static roles are never rotated.', { rotates: false }),
  part(
    'rotation',
    'static-failed-rotation-is-the-last',
    'After a failed rotation, a static role is no longer rotated.',
    {
      failed: 'given-up',
    },
  ),
  part('period', 'static-period-hours-as-minutes', 'A rotation_period in hours is read as minutes.', {
    read: hoursAsMinutes,
  }),
  part('rotation', 'static-rotates-all', 'The rotation of one static role renews the keys of all static roles.', {
    renews: 'all',
  }),
  part('rotation', 'static-only-the-first-rotates', 'Only the static role that was created first is rotated.', {
    of: 'the-first',
  }),
  part(
    'period',
    'static-period-digits-as-minutes',
    'A rotation_period that is a string of digits is read as minutes.',
    {
      read: digitsAsMinutes,
    },
  ),
  whole(
    'static-short-period-loses-timer',
    'A refused rotation_period that is too short deletes the timer of rotations.',
    {
      refusedChange: 'timer-for-short-period',
    },
  ),
  part('rotation', 'static-rotates-twice-only', 'After two rotations, a static role is no longer rotated.', {
    most: 2,
  }),
  part(
    'rotation',
    'static-rotation-signs-old-root',
    'Rotations use the root credentials with which the static role was created.',
    {
      signedBy: 'first',
    },
  ),
  part('rotation', 'static-rotates-early', 'Rotations happen after half the rotation_period.', {
    after: (period) => period / 2,
  }),
  part('rotation', 'static-rotation-replaces-own', 'A rotation deletes the key that it replaces at once.', {
    replaced: 'deleted',
  }),
  part(
    'rotation',
    'static-rotation-deletes-newest',
    'A rotation deletes the newest of two keys instead of the oldest.',
    { goes: 'newest' },
  ),
  part(
    'rotation',
    'static-rotation-counts-own-keys',
    'A rotation counts only the keys that the static role made, not all keys of the user.',
    {
      counts: 'own',
    },
  ),
  part('newPeriod', 'static-period-change-ignored', 'A change of rotation_period is ignored.', { taken: false }),
  part('newPeriod', 'static-period-second-change-ignored', 'A second change of rotation_period is ignored.', {
    most: 1,
  }),
  part('newPeriod', 'static-period-change-once', 'A change of rotation_period applies only to the next rotation.', {
    holds: 'once',
  }),
  part(
    'newPeriod',
    'static-period-change-from-last',
    'After a change, rotation_period counts from the last rotation instead of from the change.',
    {
      countsFrom: 'last-rotation',
    },
  ),
  part(
    'newPeriod',
    'static-period-longer-afterwards',
    'A longer rotation_period takes effect only after the next rotation.',
    {
      longer: 'afterwards',
    },
  ),
  part(
    'newPeriod',
    'static-same-period-ends-rotations',
    'A static role that is written again with the same rotation_period is no longer rotated.',
    {
      same: 'ends-rotations',
    },
  ),
  part(
    'newPeriod',
    'static-period-change-resets-all',
    'A change of rotation_period postpones the rotations of all static roles.',
    {
      resets: 'all',
    },
  ),
  part(
    'deletion',
    'static-delete-takes-the-role-of-its-name',
    'DELETE of a static role also removes the role with the same name.',
    {
      namesake: 'goes',
    },
  ),
  part(
    'deletion',
    'static-delete-takes-roles-of-its-user',
    'DELETE of a static role removes all static roles of its user.',
    {
      role: 'all-of-user-gone',
    },
  ),
  part('deletion', 'static-delete-removes-user', 'DELETE of a static role deletes its user at the provider.', {
    user: 'deleted',
  }),
  part(
    'deletion',
    'static-delete-strips-user',
    'DELETE of a static role removes the groups and policies of its user.',
    {
      user: 'stripped',
    },
  ),
  part(
    'deletion',
    'static-delete-takes-other-keys',
    'DELETE of a static role deletes the keys of the users of other static roles.',
    {
      otherKeys: 'deleted',
    },
  ),
  part('deletion', 'static-delete-refused', 'DELETE removes the static role, but the reply is a refusal.', {
    answer: 'refused',
  }),
  part('deletion', 'static-delete-keeps', 'DELETE succeeds but keeps the static role.', { role: 'kept' }),
  part('deletion', 'static-rotates-after-delete', 'A deleted static role is still rotated.', {
    rotation: 'goes-on',
  }),
  part(
    'deletion',
    'static-delete-ends-all-rotations',
    'After DELETE of one static role, no static role is rotated any more.',
    {
      rotation: 'all-end',
    },
  ),
  part(
    'period',
    'static-period-first-unit-only',
    'Only the first part of a rotation_period with several units counts.',
    {
      read: firstUnitOnly,
    },
  ),
  part('period', 'static-period-0', 'A rotation_period of 0 seconds is accepted.', { zero: 'taken' }),
  part('period', 'static-period-any', 'A rotation_period that is not a duration is accepted.', { invalid: 'taken' }),
  part('deletion', 'static-delete-all', 'DELETE of one static role removes all static roles.', { role: 'all-gone' }),
  whole('static-role-names-are-cut', 'Only the first 32 characters of the name of a static role count.', {
    nameOf: (name) => name.slice(0, 32),
  }),
  whole(
    'static-role-names-end-at-a-dot',
    'The last dot of the name of a static role and everything after it are ignored.',
    {
      nameOf: (name) => name.replace(/\.[^.]*$/, ''),
    },
  ),
  whole('static-read-shows-last', 'A read of any static role shows the one that was created last.', { shows: 'last' }),
  whole(
    'static-read-shows-first-period',
    'A read of a static role shows the rotation_period that it was created with.',
    {
      showsPeriod: 'first',
    },
  ),
  whole('static-read-shows-key', 'A read of a static role also shows its key.', { readHolds: 'key' }),
  whole('static-creds-of-last', 'A request for the key of any static role returns that of the one created last.', {
    credentialsOf: 'last',
  }),
  whole('static-makes-administrator', 'The user of a static role gets the policy AdministratorAccess.', {
    beside: 'administrator',
  }),
  whole('static-strips-user', 'The user of a static role loses its groups and policies.', { beside: 'stripped' }),
  whole('static-other-creds', 'Made-up credentials are returned for static roles.', { credentials: 'made-up' }),
  whole(
    'static-creds-stale',
    'The key that was made when the static role was created is returned even after rotations.',
    { credentials: 'first' },
  ),
  whole('static-creds-stale-later', 'The key of the first rotation is returned even after later rotations.', {
    credentials: 'second',
  }),
  whole(
    'static-made-again-has-old-key',
    'A static role that is created again after its deletion returns its old key.',
    {
      madeAgain: 'old-key',
    },
  ),
  whole('static-made-again-never-rotates', 'A static role that is created again after its deletion is never rotated.', {
    madeAgain: 'at-rest',
  }),
  ...(['key', 'timer', 'role'] as const).map((what) =>
    whole(
      `static-refused-change-loses-${what}`,
      `A refused change of a static role deletes ${refusedChangeLoses[what]}.`,
      {
        refusedChange: what,
      },
    ),
  ),
  whole('static-creates-user', 'A static role for a user that does not exist at the provider creates the user.', {
    unknownUser: 'created',
  }),
  whole('static-read-fails', 'A read of an existing static role returns 404.', { read: 'not-found' }),
  whole('static-missing-creds', 'Made-up credentials are returned for a static role that does not exist.', {
    missingCredentials: 'made-up',
  }),
]
