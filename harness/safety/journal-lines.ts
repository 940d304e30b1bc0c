/** The lines of a journal: JSON, one record each, numbered and signed. A signature covers the journal's id and the
 * number, so a line that was changed or copied from another journal does not verify, and a line that was moved is
 * detected by its number. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { JournalKey } from './journal-key.ts'

/** A request that takes one object back. It is always sent with the operator's token. */
export interface Undo {
  readonly cluster: string
  readonly method: string
  /** Relative to the dialect's prefix, with its percent escapes. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** A serialized JSON text. */
  readonly body?: string
  /** The request that made the object: `POST sys/policies/acl/assay-…`. */
  readonly words: string
  /** The name of the dialect's restoration, if one request is not enough. `url` is the cluster's at the time of the
   * run, because a profile may change. */
  readonly restoration?: string
  readonly url?: string
  /** True if every request to make the object was refused, so that an object which exists nevertheless may be somebody
   * else's. */
  readonly refused?: boolean
}

/** Two undos with the same key take back the same object. */
export const undoKey = ({ cluster, method, path, query, body }: Undo): string =>
  `${cluster} ${method} ${path} ${JSON.stringify(query ?? {})} ${body ?? ''}`

/** An object that only the reply names, such as a token by its accessor. Until it is resolved, it can only be found by
 * the run's name. */
export interface Unnamed {
  readonly cluster: string
  readonly words: string
}

export interface JournalHead {
  readonly url: string
  readonly runId: string
  /** A digest of the cluster's id, which detects another cluster at the same address. Absent if the target reported
   * none. */
  readonly cluster?: string
}

/** A change of the journal's state. */
export type Change =
  | { readonly event: 'intend'; readonly id: number; readonly undo: Undo | Unnamed }
  | { readonly event: 'resolve'; readonly id: number; readonly undo: Undo }
  | { readonly event: 'done'; readonly id: number }

export type Line =
  | Change
  | ({ readonly event: 'run'; readonly journal: string; readonly startedAt: string } & JournalHead)

/** A line with its number in the journal. Journals of older versions have no numbers. */
export type Numbered = { readonly n: number } & Line

const longestLine = 64 * 1024
/** Matches the end of a signed line. */
const signature = /^,"mac":"([0-9a-f]{64})"\}$/
const signatureLength = ',"mac":"'.length + 64 + '"}'.length

const macOf = (key: JournalKey, journal: string, text: string): Buffer =>
  createHmac('sha256', key).update(`${journal}\n${text}`).digest()

/** Returns the text of one line, without a line break; it is signed if there is a key. */
export function lineText(line: Numbered, journal: string, key: JournalKey | undefined): string {
  const text = JSON.stringify(line)
  return key ? `${text.slice(0, -1)},"mac":"${macOf(key, journal, text).toString('hex')}"}` : text
}

/** Parses a line without checking its signature. Returns undefined if the text is not a record. */
export function parseLine(text: string): Numbered | undefined {
  if (text.length > longestLine) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && isLine(value) ? (value as unknown as Numbered) : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a holder of the key wrote this line into this journal. A `run` line names its journal itself. */
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
/** A run id is part of every throw-away name, so it must not contain characters that could match other names. */
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
