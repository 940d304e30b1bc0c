/** Finds places in the source: where a record was made, or where its id is written. In the published package these are
 * places in its compiled files, because it contains no others. */
import { globSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CallSite } from '../../vocabulary/index.ts'
import { packageRoot } from '../version.ts'
import { type Literal, patternsIn, weightOf, wholeIn } from './literals.ts'

const codeRoot = resolve(import.meta.dirname, '../../..')
const ending = import.meta.url.slice(import.meta.url.lastIndexOf('.'))

interface Place {
  readonly file: string
  readonly line: number
}

/** Returns a place relative to the folder with package.json: `suites/policies/errors.ts:36`. */
const shown = ({ file, line }: Place): string => `${relative(packageRoot, file).replaceAll('\\', '/')}:${line}`

const framePattern = /(?:at |\()((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()]*?)(?:\?[^:]*)?:(\d+):\d+\)?$/

/** Returns the stack frames in the project's own files, the innermost first. */
function framesOf({ stack = '' }: CallSite): readonly Place[] {
  const frames: Place[] = []
  for (const line of stack.split('\n')) {
    const known = frameByLine.get(line)
    const frame = known === undefined ? frameOf(line) : known
    if (known === undefined) frameByLine.set(line, frame)
    if (frame) frames.push(frame)
  }
  return frames
}

/** Frames by the line of a stack trace, cached because the outer calls are the same for all records of a file. */
const frameByLine = new Map<string, Place | null>()

function frameOf(line: string): Place | null {
  const [, path, number] = framePattern.exec(line) ?? []
  if (path === undefined) return null
  const file = path.startsWith('file:') ? fileURLToPath(path) : path
  return file.startsWith(codeRoot) && file.endsWith(ending) ? { file, line: Number(number) } : null
}

/** A file that may contain the id. */
interface PossibleSource {
  readonly file: string
  /** How closely the path of the file is related to what is looked for. */
  readonly bearing?: number
  /** The line of a call in the file. */
  readonly near?: number
}

/** Prefers the literal id to a pattern; then the file with the most closely related path, then the longer pattern, then
 * the nearer line. There are many patterns, so they are searched only if the literal id is not found. */
const bestOf = (possible: readonly PossibleSource[], ids: readonly string[]): Place | undefined =>
  bestAmong(possible, ids, wholeIn) ?? bestAmong(possible, ids, patternsIn)

function bestAmong(
  possible: readonly PossibleSource[],
  ids: readonly string[],
  literalsIn: (file: string, ids: readonly string[]) => readonly Literal[],
): Place | undefined {
  let best: (Place & { readonly rank: readonly number[] }) | undefined
  for (const { file, bearing = 0, near = 0 } of possible)
    for (const literal of literalsIn(file, ids)) {
      const weight = ids.reduce((most, id) => Math.max(most, weightOf(literal, id)), 0)
      if (weight === 0) continue
      const rank = [bearing, weight, -Math.abs(literal.line - near)]
      if (!best || compared(rank, best.rank) > 0) best = { file, line: literal.line, rank }
    }
  return best
}

const compared = (one: readonly number[], other: readonly number[]): number =>
  one.map((value, at) => value - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0

/** Returns where the id is written in a file that took part in making the record, else the innermost of the calls. */
export function placeOfCall(site: CallSite | undefined, id: string): string | undefined {
  const frames = framesOf(site ?? {})
  const possible = frames.map(({ file, line }) => ({ file, near: line }))
  const place = bestOf(possible, [id]) ?? frames[0]
  return place && shown(place)
}

/** Returns the code files at a path below the project, or in the folder of that name, without tests. */
const filesAt = (path: string): readonly string[] =>
  globSync([`${path}${ending}`, `${path}/**/*${ending}`], { cwd: codeRoot })
    .filter((file) => !/\.(test|test-bed)\.ts$/.test(file))
    .map((file) => join(codeRoot, file))
    .sort()

const listed = new Map<string, readonly string[]>()
const pathWords = new Map<string, readonly string[]>()

function wordsOf(file: string): readonly string[] {
  const words = pathWords.get(file) ?? relative(codeRoot, file).split(/[\\/.-]/)
  pathWords.set(file, words)
  return words
}

/** Returns where one of the spellings of an id is written in the code at a path. If several match, the file whose path
 * shares the most words with `about` wins. */
export function placeOfText(path: string, ids: readonly string[], about = ''): string | undefined {
  const files = listed.get(path) ?? filesAt(path)
  listed.set(path, files)
  const words = about.split('-')
  const possible = files.map((file) => ({ file, bearing: words.filter((word) => wordsOf(file).includes(word)).length }))
  const place = bestOf(possible, ids)
  return place && shown(place)
}
