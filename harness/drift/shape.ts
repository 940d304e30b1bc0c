/** Turns a JSON body into a flat map of its fields, in which names, ids and times are replaced by placeholders. */
import { isObject, type Json } from '../vocabulary/index.ts'
import { isMadeUp, normalised } from './normalise.ts'

export interface Leaf {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'list'
  /** The text of a scalar, or the texts of the scalars in a list, in order. Empty for an object. */
  readonly values: readonly string[]
  /** True if this is a list with items. */
  readonly isFilled?: boolean
  /** The path of the value that contains this one. Absent for the body itself. */
  readonly parent?: string
}

export interface Reading {
  /** Addresses of the target itself, such as `vault.example:8200`. */
  readonly addresses: readonly string[]
  /** Tells whether a text contains a throw-away name of another check. Such objects exist only because both checks
   * ran at the same time. */
  readonly isForeign: (text: string) => boolean
}

export type Shape = ReadonlyMap<string, Leaf>

/** Values that are nested deeper are not compared. */
const deepest = 12

export function shapeOf(json: Json, reading: Reading): Shape {
  const shape = new Map<string, Leaf>()
  walk(json, { shape, reading, path: '', depth: 0 })
  return shape
}

interface WalkContext {
  readonly shape: Map<string, Leaf>
  readonly reading: Reading
  readonly path: string
  readonly parent?: string
  readonly depth: number
}

function walk(value: Json, context: WalkContext): void {
  if (context.depth > deepest) return
  if (Array.isArray(value)) list(value, context)
  else if (isObject(value)) fields(value, context)
  else note(context, { type: value === null ? 'null' : (typeof value as 'string'), values: [textOf(value, context)] })
}

function fields(value: Readonly<Record<string, Json>>, context: WalkContext): void {
  const { reading, path, depth } = context
  note(context, { type: 'object', values: [] })
  for (const [key, item] of Object.entries(value)) {
    if (reading.isForeign(key)) continue
    const name = normalised(key, reading.addresses)
    const own = isMadeUp(name) ? '*' : name
    walk(item, { ...context, path: path === '' ? own : `${path}.${own}`, parent: path, depth: depth + 1 })
  }
}

function list(items: readonly Json[], context: WalkContext): void {
  const own = items.filter((item) => typeof item !== 'string' || !context.reading.isForeign(item))
  const isNested = (item: Json): boolean => typeof item === 'object' && item !== null
  const values = own.filter((item) => !isNested(item)).map((item) => textOf(item, context))
  note(context, { type: 'list', values, isFilled: own.length > 0 })
  for (const item of own.filter(isNested))
    walk(item, { ...context, path: `${context.path}[]`, parent: context.path, depth: context.depth + 1 })
}

/** Adds a value to the shape. Nested items of a list, and fields with generated names, share one path, so their
 * values are merged. */
function note({ shape, path, parent }: WalkContext, leaf: Leaf): void {
  const before = shape.get(path)
  const values = before ? [...new Set([...before.values, ...leaf.values])].toSorted() : leaf.values
  shape.set(path, { ...leaf, values, ...(parent === undefined ? {} : { parent }) })
}

const textOf = (value: Json, { reading }: WalkContext): string =>
  typeof value === 'string' ? normalised(value, reading.addresses) : String(value)
