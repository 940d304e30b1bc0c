import type { Area, Edition, Level } from './words.ts'

/** On which targets a statement holds. Every part given must hold; an absent part holds everywhere. */
export interface Applies {
  readonly editions?: readonly Edition[]
  /** First version the statement holds for, inclusive: `0.9.0`. */
  readonly since?: string
  /** First version it no longer holds for, exclusive. */
  readonly before?: string
  /** Optional parts that the target must serve: `cloud.static-roles`. */
  readonly feature?: string | readonly string[]
  /** An optional part that the target must not have. */
  readonly without?: string
}

/** Their titles, by number. */
export type Documents = Readonly<Record<1 | 2 | 3, string>>

/** The law says it here. */
export interface Source {
  readonly document: keyof Documents
  readonly section: string
  /** The table row, rule number or sentence, named so that a reader finds it. */
  readonly row: string
  /** The number of the reading that settles an ambiguity, if one was needed. */
  readonly reading?: number
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
}

type Row = Omit<Requirement, 'id' | 'area'>

/** A register is written as a table: the key is the id without its area. */
export function register(area: Area, rows: Readonly<Record<string, Row>>): readonly Requirement[] {
  return Object.entries(rows).map(([id, row]) => ({ id: `${area}.${id}`, area, ...row }))
}
