/** The lines of a journal: JSON, one record each, numbered and signed. The signature covers the journal's own id and the
 * number, so a line that was changed, moved or copied from another journal does not verify or is seen to be out of place. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { JournalKey } from './journal-key.ts'

/** An undo takes one object back. It is always asked with the operator's token. */
export interface Undo {
  readonly cluster: string
  readonly method: string
  /** Below the dialect's prefix, escapes and all. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body?: string
  /** These words say what was made: `POST sys/policies/acl/assay-…`. */
  readonly words: string
  /** The restoration of the dialect that does it, and the URL of the cluster: a profile may name another so by then. */
  readonly restoration?: string
  readonly url?: string
  /** Every exchange that would have made it was refused: what is there all the same may be somebody else's. */
  readonly refused?: boolean
}

/** An object that only the reply names (a token, by its accessor). Until it is resolved, only the run's name leads to it. */
export interface Unnamed {
  readonly cluster: string
  readonly words: string
}

export interface JournalHead {
  readonly url: string
  readonly runId: string
  /** A digest of the cluster's id: another cluster at the same address knows nothing of what was made. Absent where the
   * target reported none. */
  readonly cluster?: string
}

/** A change of what a journal knows. */
export type Change =
  | { readonly event: 'intend'; readonly id: number; readonly undo: Undo | Unnamed }
  | { readonly event: 'resolve'; readonly id: number; readonly undo: Undo }
  | { readonly event: 'done'; readonly id: number }

export type Line =
  | Change
  | ({ readonly event: 'run'; readonly journal: string; readonly startedAt: string } & JournalHead)

/** A line with its place in the journal. Lines of older versions have no number. */
export type Numbered = { readonly n: number } & Line

const longestLine = 64 * 1024
/** The end of a signed line. */
const signature = /^,"mac":"([0-9a-f]{64})"\}$/
const signatureLength = ',"mac":"'.length + 64 + '"}'.length

const macOf = (key: JournalKey, journal: string, text: string): Buffer =>
  createHmac('sha256', key).update(`${journal}\n${text}`).digest()

/** One line, without its end. Without a key it is not signed. */
export function lineText(line: Numbered, journal: string, key: JournalKey | undefined): string {
  const text = JSON.stringify(line)
  return key ? `${text.slice(0, -1)},"mac":"${macOf(key, journal, text).toString('hex')}"}` : text
}

/** The record of a line, whoever wrote it; undefined where it is none. */
export function parseLine(text: string): Numbered | undefined {
  if (text.length > longestLine) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && isLine(value) ? (value as unknown as Numbered) : undefined
  } catch {
    return undefined
  }
}

/** Tells whether somebody who has the key wrote this line into this journal. A `run` line names its journal itself. */
export function isSigned(text: string, line: Numbered, journal: string | undefined, key: JournalKey): boolean {
  const [, mac] = signature.exec(text.slice(-signatureLength)) ?? []
  const of = line.event === 'run' ? line.journal : journal
  if (mac === undefined || of === undefined) return false
  return timingSafeEqual(macOf(key, of, `${text.slice(0, -signatureLength)}}`), Buffer.from(mac, 'hex'))
}

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): boolean => typeof value === 'string'
const isAbsentOr = (holds: (value: unknown) => boolean) => (value: unknown) => value === undefined || holds(value)
const isNumber = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
/** Part of every throw-away name, so it can hold nothing that would reach beyond them. */
export const isRunId = (value: unknown): value is string => typeof value === 'string' && /^[a-z0-9]{1,32}$/i.test(value)
const isTexts = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isText)

function isUndo(value: unknown): boolean {
  if (!isRecord(value) || !isText(value.cluster) || !isText(value.words)) return false
  if (value.path === undefined && value.method === undefined) return Object.keys(value).length === 2
  return (
    isText(value.method) &&
    isText(value.path) &&
    isAbsentOr(isTexts)(value.query) &&
    [value.body, value.restoration, value.url].every(isAbsentOr(isText)) &&
    isAbsentOr((refused) => typeof refused === 'boolean')(value.refused)
  )
}

function isLine(value: Fields): boolean {
  if (!isAbsentOr(isNumber)(value.n)) return false
  if (value.event === 'run')
    return isText(value.url) && isRunId(value.runId) && [value.cluster, value.journal].every(isAbsentOr(isText))
  if (!isNumber(value.id)) return false
  if (value.event === 'done') return true
  if (value.event === 'intend') return isUndo(value.undo)
  return value.event === 'resolve' && isUndo(value.undo) && isRecord(value.undo) && isText(value.undo.path)
}
