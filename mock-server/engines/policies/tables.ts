/** The rules of the policies engine: document 1, Policy and Policy endpoints. */

import type { Reached } from '../../kernel/acl/access.ts'
import type { Acl } from '../../kernel/acl/compile.ts'
import { type AclRules, aclRules } from '../../kernel/acl/tables.ts'
import type { Edition, Verb } from '../../kernel/contracts.ts'
import { seam } from '../../kernel/seam.ts'
import {
  type Fields,
  type History,
  type Kind,
  type Level,
  levels,
  type Source,
  type State,
  type View,
  type Written,
} from './store.ts'

export type Field = keyof Fields
type Value<Name extends Field> = Fields[Name]

/** This rule says what a write does with one field. */
export interface FieldRule<Name extends Field> {
  /** A creation that leaves the field out is refused, or gets this default. */
  readonly absentOnCreate: 'refused' | { readonly value: Value<Name> }
  readonly absentOnUpdate: 'refused' | 'kept'
  /** Returns the new value, from the earlier one and the given one. */
  readonly update: (before: Value<Name>, given: Value<Name>) => Value<Name>
}

export type FieldRules = { readonly [Name in Field]?: FieldRule<Name> }

export interface KindTables {
  /** The first version that serves the endpoints. */
  readonly since: string
  readonly editions: readonly Edition[]
  /** Returns the name of the policy that a write is about. */
  readonly name: (fromUrl: string, fromBody: unknown) => string
  /** Returns the text that reads show if a policy of that name had been deleted, from the earlier and the new text. */
  readonly recreated: (before: string, given: string) => string
  /** A policy that is created again has these fields from before its deletion. */
  readonly revived: readonly Field[]
  /** A deletion removes a policy, or the last write of it, or every policy but one that was created again. */
  readonly removes: 'policy' | 'last-write' | 'policy-unless-recreated'
  /** LIST leaves out policies to which this happened last. */
  readonly unlisted: readonly State[]
  /** LIST names policies of these kinds beside those of its own. */
  readonly listsAlso: readonly Kind[]
  /** GET of a name that no policy of its own kind has returns one of these kinds. */
  readonly readsAlso: readonly Kind[]
  /** LIST names, or leaves out, a policy that was deleted, created again and deleted again. */
  readonly deletedTwice: 'left-out' | 'listed'
  /** A write whose body has a field `name` is stored, or dropped. */
  readonly named: 'stored' | 'dropped'
  /** Tells whether a deletion of one name deletes another. */
  readonly deletes: (asked: string, name: string) => boolean
  /** Returns the text that is stored. */
  readonly text: (given: string) => string
  readonly encodings: readonly 'base64'[]
  /** The bytes of a document in base64 are decoded by this encoding of characters. */
  readonly characters: 'utf-8' | 'latin1'
  /** The encodings for the update of an existing policy. */
  readonly updateEncodings: readonly 'base64'[]
  /** The length of the longest text that is decoded. */
  readonly longestEncoded: number
  /** A document that is an object is refused, or accepted. */
  readonly objects: 'refused' | 'taken'
  /** The fields are checked in this order. */
  readonly fields: FieldRules
  /** Finds the policy that GET returns, among those that may be read. */
  readonly find: (readable: View, name: string) => Written | undefined
  readonly readable: readonly Source[]
  readonly shown: readonly ('name' | Field)[]
  readonly listed: readonly Source[]
  /** Returns the `keys` of a list. Undefined leaves the field out. */
  readonly keys: (names: readonly string[]) => readonly string[] | undefined
  /** These writes of a policy act on requests, by what happened to it last. */
  readonly acts: Readonly<Record<State, (history: History) => readonly Written[]>>
  /** Callers may not do these things to the names that the server itself needs. */
  readonly reserved: Readonly<Record<string, readonly ('write' | 'delete')[]>>
  /** The kind that shares its names with this one, because tokens carry names of both. */
  readonly namesake: Kind | undefined
}

export type Outcome = 'denied' | 'warned'
export interface LevelTables {
  /** Returns what is stored for an unknown level, given the level before an update; undefined refuses it. */
  readonly unknown: (level: string, before: string | undefined) => string | undefined
  /** GET shows a level as this text. */
  readonly shown: Readonly<Record<Level, string>>
  /** A request on which the policy fails comes to this outcome. */
  readonly failed: Readonly<Record<Level, { readonly plain: Outcome; readonly overridden: Outcome }>>
}

