/** The rules of policies: document 1, Policy and Policy endpoints. */
import type { Edition } from '../../kernel/contracts.ts'
import { type Fields, type Kind, type Level, levels } from './store.ts'

export type Field = keyof Fields
export type GoverningKind = 'rgp' | 'egp'

export interface KindRules {
  /** The first version that serves the endpoints. */
  readonly since: string
  readonly editions: readonly Edition[]
  /** The fields of a write, all of which are required. They are checked in this order. */
  readonly fields: readonly Field[]
  readonly shown: readonly ('name' | Field)[]
  /** The encodings of a document that are decoded. */
  readonly encodings: readonly 'base64'[]
  /** The operations that callers may not perform on the names that the server itself needs. */
  readonly reserved: Readonly<Record<string, readonly ('write' | 'delete')[]>>
  /** The kind that shares its names with this one, because tokens carry names of both. */
  readonly namesake: Kind | undefined
}

export interface PathRules {
  readonly fromText: (text: string) => readonly string[]
  readonly isExact: (path: string, asked: string) => boolean
  /** `stem` is the part before the trailing `*`. */
  readonly isGlob: (stem: string, asked: string) => boolean
}

/** When a policy that fails denies the request. */
export type Denial = 'never' | 'unless-overridden' | 'always'

export interface PoliciesRules {
  readonly kinds: Readonly<Record<Kind, KindRules>>
  readonly levels: Readonly<Record<GoverningKind, Readonly<Record<Level, Denial>>>>
  readonly paths: PathRules
  /** Returns the name of the policy that a request is about. */
  readonly nameFrom: (inUrl: string) => string
}

const acl: KindRules = {
  since: '0.9.0',
  editions: ['community', 'enterprise', 'premium'],
  fields: ['policy'],
  shown: ['name', 'policy'],
  encodings: ['base64'],
  reserved: { root: ['write', 'delete'], default: ['delete'] },
  namesake: 'rgp',
}
const rgp: KindRules = {
  ...acl,
  editions: ['premium'],
  fields: ['policy', 'enforcement_level'],
  shown: ['enforcement_level', 'name', 'policy'],
  reserved: { root: ['write', 'delete'] },
  namesake: 'acl',
}
const egp: KindRules = {
  ...rgp,
  fields: ['policy', 'enforcement_level', 'paths'],
  shown: ['enforcement_level', 'name', 'paths', 'policy'],
  namesake: undefined,
}

const denials = { advisory: 'never', 'soft-mandatory': 'unless-overridden', 'hard-mandatory': 'always' } as const

export const policiesRules: PoliciesRules = {
  kinds: { acl, rgp, egp },
  levels: { rgp: denials, egp: denials },
  paths: {
    fromText: (text) => text.split(','),
    isExact: (path, asked) => asked === path,
    // The document says "a suffix match", but its example is a prefix: readings, 4.
    isGlob: (stem, asked) => asked.startsWith(stem),
  },
  nameFrom: (inUrl) => inUrl.toLowerCase(),
}

export const isLevel = (word: string): word is Level => levels.some((level) => level === word)
