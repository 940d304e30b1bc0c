/** The rules of TOTP MFA for each variant: document 3, TOTP MFA method and the two tables of endpoints. The file is long
 * because every cell is described where its type is. */

import { timingSafeEqual } from 'node:crypto'
import type { Edition, ServerFacts } from '../../kernel/contracts.ts'
import { numberField, textField } from '../../kernel/http/body-fields.ts'
import { durationField } from '../../kernel/http/duration.ts'
import { seam } from '../../kernel/seam.ts'
import type { Enforcement, Field, Method, Settings, State } from './store.ts'
import type { QrSize } from './totp/qr-code.ts'
import { algorithms } from './totp/totp.ts'

export const variants = ['legacy', 'identity'] as const
export type Variant = (typeof variants)[number]

type Body = Readonly<Record<string, unknown>>

export interface FieldRule<Value> {
  /** A definition that leaves the field out is refused, or gets this default. */
  readonly absent: 'refused' | { readonly value: Value }
  /** Returns the value, or undefined if the body does not have the field. Refuses a value of another type. */
  readonly read: (body: Body, name: string) => Value | undefined
  readonly fits: (value: Value) => boolean
  /** Describes valid values. */
  readonly wanted: string
  /** An invalid value is refused, or replaced by the default. */
  readonly misfit: 'refused' | 'default'
  /** A valid value is kept, or ignored. */
  readonly given: 'kept' | 'ignored'
}
export type FieldRules = { readonly [Name in Field]: FieldRule<Settings[Name]> }

/** The operations that make and destroy secrets. */
export type SecretOperation = 'generate' | 'admin-generate' | 'admin-destroy'
type GenerateOperation = Exclude<SecretOperation, 'admin-destroy'>

/** Facts about a secret that is about to be destroyed, on which mutants depend. */
export interface Held {
  /** The number of methods of which the entity has secrets. */
  readonly methods: number
  /** The method was updated after the secret was made. */
  readonly isOutdated: boolean
  /** No secret was made from the method later. */
  readonly isNewest: boolean
}

/** `dropped`: the reply says that there is a secret, which is destroyed. `replaced`: the reply says so, and another secret
 * takes its place unseen. */
export type Present = 'kept' | 'kept-until-updated' | 'overwritten' | 'dropped' | 'replaced'

export interface SecretTables {
  /** What each operation does if there is no secret, and if there is one. */
  readonly absent: Readonly<Record<GenerateOperation, 'made' | 'nothing' | 'refused'>>
  readonly present: Readonly<Record<GenerateOperation, Present>>
  /** A secret of the method counts as present for its own entity, or for any entity. */
  readonly presentFor: 'own-entity' | 'any-entity'
  readonly presentOf: 'own-method' | 'any-method'
  /** The maximum number of secrets of an entity. A further secret replaces the oldest. */
  readonly most: number
  /** The operations share the secret of a method and an entity, or each has its own. */
  readonly origins: 'together' | 'apart'
  readonly afterDestruction: 'fresh' | 'earlier'
  readonly destruction: {
    readonly takes: 'secret' | 'nothing'
    readonly entities: 'own' | 'every'
    readonly methods: 'own' | 'every'
    /** Returns whether a secret is destroyed. */
    readonly reaches: (secret: Held) => boolean
  }
  /** A secret is stored before the next request is served, or a moment later. */
  readonly stored: 'at-once' | 'a-moment-later'
  /** The first secret that `generate` makes from a method is returned to its caller only, or to every later caller as
   * well. */
  readonly given: 'to-its-caller' | 'to-every-caller'
  /** `generate` makes a secret again after the one that it made was destroyed, or refuses to. */
  readonly generatedAgain: 'made' | 'refused'
  /** Making a secret leaves the method as it is, or sets its `digits` to the default. */
  readonly methodAfterwards: 'kept' | 'six-digits'
  /** An update of the method does this to the secrets that were made from it. */
  readonly afterUpdate: 'kept' | 'destroyed'
  /** A change of the entity does this to its secrets. */
  readonly afterEntityChange: 'kept' | 'overwritten'
  /** A login that needs no code does this to the secrets of its entity. */
  readonly afterLogin: 'kept' | 'destroyed'
  readonly bytes: (keySize: number) => number
  /** The settings of a new secret: those that its method has now, or had when it was defined. */
  readonly settings: Readonly<Record<GenerateOperation, (method: Method) => Settings>>
}

export interface UrlTables {
  readonly parameters: readonly ('algorithm' | 'digits' | 'issuer' | 'period')[]
  readonly encode: (value: string) => string
  readonly qrSize: (size: number, modules: number) => QrSize
  readonly qrSecret: 'same' | 'another'
  /** Returns the settings for the URL in the QR code. */
  readonly qrSettings: (settings: Settings) => Settings
}

