/** These tables say what happens to roles: document 3, States and transitions, Endpoints, Errors. */
import type { RefusalCode } from '../../../kernel/http/refusal.ts'
import { seam } from '../../../kernel/seam.ts'
import type { Role, RoleField } from '../store.ts'
import { knownTypes } from './types.ts'

export interface RoleRules {
  readonly known: typeof knownTypes
  /** An unknown type is refused, or accepted. */
  readonly unknownType: 'refused' | 'taken'
  /** What happens to a new role that has fields, but no `credential_type`. */
  readonly absentType: 'refused' | 'taken'
  /** A new role without any field is refused, or accepted. */
  readonly nothing: 'refused' | 'taken'
  readonly creation: 'stored' | 'forgotten'
  /** `all`: every role becomes like the one that is written. */
  readonly update: 'merged' | 'ignored' | 'all'
  /** An update replaces the tags of a role, or adds to them. */
  readonly updatedTags: 'replaced' | 'merged'
  /** An update leaves these fields of a role as they are. */
  readonly updateKeeps: readonly RoleField[]
  /** An empty value in an update empties the field, or is ignored. */
  readonly emptied: 'empty' | 'kept'
  /** Returns the name that a role is kept by. */
  readonly nameOf: (name: string) => string
  /** A role for sessions that is made where another was deleted has what it is given, or the fields of the other as well. */
  readonly madeAgain: 'anew' | 'as-before'
  /** A write with the legacy parameters leaves these fields of a role as they are. */
  readonly legacyKeeps: readonly RoleField[]
  /** An update with another type is taken, is ignored, or is refused. */
  readonly otherType: 'taken' | 'ignored' | 'refused'
  readonly present: {
    readonly read: 'shown' | 'not-found'
    /** `longer-names-gone`: roles go as well whose names begin with that of the one that is deleted. */
    readonly delete: 'gone' | 'kept' | 'all-gone' | 'longer-names-gone'
    /** DELETE of a role that was made again where another was deleted removes it, or keeps it. */
    readonly deleteAgain: 'gone' | 'kept'
    /** DELETE of a role that has given users removes it, or is refused. */
    readonly deleteInUse: 'gone' | 'refused'
    /** A read shows the role that was asked for, the one that was made last, or the asked one as it was made. */
    readonly shows: 'asked' | 'last' | 'as-made'
    /** A read hides or shows the secret key of the root configuration. */
    readonly secret: 'hidden' | 'shown'
    /** The static role of the same name stays, or goes with a role that is deleted. */
    readonly namesake: 'stays' | 'goes'
  }
  readonly missing: {
    readonly read: RefusalCode
    readonly delete: RefusalCode | 'done'
    /** DELETE of a role that was deleted and not made again has this answer. */
    readonly deleteAgain: RefusalCode | 'done'
    /** Whose credentials are issued for a role that does not exist. */
    readonly creds: Role | undefined
    readonly sts: Role | undefined
  }
  readonly listed: readonly ('present' | 'deleted' | 'static')[]
  /** Tells whether a role that is present is listed. `isMadeAgain`: another one of its name was deleted. */
  readonly lists: (role: Role, isUpdated: boolean, isMadeAgain: boolean) => boolean
  /** Credentials are those of the role as it is, or as it was when they were first requested. */
  readonly used: 'as-it-is' | 'as-at-first'
  /** The rules of the types hold for each write, or for that of a new role. `sent`: what a type prohibits is refused only
   * where the request has it. */
  readonly judged: 'each-write' | 'creation' | 'sent'
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
  // Seam: a role is kept by its name.
  nameOf: seam((name) => name),
  legacyKeeps: [],
  otherType: 'taken',
  present: {
    ...{ read: 'shown', delete: 'gone', deleteAgain: 'gone', deleteInUse: 'gone' },
    ...{ shows: 'asked', secret: 'hidden', namesake: 'stays' },
  },
  missing: { read: 'not-found', delete: 'not-found', deleteAgain: 'not-found', creds: undefined, sts: undefined },
  listed: ['present'],
  // Seam: each role is listed.
  lists: seam(() => true),
  used: 'as-it-is',
  judged: 'each-write',
}
