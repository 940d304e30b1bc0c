import type { Area, Edition, Level } from './words.ts'

/** The targets on which a statement holds. Every given part must match; an absent part matches every target. */
export interface Applies {
  readonly editions?: readonly Edition[]
  /** The first version for which the statement holds, inclusive: `0.9.0`. */
  readonly since?: string
  /** The first version for which it no longer holds, exclusive. */
  readonly before?: string
  /** Optional parts that the target must serve: `cloud.static-roles`. */
  readonly feature?: string | readonly string[]
  /** An optional part that the target must not have. */
  readonly without?: string
}

/** The titles of the documents, by number. */
export type Documents = Readonly<Record<1 | 2 | 3, string>>

/** Where a document states the requirement. */
export interface Source {
  readonly document: keyof Documents
  readonly section: string
  /** The table row, rule number or sentence, described so that a reader can find it. */
  readonly row: string
  /** The number of the reading that settles an ambiguity, if one was needed. */
  readonly reading?: number
}

/** What cannot be judged while some requirement is contradicted: these parts of replies, in checks of these requirements. */
export interface Underlying {
  /** Globs of what a mismatch is `at`, alone, after the method of its request, with or without the path, and before what
   * was wanted: `CRL`, `POST status`, `POST status 2xx`, `POST pki/issue/* status 2xx`. Absent for all. */
  readonly parts?: readonly string[]
  /** Globs of ids of requirements. Absent for all. */
  readonly rows?: readonly string[]
}

/** One observable statement of a document, in our own words. */
export interface Requirement {
  /** `<area>.<subject>.<duty>`, kebab-case parts. */
  readonly id: string
  readonly area: Area
  readonly level: Level
  readonly says: string
  readonly source: Source
  readonly applies?: Applies
  /** For `info` only: what the documents leave open here. */
  readonly open?: string
  /** The requests that it is about: `POST sys/policies/acl/:name`. Absent if it is about none in particular. */
  readonly requests?: readonly string[]
  /** The field of these requests that it is about. */
  readonly field?: string
  /** What about the field: `required`, `default`, `choices`, … */
  readonly aspect?: string
  /** The id that it shares with the same statement about another kind, such as ACL and RGP. Absent if there is only one
   * kind. */
  readonly twin?: string
  /** The spelling of requests that it makes equal to the usual one. */
  readonly spelling?: string
  /** What no other check can judge while this is contradicted. */
  readonly underlies?: readonly Underlying[]
}

type Row = Omit<Requirement, 'id' | 'area'>

/** Builds a register from a table, whose keys are the ids without the area. */
export function register(area: Area, rows: Readonly<Record<string, Row>>): readonly Requirement[] {
  return Object.entries(rows).map(([id, row]) => ({ id: `${area}.${id}`, area, ...row }))
}
