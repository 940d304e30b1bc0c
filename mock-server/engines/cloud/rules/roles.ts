/** The rules of roles: document 3, States and transitions, Endpoints, Errors. */
import type { RefusalCode } from '../../../kernel/http/refusal.ts'
import { seam } from '../../../kernel/seam.ts'
import type { Role, RoleField } from '../store.ts'
import { knownTypes } from './types.ts'

export interface RoleRules {
  readonly known: typeof knownTypes
  /** An unknown type is refused, or accepted. */
  readonly unknownType: 'refused' | 'taken'
  /** A new role that has fields, but no `credential_type`, is refused, or accepted. */
  readonly absentType: 'refused' | 'taken'
  /** A new role without any field is refused, or accepted. */
  readonly nothing: 'refused' | 'taken'
  readonly creation: 'stored' | 'forgotten'
  /** `all`: every role becomes a copy of the one that is written. */
  readonly update: 'merged' | 'ignored' | 'all'
  /** An update replaces the tags of a role, or adds to them. */
  readonly updatedTags: 'replaced' | 'merged'
  /** The fields that an update does not change. */
  readonly updateKeeps: readonly RoleField[]
  /** An empty value in an update clears the field, or is ignored. */
  readonly emptied: 'empty' | 'kept'
  /** Returns the name under which a role is stored. */
  readonly nameOf: (name: string) => string
  /** A role that is created after one with the same name was deleted has only its own fields, or inherits those of a
   * deleted role for sessions. */
  readonly madeAgain: 'anew' | 'as-before'
  /** The fields of an existing role that a write with legacy parameters does not change. */
  readonly legacyKeeps: readonly RoleField[]
  /** An update with another type is accepted, ignored, or refused. `ignored-for-sessions`: accepted only if the role is
   * of type `iam_user`. */
  readonly otherType: 'taken' | 'ignored' | 'ignored-for-sessions' | 'refused'
  /** If several roles are written at the same time, each is stored, or only the last one. */
  readonly atOnce: 'each' | 'the last'
  readonly present: {
    readonly read: 'shown' | 'not-found'
    /** `longer-names-gone`: every role whose name starts with the given name is deleted as well. */
    readonly delete: 'gone' | 'kept' | 'all-gone' | 'longer-names-gone'
    /** DELETE of a role that was created again after a deletion removes it, or keeps it. */
    readonly deleteAgain: 'gone' | 'kept'
    /** DELETE of a role for which users were made removes it, or is refused. */
    readonly deleteInUse: 'gone' | 'refused'
    /** A read shows the requested role, the role that was created last, or the state of the requested role at its
     * creation. */
    readonly shows: 'asked' | 'last' | 'as-made'
    /** A read hides or shows the secret key of the root configuration. */
    readonly secret: 'hidden' | 'shown'
    /** The static role of the same name stays, or is deleted together with the role. */
    readonly namesake: 'stays' | 'goes'
  }
  readonly missing: {
    readonly read: RefusalCode
    /** The reply to a read of a role that was deleted and not created again. */
    readonly readAgain: RefusalCode
    readonly delete: RefusalCode | 'done'
    /** The reply to DELETE of a role that was deleted and not created again. */
    readonly deleteAgain: RefusalCode | 'done'
    /** The role whose credentials are issued if the requested role does not exist. */
    readonly creds: Role | undefined
    readonly sts: Role | undefined
  }
  /** The maximum number of names in a list. */
  readonly listedAtMost: number
  readonly listed: readonly ('present' | 'deleted' | 'static')[]
  /** Returns whether an existing role is listed. `isMadeAgain`: an earlier role of the same name was deleted. */
  readonly lists: (role: Role, isUpdated: boolean, isMadeAgain: boolean) => boolean
  /** Credentials are made for the current state of the role, or for its state when they were first requested. */
  readonly used: 'as-it-is' | 'as-at-first'
  /** The rules of the types are applied to each write, or only when a role is created. `sent`: a field that the type
   * prohibits is refused only if the request itself has it. `updates-of-users`: updates of other types are not judged. */
  readonly judged: 'each-write' | 'creation' | 'sent' | 'updates-of-users'
}

export const roles: RoleRules = {
  known: knownTypes,
  unknownType: 'refused',
  absentType: 'refused',
  nothing: 'refused',
  creation: 'stored',
  update: 'merged',
  updatedTags: 'replaced',
  updateKeeps: [],
  emptied: 'empty',
  madeAgain: 'anew',
  // Seam: a role is stored under its name.
  nameOf: seam((name) => name),
  legacyKeeps: [],
  otherType: 'taken',
  atOnce: 'each',
  present: {
    ...{ read: 'shown', delete: 'gone', deleteAgain: 'gone', deleteInUse: 'gone' },
    ...{ shows: 'asked', secret: 'hidden', namesake: 'stays' },
  },
  missing: {
    read: 'not-found',
    readAgain: 'not-found',
    delete: 'not-found',
    deleteAgain: 'not-found',
    creds: undefined,
    sts: undefined,
  },
  listed: ['present'],
  listedAtMost: Number.POSITIVE_INFINITY,
  // Seam: every existing role is listed.
  lists: seam(() => true),
  used: 'as-it-is',
  judged: 'each-write',
}