export interface ValidationTables {
  readonly algorithm: (settings: Settings) => string
  readonly digits: (settings: Settings) => number
  /** Returns whether a code in a request is accepted as the right one. */
  readonly isCode: (given: string, right: string) => boolean
  /** A login that needs a code and brings none is asked for it, or passes. */
  readonly withoutCode: 'asked' | 'passed'
  readonly period: (settings: Settings) => number
  /** Returns the time steps whose codes are accepted, relative to the current one. */
  readonly steps: (skew: number) => readonly number[]
  /** If false, the code of every time step since the secret was made stays valid. */
  readonly codesEnd: boolean
  /** Returns how many consecutive failures are allowed. */
  readonly failures: (maximum: number) => number
  readonly success: 'counts-anew' | 'counts-on'
  /** A failure counts for the entity that failed, or for every entity with a secret of the method. */
  readonly failureOf: 'own-entity' | 'every-entity'
  readonly secrets: readonly ('present' | 'destroyed')[]
  /** Tells whether codes of a present secret are accepted. */
  readonly accepts: (secret: { readonly by: GenerateOperation; readonly isRenewed: boolean }) => boolean
  /** Whose codes are accepted: those of the method and the entity, or also those of other methods or entities. */
  readonly of: { readonly methods: 'own' | 'every'; readonly entities: 'own' | 'every' }
}

/** `longer-issuers`: also methods whose issuer starts with the issuer of the method and is longer. `longer-names`: also
 * methods whose name starts with the name of the method and is longer. */
export type Reach = 'own' | 'longer-issuers' | 'longer-names'

/** Facts about a method that LIST may name, on which mutants depend. */
export interface Traits {
  readonly isDeleted: boolean
  readonly isUpdated: boolean
  /** The method has secrets, or had some that were destroyed. */
  readonly hasSecrets: boolean
  readonly isInUse: boolean
  /** Its deletion was refused. */
  readonly isUndeleted: boolean
}