export interface PathTables {
  readonly fromList: (paths: readonly string[]) => readonly string[]
  readonly fromText: (text: string) => readonly string[]
  /** Paths that are an object are refused, or accepted. */
  readonly objects: 'refused' | 'taken'
  /** The sources of `name_path_map`. */
  readonly mapped: readonly Source[]
  /** Chooses the write of an EGP whose paths `name_path_map` shows. */
  readonly mappedOf: (history: History) => Written | undefined
  readonly map: (
    paths: readonly string[],
    history: History,
  ) => readonly { readonly path: string; readonly glob: boolean }[]
  readonly isExact: (path: string, asked: string) => boolean
  /** The path of a request that is compared: with its percent escapes decoded, or as it was sent. */
  readonly spelling: 'decoded' | 'as-sent'
  /** Returns the paths of an EGP that can be globs. */
  readonly globs: (paths: readonly string[]) => readonly string[]
  /** `stem` is the part before the trailing `*`. */
  readonly isGlob: (stem: string, asked: string) => boolean
  /** EGPs govern the requests of every token, or those of tokens that no login issued. */
  readonly tokens: 'every-token' | 'not-of-logins'
  /** EGPs with other paths than `*` govern the logins at these paths, or spare them, all or those that only a glob matches. */
  readonly logins: 'governed' | 'spared' | 'spared-by-globs'
  /** The single path `*` matches these requests. */
  readonly star: readonly ('authenticated' | 'login')[]
  /** The verbs of the requests that EGPs govern. */
  readonly verbs: readonly Verb[]
  /** The single path `*` governs authenticated requests with these verbs. */
  readonly starVerbs: readonly Verb[]
  /** Returns which of the EGPs with the single path `*` are evaluated. */
  readonly everywhere: <One>(all: readonly One[]) => readonly One[]
  /** Returns which of the EGPs that match a request are evaluated, in the order of their names. Those with the single
   * path `*` always are. */
  readonly several: <One>(all: readonly One[]) => readonly One[]
  /** Says which EGPs are evaluated where some are of the path `*` and others are not. */
  readonly besideStar: 'both' | 'those-of-the-star' | 'the-others'
  /** Of the EGPs with a single glob that match, all are evaluated, or those with the longest alone. */
  readonly ofGlobs: 'all' | 'the-longest'
  /** A deletion exempts the paths of the deleted EGP from that EGP alone, or from every EGP. */
  readonly deletion: 'own' | 'every-egp'
  /** A deletion takes the name out of `name_path_map`, or the paths of the deleted EGP under every name. */
  readonly unmaps: 'own-name' | 'paths-of-every-name'
  /** An update gives its level to the one EGP, or to all that have the same paths. */
  readonly updates: 'itself' | 'every-egp-of-its-paths'
}

export interface PoliciesTables {
  readonly acl: AclRules
  readonly kinds: Readonly<Record<Kind, KindTables>>
  readonly levels: Readonly<Record<'rgp' | 'egp', LevelTables>>
  readonly paths: PathTables
  /** Says which kinds are evaluated for a request that both of them govern. */
  readonly together: 'both' | 'rgps' | 'egps'
  /** Returns which RGPs of a token are evaluated, in the order in which the token carries their names. */
  readonly rgps: <One>(all: readonly One[]) => readonly One[]
  /** RGPs govern requests with these verbs. */
  readonly rgpVerbs: readonly Verb[]
  /** RGPs govern every token that carries their names, or those tokens alone that were not issued by a login. */
  readonly rgpTokens: 'every-token' | 'not-of-logins'
  /** Compiled ACLs are dropped after those events in the life of a policy for which this is true. */
  readonly recompiles: Readonly<Record<State, boolean>>
  /** Returns the ACL of a token that carries the name of a deleted ACL policy. */
  readonly withDeleted: (acl: Acl) => Acl
  /** A refused write leaves everything as it is, is stored, or ends the effect of the policy. Or its text takes effect,
   * or its level is stored, and the rest stays as it is. `creation-takes-effect`: a policy that no reply shows acts. */
  readonly refusedWrite:
    | 'forgotten'
    | 'stored'
    | 'ends-the-effect'
    | 'text-takes-effect'
    | 'level-is-stored'
    | 'creation-takes-effect'
  /** A request that a governing policy denies is refused, or carried out and refused afterwards, all or deletions alone. */
  readonly denied: 'refused' | 'carried-out' | 'carried-out-where-it-deletes'
  /** Requests that create something are governed, or spared. */
  readonly creations: 'governed' | 'spared'
  /** Returns the name of the policy that an operation is about, from the one in the URL. */
  readonly nameFrom: (inUrl: string, operation: 'read' | 'write' | 'delete') => string
  /** Says which tokens that carry the name of an ACL policy are reached by these events in its life. */
  readonly reaches: Readonly<Record<State, Reached>>
  /** An update or a deletion changes policies of the same name and other kinds as well, or does not. */
  readonly reach: { readonly update: 'own-kind' | 'every-kind'; readonly deletion: 'own-kind' | 'every-kind' }
}

