/** The rules of the policies engine: document 1, Policy and Policy endpoints. */

import type { Reached } from '../../kernel/acl/access.ts'
import type { Acl } from '../../kernel/acl/compile.ts'
import { type AclRules, aclRules } from '../../kernel/acl/tables.ts'
import type { Call, Edition, Verb } from '../../kernel/contracts.ts'
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

/** What a write does with one field. */
export interface FieldRule<Name extends Field> {
  /** A creation that leaves the field out is refused, or gets this default. */
  readonly absentOnCreate: 'refused' | { readonly value: Value<Name> }
  readonly absentOnUpdate: 'refused' | 'kept'
  /** Returns the new value, from the earlier value and the one in the request. */
  readonly update: (before: Value<Name>, given: Value<Name>) => Value<Name>
}

export type FieldRules = { readonly [Name in Field]?: FieldRule<Name> }

export interface KindTables {
  /** The first version that serves the endpoints. */
  readonly since: string
  readonly editions: readonly Edition[]
  /** Returns the name of the policy that a write is about. */
  readonly name: (fromUrl: string, fromBody: unknown) => string
  /** Returns the text that reads show after a policy is created again, from the text before its deletion and the new
   * text. */
  readonly recreated: (before: string, given: string) => string
  /** The fields that a policy that is created again keeps from before its deletion. */
  readonly revived: readonly Field[]
  /** A deletion removes the policy, removes only its last write, or removes it unless it was created again. */
  readonly removes: 'policy' | 'last-write' | 'policy-unless-recreated'
  /** An update that changes nothing is stored, or removes the policy. */
  readonly alike: 'stored' | 'removed'
  /** LIST leaves out policies whose last event is one of these. */
  readonly unlisted: readonly State[]
  /** LIST also names policies of these kinds. */
  readonly listsAlso: readonly Kind[]
  /** GET also searches these kinds if its own kind has no policy of the name. */
  readonly readsAlso: readonly Kind[]
  /** LIST names, or leaves out, a policy that was deleted, created again and deleted again. */
  readonly deletedTwice: 'left-out' | 'listed'
  /** A write whose body has a field `name` is stored, or dropped. */
  readonly named: 'stored' | 'dropped'
  /** Returns whether the deletion of `asked` also deletes the policy `name`. */
  readonly deletes: (asked: string, name: string) => boolean
  /** Returns the text that is stored. */
  readonly text: (given: string) => string
  readonly encodings: readonly 'base64'[]
  /** The character encoding of documents in base64. */
  readonly characters: 'utf-8' | 'latin1'
  /** The encodings that are accepted in an update of an existing policy. */
  readonly updateEncodings: readonly 'base64'[]
  /** The maximum length of a text that is decoded. */
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
  /** Returns the `keys` of a list, or undefined to leave the field out. */
  readonly keys: (names: readonly string[]) => readonly string[] | undefined
  /** Returns the writes of a policy that are in effect, by the last event of the policy. */
  readonly acts: Readonly<Record<State, (history: History) => readonly Written[]>>
  /** The operations that callers may not perform on the names that the server itself needs. */
  readonly reserved: Readonly<Record<string, readonly ('write' | 'delete')[]>>
  /** The kind that shares its names with this one, because tokens carry names of both. */
  readonly namesake: Kind | undefined
}

export type Outcome = 'denied' | 'warned'
export interface LevelTables {
  /** Returns the level that is stored for an unknown one, given the level before an update, or undefined to refuse the
   * request. */
  readonly unknown: (level: string, before: string | undefined) => string | undefined
  /** The text that GET shows for each level. */
  readonly shown: Readonly<Record<Level, string>>
  /** An override is about one request, or also about all later ones. */
  readonly override: 'of-one-request' | 'of-all-later-ones'
  /** The outcome of a request if the policy fails. */
  readonly failed: Readonly<Record<Level, { readonly plain: Outcome; readonly overridden: Outcome }>>
}

export interface PathTables {
  readonly fromList: (paths: readonly string[]) => readonly string[]
  readonly fromText: (text: string) => readonly string[]
  /** An object as `paths` is refused, or accepted. */
  readonly objects: 'refused' | 'taken'
  /** The policies that `name_path_map` contains, by their source. */
  readonly mapped: readonly Source[]
  /** The maximum number of names in `name_path_map`. */
  readonly mappedMost: number
  /** Returns the write of an EGP whose paths `name_path_map` shows. */
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
  /** EGPs govern the requests of every token, or only of tokens that were not issued by a login. */
  readonly tokens: 'every-token' | 'not-of-logins'
  /** EGPs with other paths than `*` govern logins at these paths, or exempt all of them, or those that only a glob matches. */
  readonly logins: 'governed' | 'spared' | 'spared-by-globs'
  /** The requests that the single path `*` matches. */
  readonly star: readonly ('authenticated' | 'login')[]
  /** The verbs of the requests that EGPs govern. */
  readonly verbs: readonly Verb[]
  /** The single path `*` governs authenticated requests with these verbs. */
  readonly starVerbs: readonly Verb[]
  /** Returns whether EGPs do not govern a request, or those with the single path `*` do not. */
  readonly spared: (call: Call, isStar: boolean) => boolean
  /** Returns which of the EGPs with the single path `*` are evaluated. */
  readonly everywhere: <One>(all: readonly One[]) => readonly One[]
  /** Returns which of the matching EGPs with other paths than `*` are evaluated. They are sorted by name. */
  readonly several: <One>(all: readonly One[]) => readonly One[]
  /** Which EGPs are evaluated if some that match have the single path `*` and others do not. */
  readonly besideStar: 'both' | 'those-of-the-star' | 'the-others'
  /** Of the matching EGPs with a single glob, all are evaluated, or only those with the longest glob. */
  readonly ofGlobs: 'all' | 'the-longest'
  /** After a deletion, the paths of the deleted EGP are exempt only from that EGP, or from every EGP. */
  readonly deletion: 'own' | 'every-egp'
  /** A deletion removes the name from `name_path_map`, or also the paths of the deleted EGP from every other name. */
  readonly unmaps: 'own-name' | 'paths-of-every-name'
  /** An update sets the level of one EGP, or of all EGPs with the same paths. */
  readonly updates: 'itself' | 'every-egp-of-its-paths'
}

