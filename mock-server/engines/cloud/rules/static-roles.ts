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
  // Seam: a static role is stored under its name.
  nameOf: seam((name: string): string => name),
  /** A write with another user for an existing role is refused, or only changes the user that reads show. */
  username: { absent: 'refused' as 'refused' | 'taken', changed: 'refused' as 'refused' | 'shown' },
  period: {
    read: durationField as (body: Body, name: string) => number | undefined,
    /** A new role without a period is refused, or gets this period in seconds. */
    absent: 'refused' as 'refused' | number,
    /** The shortest period, in seconds. */
    shortest: 60,
    /** The bound applies to each write, or only to the creation of a role. */
    bounds: 'each-write' as 'each-write' | 'creation',
    /** A period of 0 seconds and an invalid duration are refused, or accepted. */
    zero: 'refused' as 'refused' | 'taken',
    invalid: 'refused' as 'refused' | 'taken',
  },
  unknownUser: 'refused' as 'refused' | 'created',
  /** The number of keys that the provider allows for a user. */
  quota: 2,
  configuration: {
    key: 'made' as 'made' | 'none',
    /** If the user has this many keys, one is deleted first. */
    makesRoomAt: 2,
    full: 'rotated' as 'rotated' | 'refused',
    goes: 'oldest' as Which,
  },
  rotation: {
    // Seam: the next rotation comes after the period of the role.
    after: seam((period: number): number => period),
    rotates: true,
    /** Every static role of the mount is rotated, or only the one that was created first. */
    of: 'every' as 'every' | 'the-first',
    /** A failed rotation is retried, or there are no further rotations. */
    failed: 'tried-again' as 'tried-again' | 'given-up',
    /** The maximum number of rotations. */
    most: Number.POSITIVE_INFINITY,
    /** Rotations are signed by the current root configuration, or by the one with which the role was created. */
    signedBy: 'present' as 'present' | 'first',
    /** A rotation renews the key of its own static role, or the keys of all. */
    renews: 'its-own' as 'its-own' | 'all',
    makesRoomAt: 2,
    goes: 'oldest' as Which,
    /** Before it makes room, a rotation counts all keys of the user, or only those that the static role made. */
    counts: 'all' as 'all' | 'own',
    /** The replaced key stays until it is the older one of two keys, or is deleted at once. */
    replaced: 'stays' as 'stays' | 'deleted',
  },
  newPeriod: {
    taken: true,
    /** The maximum number of changes. */
    most: Number.POSITIVE_INFINITY,
    /** A new period applies to all further rotations, or only to the next one. */
    holds: 'always' as 'always' | 'once',
    countsFrom: 'now' as 'now' | 'last-rotation',
    /** A longer period postpones the next rotation, or applies only after it. */
    longer: 'puts-off' as 'puts-off' | 'afterwards',
    /** A write with the current period changes nothing, or ends the rotations of the role. */
    same: 'nothing' as 'nothing' | 'ends-rotations',
    /** A new period resets the timer of its own static role, or of all static roles. */
    resets: 'its-own' as 'its-own' | 'all',
  },
  /** A read shows the requested role, or the one that was created last. */
  shows: 'asked' as 'asked' | 'last',
  /** A read shows the current period, or the one with which the role was created. */
  showsPeriod: 'present' as 'present' | 'first',
  /** A read shows only the settings, or also the key. */
  readHolds: 'settings' as 'settings' | 'key',
  /** When a role is created, its user also gets this, or loses its groups and policies. */
  beside: 'nothing' as 'nothing' | 'administrator' | 'stripped',
  credentialsOf: 'asked' as 'asked' | 'last',
  deletion: {
    /** `all-of-user-gone`: all static roles of the same user are deleted as well. */
    role: 'gone' as 'gone' | 'kept' | 'all-gone' | 'all-of-user-gone',
    /** The role of the same name stays, or is deleted together with the static role. */
    namesake: 'stays' as 'stays' | 'goes',
    user: 'left' as 'left' | 'deleted' | 'stripped',
    /** The keys of all other static roles are left at the provider, or deleted. */
    otherKeys: 'left' as 'left' | 'deleted',
    answer: 'done' as 'done' | 'refused',
    /** `all-end`: the rotations of all other static roles end as well. */
    rotation: 'ends' as 'ends' | 'goes-on' | 'all-end',
  },
  /** A refused change has no effect, or the role loses its key, loses its timer, or is deleted.
   * `timer-for-short-period`: it loses its timer if the period was too short. */
  refusedChange: 'nothing' as 'nothing' | 'key' | 'timer' | 'timer-for-short-period' | 'role',
  /** A role that is created after one with the same name was deleted gets its own key, gets the key of the deleted
   * role, or is never rotated. */
  madeAgain: 'anew' as 'anew' | 'old-key' | 'at-rest',
  read: 'shown' as 'shown' | 'not-found',
  /** `second`: always the key of the first rotation. */
  credentials: 'current' as 'current' | 'first' | 'second' | 'made-up',
  missingCredentials: 'not-found' as 'not-found' | 'made-up',
}
export type StaticRules = typeof staticRoles

/** Reads a string of digits as minutes. */
export const digitsAsMinutes = (body: Body, name: string): number | undefined =>
  typeof body[name] === 'string' && /^\d+$/.test(body[name]) ? Number(body[name]) * 60 : durationField(body, name)

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