export interface VariantTables {
  readonly available: (facts: ServerFacts) => boolean
  readonly fields: FieldRules
  /** A refused update is forgotten, is stored, or only its `issuer` or its other valid fields are stored. */
  readonly refusedWrite: 'forgotten' | 'stored' | 'issuer-stored' | 'others-stored'
  /** A refused operation is forgotten, or nevertheless makes or destroys the secret. */
  readonly refusedOperation: 'forgotten' | 'done'
  /** `replaced-once`: only the first update takes effect. `except-by-defaults`: a value that is the default of its
   * field changes nothing. */
  readonly update: 'replaced' | 'replaced-once' | 'except-by-defaults' | 'kept'
  /** An update of a method that a login enforcement uses takes effect, or does not. */
  readonly updateInUse: 'replaced' | 'kept'
  /** The settings of a deleted method are forgotten, or fill the fields that a new definition under the same key leaves
   * out. */
  readonly deletedSettings: 'forgotten' | 'completing'
  /** The fields that an update never changes. */
  readonly updateKeeps: readonly Field[]
  /** An update, a deletion and the destruction of a secret change these other methods as well. */
  readonly reach: Readonly<Record<'update' | 'deletion' | 'destruction', Reach>>
  /** The reply to an update or a deletion that was carried out: success, or a refusal. */
  readonly answers: { readonly update: 'done' | 'refused'; readonly deletion: 'done' | 'refused' }
  /** A definition that arrives during another one is stored, or dropped. */
  readonly simultaneous: 'stored' | 'dropped'
  /** Returns the name or the id of the method that a write is about. */
  readonly writes: (fromUrl: string, fromBody: unknown) => string
  readonly newId: (uuid: string) => string
  readonly isId: (text: string) => boolean
  /** Returns the issuer that reading a method shows. */
  readonly shownIssuer: (issuer: string) => string
  /** Reading a method shows none of the secrets made from it, or all. */
  readonly shownSecrets: 'none' | 'all'
  /** Ids that LIST shows although no such methods exist. */
  readonly strangers: readonly string[]
  readonly generatesFor: 'caller' | 'entity-in-body'
  /** The operations of an operator act on the entity in the body, or on that of the caller if it has one. */
  readonly actsOn: Readonly<Record<Exclude<SecretOperation, 'generate'>, 'entity-in-body' | 'entity-of-the-caller'>>
  /** Finds the method that GET returns. `methods` are those that may be read, in the order in which they were
   * defined. */
  readonly find: (methods: readonly Method[], key: string) => Method | undefined
  readonly readable: readonly State[]
  readonly listed: readonly State[]
  /** LIST names the methods of this namespace and of those above it, or also those of the namespaces directly below. */
  readonly listedFrom: 'here' | 'here-and-below'
  /** LIST in the namespaces below also names the methods of this namespace, or not, or even the deleted ones. */
  readonly listedBelow: 'all' | 'all-and-deleted' | 'none'
  /** Returns whether LIST leaves out a method. */
  readonly omitted: (method: Traits) => boolean
  /** Returns the name under which a method is stored. */
  readonly nameOf: (name: string) => string
  /** Returns those of the methods of one issuer that LIST names. */
  readonly named: <One>(ofOneIssuer: readonly One[]) => readonly One[]
  /** The methods that each operation finds. */
  readonly usable: Readonly<Record<SecretOperation, readonly State[]>>
  /** What happens if a request names no method or entity, or one that does not exist. */
  readonly missing: {
    readonly method: Readonly<Record<SecretOperation, 'refused' | 'ignored'>>
    readonly entity: Readonly<Record<Exclude<SecretOperation, 'generate'>, 'refused' | 'ignored'>>
  }
  readonly unknown: {
    readonly method: Readonly<Record<SecretOperation, 'refused' | 'ignored' | 'another' | 'every'>>
    /** `unstored`: `admin-generate` returns a secret and does not store it. `every`: `admin-destroy` acts on every
     * entity. */
    readonly entity: Readonly<Record<Exclude<SecretOperation, 'generate'>, 'refused' | 'unstored' | 'every'>>
  }
  /** What happens if the caller of `generate` has no token, or its token has no entity. */
  readonly callers: Readonly<Record<'withoutEntity' | 'withoutToken', 'refused' | 'unstored'>>
  readonly secret: SecretTables
  readonly url: UrlTables
  readonly validation: ValidationTables
  readonly deletion: {
    /** `refused-once`: the second request deletes the method. `refused-until-updated`: an update frees the method. */
    readonly inUse: 'refused' | 'refused-once' | 'refused-until-updated' | 'deleted'
    /** A successful deletion deletes a method that has secrets, or keeps it. */
    readonly withSecrets: 'deleted' | 'kept'
    /** These three fields say which login enforcements are considered, and which of their methods count as in use. */
    readonly usedBy: readonly State[]
    readonly enforcements: (all: readonly Enforcement[]) => readonly Enforcement[]
    readonly methods: (ids: readonly string[]) => readonly string[]
    /** The secrets of a method are kept, or destroyed, if its deletion is refused. */
    readonly secrets: 'kept' | 'destroyed'
    /** A method whose deletion is refused is unchanged, or gets the defaults of its fields. */
    readonly refused: 'kept' | 'reset'
    /** A deletion destroys the secrets of the method, or all secrets of the entities that have one of it. */
    readonly takes: 'its-secrets' | 'secrets-of-their-entities'
    /** Returns the method ids of an enforcement that is overwritten. */
    readonly rewritten: (before: readonly string[], given: readonly string[]) => readonly string[]
    /** The deletion of an enforcement frees its methods from itself, or from every other one as well. */
    readonly frees: 'from-itself' | 'from-every-enforcement'
  }
}

export type MfaTables = Readonly<Record<Variant, VariantTables>>

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const largestKey = 1024
const largestPicture = 4096
/** A longer issuer does not fit in a QR code of any size. */
const longestIssuer = 1024

const whole = (fits: (value: number) => boolean, wanted: string, value: number): FieldRule<number> => ({
  absent: { value },
  read: numberField,
  fits,
  wanted,
  misfit: 'refused',
  given: 'kept',
})
const between = (least: number, most: number) => (value: number) => value >= least && value <= most

const fields: FieldRules = {
  issuer: {
    absent: 'refused',
    read: (body, name) => textField(body, name) || undefined,
    fits: (value) => value.length <= longestIssuer,
    wanted: `at most ${longestIssuer} characters`,
    misfit: 'refused',
    given: 'kept',
  },
  period: { ...whole(between(1, 2 ** 31), 'one second or more', 30), read: durationField },
  key_size: whole(between(1, largestKey), `1 to ${largestKey} bytes`, 20),
  qr_size: whole(between(0, largestPicture), `0 to ${largestPicture} pixels`, 200),
  algorithm: {
    absent: { value: 'SHA1' },
    read: (body, name) => textField(body, name) || undefined,
    fits: (value) => algorithms.some((known) => known === value),
    wanted: algorithms.join(', '),
    misfit: 'refused',
    given: 'kept',
  },
  digits: whole((value) => value === 6 || value === 8, '6 or 8', 6),
  skew: whole(between(0, 1), '0 or 1', 1),
  max_validation_attempts: whole(between(1, 2 ** 31), '1 or more', 5),
}

const editions: readonly Edition[] = ['enterprise', 'premium']

