/** The format of a state file: a line with the whole state, and a line for each group of changes since. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { applied, type Change, type Json } from './state-changes.ts'

const schema = 'assay/state/1'

interface StateFile {
  readonly schema: typeof schema
  /** The SHA-256 of the JSON of `state`. A file that was truncated or edited is refused. */
  readonly sum: string
  readonly state: Readonly<Record<string, unknown>>
}

const sumOf = (json: string): string => createHash('sha256').update(json).digest('hex')

const isStateFile = (value: unknown): value is StateFile =>
  typeof value === 'object' && value !== null && 'schema' in value && value.schema === schema && 'state' in value

function refuse(file: string, reason: string): never {
  throw new Error(`state file ${file} ${reason}; it was not changed: move it away, or name another file`)
}

export interface SavedState {
  readonly state: StateFile['state']
  /** Says that the last line was incomplete and is left out. */
  readonly note?: string
}

/** Reads the state from a file. Returns undefined if the file does not exist. Throws an error with the name of the file
 * if it cannot be used. */
export function readState(file: string): SavedState | undefined {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return refuse(file, `cannot be read (${(error as Error).message})`)
  }
  return stateIn(file, bytes)
}

export function stateIn(file: string, bytes: Buffer): SavedState {
  const end = bytes.indexOf(newline) + 1
  const [first, changes] =
    end === 0 ? [bytes, bytes.subarray(bytes.length)] : [bytes.subarray(0, end), bytes.subarray(end)]
  const state = parseState(first.toString('utf8'), (reason) => refuse(file, reason))
  return replayed(file, state, sumIn(first), changes, end)
}

const newline = 10

/** Returns the sum in the first line of a state file. */
const sumIn = (first: Buffer): string => /"sum":"([0-9a-f]{64})"/.exec(first.toString('latin1', 0, 200))?.[1] ?? ''

/** Applies the lines with changes, each of which contains the sum of everything before it and of itself. */
function replayed(file: string, state: StateFile['state'], sum: string, lines: Buffer, offset: number): SavedState {
  let [latest, changed, at] = [sum, state as Json, 0]
  while (at < lines.length) {
    const end = lines.indexOf(newline, at)
    if (end < 0) {
      const note = `state file ${file}: the last change was not written completely, and was cut off (${lines.length - at} bytes at offset ${offset + at})`
      return { state: changed as StateFile['state'], note }
    }
    const line = lines.toString('utf8', at, end)
    const json = line.slice(sumLength + 1)
    latest = sumAfter(latest, json)
    if (line.slice(0, sumLength) !== latest)
      refuse(file, `is corrupt at offset ${offset + at}: the checksum does not match`)
    changed = applied(changed, JSON.parse(json) as Change)
    at = end + 1
  }
  return { state: changed as StateFile['state'] }
}

const sumLength = 64
const sumAfter = (sum: string, json: string): string => sumOf(sum + json)

/** Returns the line for a change, and the sum that the next line continues. */
export function lineOf(change: Change, sum: string): { readonly line: string; readonly sum: string } {
  const json = JSON.stringify(change)
  const next = sumAfter(sum, json)
  return { line: `${next} ${json}\n`, sum: next }
}

/** Reads the text of a snapshot. Calls `refused` with the reason if it cannot be used. */
export function parseState(text: string, refused: (reason: string) => never): StateFile['state'] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return refused('is corrupt: it is not JSON')
  }
  if (!isStateFile(parsed)) return refused(`is not a state of this server (${schema})`)
  if (sumOf(JSON.stringify(parsed.state)) !== parsed.sum) return refused('is corrupt: its checksum does not match')
  return parsed.state
}

/** Returns the text of a snapshot, which is the first line of a state file, and its sum. */
export function snapshotOf(state: Readonly<Record<string, unknown>>): { readonly text: string; readonly sum: string } {
  const json = JSON.stringify(state)
  const sum = sumOf(json)
  return { text: `{"schema":"${schema}","sum":"${sum}","state":${json}}\n`, sum }
}

export const textOf = (state: Readonly<Record<string, unknown>>): string => snapshotOf(state).text
