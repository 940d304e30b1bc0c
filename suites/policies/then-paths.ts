/** The marks of paths in the list of EGPs: which are globs. */
import { DoesNotApply, isObject, type Json, type JsonObject, mismatch, shown } from '../../harness/vocabulary/index.ts'
import { expectation } from '../records.ts'
import { entryOf, path } from './then.ts'

const isMark = (item: Json): boolean => typeof item === 'boolean' || item === 'true' || item === 'false'

/** Returns the marks of a path, such as `"glob": true`. */
const globMarks = (entry: Json | undefined): readonly string[] =>
  isObject(entry)
    ? Object.entries(entry).flatMap(([key, value]) => (/glob/i.test(key) && isMark(value) ? [`${key}: ${value}`] : []))
    : []

/** Yields the marks of the path in an object. The path may be a value of the object, or the key of a mark or of an
 * object with a mark. */
function* marksInObject(value: JsonObject, isPath: (text: string) => boolean): Generator<string> {
  if (isPath(String(value.path ?? ''))) yield* globMarks(value)
  for (const [key, item] of Object.entries(value)) {
    if (!isPath(key)) continue
    if (isMark(item)) yield String(item)
    else yield* globMarks(item)
  }
}

/** Yields the marks of the path anywhere in an entry. In a list, a mark may be next to the path. */
function* marksFor(value: Json | undefined, isPath: (text: string) => boolean): Generator<string> {
  if (Array.isArray(value)) {
    const items = value as readonly Json[]
    if (items.some((item) => typeof item === 'string' && isPath(item))) yield* items.filter(isMark).map(String)
    for (const item of items) yield* marksFor(item, isPath)
  } else if (isObject(value)) {
    yield* marksInObject(value, isPath)
    for (const item of Object.values(value)) yield* marksFor(item, isPath)
  }
}

/** Expects that, of two paths of one policy, `exact` has another mark than the glob. The documents do not define the
 * format of the map: if it does not mark each of the two paths, the expectation does not apply. */
export const marked = (name: string, exact: string, glob: string) =>
  expectation(
    `\`name_path_map\` marks \`${glob}*\` and \`${exact}\` of \`${name}\` differently`,
    ({ reply, scope }) => {
      const entry = entryOf(reply, scope, name)
      const marksOf = (wanted: string): readonly string[] => [
        ...marksFor(entry, (text) => path(text).replace(/\*$/, '') === path(scope.fill(wanted))),
      ]
      const [one, other] = [marksOf(exact), marksOf(glob)]
      if (entry !== undefined && (one.length === 0 || other.length === 0))
        throw DoesNotApply.shown(reply, `${reply.asked} does not mark each path as a glob or not`)
      if (one.join() !== other.join()) return undefined
      return mismatch(reply, 'name_path_map', 'two paths with different marks', shown(entry ?? []))
    },
  )