export interface PoliciesTables {
  readonly acl: AclRules
  readonly kinds: Readonly<Record<Kind, KindTables>>
  readonly levels: Readonly<Record<'rgp' | 'egp', LevelTables>>
  readonly paths: PathTables
  /** Which kinds are evaluated for a request that both kinds govern. */
  readonly together: 'both' | 'rgps' | 'egps'
  /** Returns which RGPs of a token are evaluated. They are in the order of their names on the token. */
  readonly rgps: <One>(all: readonly One[]) => readonly One[]
  /** The verbs of the requests that RGPs govern. */
  readonly rgpVerbs: readonly Verb[]
  /** Returns whether RGPs do not govern a request. */
  readonly rgpSpares: (call: Call) => boolean
  /** RGPs govern every token that carries their names, or only tokens that were not issued by a login. */
  readonly rgpTokens: 'every-token' | 'not-of-logins'
  /** A deleted RGP acts on no token, or still on tokens that were issued by a login. */
  readonly deletedRgps: 'of-no-token' | 'of-logins'
  /** After a policy that failed without denying the request, the others are evaluated, or the request is allowed. */
  readonly afterWarning: 'goes-on' | 'allowed'
  /** A deletion of a name that no policy of the kind has deletes nothing, or the policies of other kinds. */
  readonly missing: 'nothing' | 'other-kinds'
  /** The events after which compiled ACLs are dropped. */
  readonly recompiles: Readonly<Record<State, boolean>>
  /** Returns the ACL of a token that carries the name of a deleted ACL policy. */
  readonly withDeleted: (acl: Acl) => Acl
  /** Returns the ACL of a token that carries the name of an ACL policy that was created again. */
  readonly withRecreated: (acl: Acl, names: ReadonlySet<string>) => Acl
  /** A refused write is forgotten, is stored, or ends the effect of the policy; or only its text takes effect, or only
   * its level is stored. `creation-takes-effect`: a policy whose creation was refused is in effect, but no reply shows
   * it. */
  readonly refusedWrite:
    | 'forgotten'
    | 'stored'
    | 'ends-the-effect'
    | 'text-takes-effect'
    | 'level-is-stored'
    | 'creation-takes-effect'
  /** A request that a governing policy denies is refused, or is carried out and then refused, or only deletions are. */
  readonly denied: 'refused' | 'carried-out' | 'carried-out-where-it-deletes'
  /** Requests that create something are governed, or exempt. */
  readonly creations: 'governed' | 'spared'
  /** A write that arrives while another policy of the kind is written is stored, or dropped. */
  readonly simultaneous: 'stored' | 'dropped'
  /** Returns the name of the policy that an operation is about, from the name in the URL. */
  readonly nameFrom: (inUrl: string, operation: 'read' | 'write' | 'delete') => string
  /** Which tokens that carry the name of an ACL policy are affected by each event. */
  readonly reaches: Readonly<Record<State, Reached>>
  /** An update or a deletion changes only its own policy, or also policies of other kinds with the same name. */
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
  alike: 'stored',
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
  // Seams: the URL names the policy, the text is stored and shown unchanged, and a list contains all names.
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
  override: 'of-one-request',
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
    mappedMost: Number.POSITIVE_INFINITY,
    mappedOf: (history) => history.at(-1),
    map: (paths) => paths.map((path) => ({ path, glob: path.endsWith('*') })),
    isExact: (path, asked) => asked === path,
    spelling: 'decoded',
    globs: (paths) => paths.filter((path) => path.endsWith('*')),
    // The document says "a suffix match", but its example is a prefix: readings, 4.
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
    // Seams: a list of paths is stored unchanged, no request is exempt, and every EGP that governs a request is evaluated.
    fromList: seam((paths) => paths),
    spared: seam(() => false),
    several: seam((all) => all),
    everywhere: seam((all) => all),
  },
  recompiles: { created: true, recreated: true, updated: true, deleted: true },
  refusedWrite: 'forgotten',
  denied: 'refused',
  creations: 'governed',
  simultaneous: 'stored',
  nameFrom: (inUrl) => inUrl.toLowerCase(),
  reaches: { created: 'every-token', recreated: 'every-token', updated: 'every-token', deleted: 'every-token' },
  reach: { update: 'own-kind', deletion: 'own-kind' },
  together: 'both',
  rgpVerbs: everyVerb,
  rgpTokens: 'every-token',
  deletedRgps: 'of-no-token',
  afterWarning: 'goes-on',
  missing: 'nothing',
  // Seams: RGPs govern every request, every RGP of a token is evaluated, and the name of a deleted policy on a token has no effect.
  rgpSpares: seam(() => false),
  rgps: seam((all) => all),
  withDeleted: seam((acl) => acl),
  withRecreated: seam((acl) => acl),
}

export const isLevel = (word: string): word is Level => levels.some((level) => level === word)