const legacy: VariantTables = {
  available: ({ edition, forms }) => editions.includes(edition) && forms['mfa-legacy'] !== 'absent',
  fields,
  refusedWrite: 'forgotten',
  refusedOperation: 'forgotten',
  update: 'replaced',
  updateInUse: 'replaced',
  deletedSettings: 'forgotten',
  updateKeeps: [],
  reach: { update: 'own', deletion: 'own', destruction: 'own' },
  answers: { update: 'done', deletion: 'done' },
  isId: (text) => uuid.test(text),
  shownSecrets: 'none',
  strangers: [],
  generatesFor: 'caller',
  actsOn: { 'admin-generate': 'entity-in-body', 'admin-destroy': 'entity-in-body' },
  find: (methods, key) => methods.find((method) => method.key === key),
  readable: ['defined'],
  listed: ['defined'],
  listedFrom: 'here',
  listedBelow: 'all',
  usable: { generate: ['defined'], 'admin-generate': ['defined'], 'admin-destroy': ['defined'] },
  missing: {
    method: { generate: 'refused', 'admin-generate': 'refused', 'admin-destroy': 'refused' },
    entity: { 'admin-generate': 'refused', 'admin-destroy': 'refused' },
  },
  unknown: {
    method: { generate: 'refused', 'admin-generate': 'refused', 'admin-destroy': 'refused' },
    entity: { 'admin-generate': 'refused', 'admin-destroy': 'refused' },
  },
  callers: { withoutEntity: 'refused', withoutToken: 'refused' },
  secret: {
    absent: { generate: 'made', 'admin-generate': 'made' },
    present: { generate: 'kept', 'admin-generate': 'kept' },
    presentFor: 'own-entity',
    presentOf: 'own-method',
    most: Number.POSITIVE_INFINITY,
    origins: 'together',
    afterDestruction: 'fresh',
    // Seam: a destruction destroys every secret that it affects.
    destruction: { takes: 'secret', entities: 'own', methods: 'own', reaches: seam(() => true) },
    stored: 'at-once',
    given: 'to-its-caller',
    methodAfterwards: 'kept',
    generatedAgain: 'made',
    afterUpdate: 'kept',
    afterEntityChange: 'kept',
    afterLogin: 'kept',
    settings: { generate: ({ settings }) => settings, 'admin-generate': ({ settings }) => settings },
    // Seam: a secret has as many bytes as its method says.
    bytes: seam((keySize) => keySize),
  },
  url: {
    parameters: ['algorithm', 'digits', 'issuer', 'period'],
    encode: encodeURIComponent,
    qrSize: (size) => ({ width: size, height: size }),
    qrSecret: 'same',
    // Seam: the QR code contains the URL that the reply shows.
    qrSettings: seam((settings) => settings),
  },
  validation: {
    algorithm: ({ algorithm }) => algorithm,
    digits: ({ digits }) => digits,
    isCode: (given, right) => {
      const [a, b] = [Buffer.from(given), Buffer.from(right)]
      return a.length === b.length && timingSafeEqual(a, b)
    },
    withoutCode: 'asked',
    period: ({ period }) => period,
    steps: (skew) => Array.from({ length: 2 * skew + 1 }, (_, index) => index - skew),
    codesEnd: true,
    success: 'counts-anew',
    failureOf: 'own-entity',
    secrets: ['present'],
    of: { methods: 'own', entities: 'own' },
    // Seam: codes of every present secret are accepted.
    accepts: seam(() => true),
    // Seam: as many failures are allowed as the method says.
    failures: seam((maximum) => maximum),
  },
  deletion: {
    inUse: 'refused',
    withSecrets: 'deleted',
    usedBy: ['defined'],
    secrets: 'kept',
    refused: 'kept',
    takes: 'its-secrets',
    // Seams: a method is in use while any enforcement names it, and an overwritten enforcement has only the new
    // methods.
    enforcements: seam((all) => all),
    methods: seam((ids) => ids),
    rewritten: seam((_, given) => given),
    frees: 'from-itself',
  },
  simultaneous: 'stored',
  // Seams: the URL names the method, a method keeps its name and the id that was made for it, its issuer is shown as it is, and a list names every
  // method.
  writes: seam((fromUrl) => fromUrl),
  newId: seam((id) => id),
  nameOf: seam((name) => name),
  shownIssuer: seam((issuer) => issuer),
  omitted: seam(() => false),
  named: seam((all) => all),
}

const identity: VariantTables = {
  ...legacy,
  // No document ties the variants to versions, so every version serves both, unless the form excludes one.
  available: ({ forms }) => forms['mfa-identity'] !== 'absent',
}

export const mfaTables: MfaTables = { legacy, identity }