const required = {
  absentOnCreate: 'refused',
  absentOnUpdate: 'refused',
  update: <Given>(_before: unknown, given: Given): Given => given,
} as const

const latest = (history: History): readonly Written[] => history.slice(-1)
const nothing = (): readonly Written[] => []

const acl: KindTables = {
  since: '0.9.0',
  editions: ['community', 'enterprise', 'premium'],
  named: 'stored',
  deletes: (asked, name) => name === asked,
  revived: [],
  removes: 'policy',
  unlisted: [],
  listsAlso: [],
  readsAlso: [],
  deletedTwice: 'left-out',
  encodings: ['base64'],
  characters: 'utf-8',
  updateEncodings: ['base64'],
  longestEncoded: Number.POSITIVE_INFINITY,
  objects: 'refused',
  fields: { policy: required },
  find: (readable, name) => readable.get(name),
  readable: ['built-in', 'written'],
  shown: ['name', 'policy'],
  listed: ['built-in', 'written'],
  acts: { created: latest, recreated: latest, updated: latest, deleted: nothing },
  reserved: { root: ['write', 'delete'], default: ['delete'] },
  namesake: 'rgp',
  // Seams: the URL names the policy, the text is kept and shown as it was written, and a list holds all names.
  text: seam((given) => given),
  name: seam((fromUrl) => fromUrl),
  recreated: seam((_, given) => given),
  keys: seam((names) => names),
}
const rgp: KindTables = {
  ...acl,
  editions: ['premium'],
  fields: { policy: required, enforcement_level: required },
  shown: ['enforcement_level', 'name', 'policy'],
  reserved: { root: ['write', 'delete'] },
  namesake: 'acl',
}
const egp: KindTables = {
  ...rgp,
  fields: { policy: required, enforcement_level: required, paths: required },
  shown: ['enforcement_level', 'name', 'paths', 'policy'],
  namesake: undefined,
}

const governing: LevelTables = {
  unknown: () => undefined,
  shown: { advisory: 'advisory', 'soft-mandatory': 'soft-mandatory', 'hard-mandatory': 'hard-mandatory' },
  failed: {
    advisory: { plain: 'warned', overridden: 'warned' },
    'soft-mandatory': { plain: 'denied', overridden: 'warned' },
    'hard-mandatory': { plain: 'denied', overridden: 'denied' },
  },
}

const everyVerb: readonly Verb[] = ['GET', 'LIST', 'POST', 'PATCH', 'DELETE']

export const policiesTables: PoliciesTables = {
  acl: aclRules,
  kinds: { acl, rgp, egp },
  levels: { rgp: governing, egp: governing },
  paths: {
    fromText: (text) => text.split(','),
    objects: 'refused',
    mapped: ['written'],
    mappedOf: (history) => history.at(-1),
    map: (paths) => paths.map((path) => ({ path, glob: path.endsWith('*') })),
    isExact: (path, asked) => asked === path,
    spelling: 'decoded',
    globs: (paths) => paths.filter((path) => path.endsWith('*')),
    // The document says "a suffix match" beside an example of a prefix: readings, 4.
    isGlob: (stem, asked) => asked.startsWith(stem),
    tokens: 'every-token',
    logins: 'governed',
    besideStar: 'both',
    ofGlobs: 'all',
    star: ['authenticated', 'login'],
    verbs: everyVerb,
    starVerbs: everyVerb,
    deletion: 'own',
    unmaps: 'own-name',
    updates: 'itself',
    // Seams: a list of paths is taken as it is, and every EGP that governs a request is asked.
    fromList: seam((paths) => paths),
    several: seam((all) => all),
    everywhere: seam((all) => all),
  },
  recompiles: { created: true, recreated: true, updated: true, deleted: true },
  refusedWrite: 'forgotten',
  denied: 'refused',
  creations: 'governed',
  nameFrom: (inUrl) => inUrl.toLowerCase(),
  reaches: { created: 'every-token', recreated: 'every-token', updated: 'every-token', deleted: 'every-token' },
  reach: { update: 'own-kind', deletion: 'own-kind' },
  together: 'both',
  rgpVerbs: everyVerb,
  rgpTokens: 'every-token',
  // Seams: every RGP of a token is asked, and the name of a deleted policy on a token changes nothing.
  rgps: seam((all) => all),
  withDeleted: seam((acl) => acl),
}

export const isLevel = (word: string): word is Level => levels.some((level) => level === word)
