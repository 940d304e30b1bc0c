/** The rules of static roles: document 3, Static role, States and transitions. */

import { textField } from '../../../kernel/http/body-fields.ts'
import { durationField } from '../../../kernel/http/duration.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { seam } from '../../../kernel/seam.ts'
import type { Body } from '../fields.ts'
import type { Form } from './types.ts'

export type Which = 'oldest' | 'newest'

export const staticRoles = {
  forms: ['newer'] as readonly Form[],
  // Seam: a static role is kept by its name.
  nameOf: seam((name: string): string => name),
  /** Another user for a role that exists is refused, or shown without any effect. */
  username: { absent: 'refused' as 'refused' | 'taken', changed: 'refused' as 'refused' | 'shown' },
  period: {
    read: durationField as (body: Body, name: string) => number | undefined,
    /** A new role without a period is refused, or gets a period of so many seconds. */
    absent: 'refused' as 'refused' | number,
    /** The shortest period, in seconds. */
    shortest: 60,
    /** It bounds each write, or that of a new role. */
    bounds: 'each-write' as 'each-write' | 'creation',
    /** A period of 0 seconds and an invalid duration are refused, or accepted. */
    zero: 'refused' as 'refused' | 'taken',
    invalid: 'refused' as 'refused' | 'taken',
  },
  unknownUser: 'refused' as 'refused' | 'created',
  /** The provider allows a user this many keys. */
  quota: 2,
  configuration: {
    key: 'made' as 'made' | 'none',
    /** With so many keys, one is deleted first. */
    makesRoomAt: 2,
    full: 'rotated' as 'rotated' | 'refused',
    goes: 'oldest' as Which,
  },
  rotation: {
    // Seam: a period lasts as long as the role says.
    after: seam((period: number): number => period),
    rotates: true,
    /** A rotation that fails is tried again, or was the last one. */
    failed: 'tried-again' as 'tried-again' | 'given-up',
    /** So many rotations come at most. */
    most: Number.POSITIVE_INFINITY,
    /** Rotations are signed by the present root configuration, or by that of the time when the role was made. */
    signedBy: 'present' as 'present' | 'first',
    /** Whose keys a rotation renews. */
    renews: 'its-own' as 'its-own' | 'all',
    makesRoomAt: 2,
    goes: 'oldest' as Which,
    /** A rotation counts all keys of the user, or those that the static role has made. */
    counts: 'all' as 'all' | 'own',
    /** The key that is replaced stays until it is the older one of two, or is deleted at once. */
    replaced: 'stays' as 'stays' | 'deleted',
  },
  newPeriod: {
    taken: true,
    /** So many changes are taken at most. */
    most: Number.POSITIVE_INFINITY,
    /** It counts for every rotation, or for the next one only. */
    holds: 'always' as 'always' | 'once',
    countsFrom: 'now' as 'now' | 'last-rotation',
    /** A longer period puts off the rotation that is due, or not. */
    longer: 'puts-off' as 'puts-off' | 'afterwards',
    /** A write with the period that the role has changes nothing, or ends the rotations of the role. */
    same: 'nothing' as 'nothing' | 'ends-rotations',
    /** The rotations of other static roles are put off with its own, or not. */
    resets: 'its-own' as 'its-own' | 'all',
  },
  /** A read shows the role that was asked for, or the last one. */
  shows: 'asked' as 'asked' | 'last',
  /** A read shows the present period, or that with which the role was made. */
  showsPeriod: 'present' as 'present' | 'first',
  /** A read shows the settings alone, or the key as well. */
  readHolds: 'settings' as 'settings' | 'key',
  /** A user gets this in addition to a key, or loses its groups and policies. */
  beside: 'nothing' as 'nothing' | 'administrator' | 'stripped',
  credentialsOf: 'asked' as 'asked' | 'last',
  deletion: {
    /** `all-of-user-gone`: the static roles of the same user go with it. */
    role: 'gone' as 'gone' | 'kept' | 'all-gone' | 'all-of-user-gone',
    /** The role of the same name stays, or goes with the static role. */
    namesake: 'stays' as 'stays' | 'goes',
    user: 'left' as 'left' | 'deleted' | 'stripped',
    /** Whose keys are deleted besides. */
    otherKeys: 'left' as 'left' | 'deleted',
    answer: 'done' as 'done' | 'refused',
    /** `all-end`: the other static roles are no longer rotated either. */
    rotation: 'ends' as 'ends' | 'goes-on' | 'all-end',
  },
  /** A change that is refused leaves the role as it is, or loses its key, its timer or the role. */
  refusedChange: 'nothing' as 'nothing' | 'key' | 'timer' | 'role',
  /** A role that is made where another of its name was deleted has a key of its own, or that of the other, or its key is
   * never rotated. */
  madeAgain: 'anew' as 'anew' | 'old-key' | 'at-rest',
  read: 'shown' as 'shown' | 'not-found',
  /** `second` gives the key of the first rotation for ever. */
  credentials: 'current' as 'current' | 'first' | 'second' | 'made-up',
  missingCredentials: 'not-found' as 'not-found' | 'empty',
}
export type StaticRules = typeof staticRoles

export const onlyNumbers = (body: Body, name: string): number | undefined => {
  if (/[a-z]/.test(textField(body, name) ?? '')) throw badRequest(`${name} must be a number`)
  return durationField(body, name)
}
export const onlyDurations = (body: Body, name: string): number | undefined => {
  if (/^\d+$/.test(textField(body, name) ?? '')) throw badRequest(`${name} must be a duration`)
  return durationField(body, name)
}

export const hoursAsMinutes = (body: Body, name: string): number | undefined =>
  durationField({ [name]: (textField(body, name) ?? '').replace(/h$/, 'm') || body[name] }, name)

export const firstUnitOnly = (body: Body, name: string): number | undefined =>
  durationField({ [name]: /^\d+[a-z]*/.exec(textField(body, name) ?? '')?.[0] ?? body[name] }, name)
