/** A JSON body as a flat map of its fields, in which names, ids and times stand for themselves no more. */
import { isObject, type Json } from '../vocabulary/index.ts'
import { isMadeUp, normalised } from './normalise.ts'

export interface Leaf {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'list'
  /** Of a scalar: its text. Of a list: the texts of its scalars, in order. */
  readonly values: readonly string[]
  /** Of a list: it has items. */
  readonly isFilled?: boolean
  /** The path of the value that holds it. Absent for the whole. */
  readonly parent?: string
}

export interface Reading {
  /** Addresses of the target itself. */
  readonly addresses: readonly string[]
  /** Tells whether a text names an object of another check, which is there by chance. */
  readonly isForeign: (text: string) => boolean
}

export type Shape = ReadonlyMap<string, Leaf>

/** A nesting beyond it is not compared. */
const deepest = 12

export function shapeOf(json: Json, reading: Reading): Shape {
  const shape = new Map<string, Leaf>()
  walk(json, { shape, reading, path: '', depth: 0 })
  return shape
}

interface Place {
  readonly shape: Map<string, Leaf>
  readonly reading: Reading
  readonly path: string
  readonly parent?: string
  readonly depth: number
}

function walk(value: Json, place: Place): void {
  if (place.depth > deepest) return
  if (Array.isArray(value)) list(value, place)
  else if (isObject(value)) fields(value, place)
  else note(place, { type: value === null ? 'null' : (typeof value as 'string'), values: [textOf(value, place)] })
}

function fields(value: Readonly<Record<string, Json>>, place: Place): void {
  const { reading, path, depth } = place
  note(place, { type: 'object', values: [] })
  for (const [key, item] of Object.entries(value)) {
    if (reading.isForeign(key)) continue
    const name = normalised(key, reading.addresses)
    const own = isMadeUp(name) ? '*' : name
    walk(item, { ...place, path: path === '' ? own : `${path}.${own}`, parent: path, depth: depth + 1 })
  }
}

function list(items: readonly Json[], place: Place): void {
  const own = items.filter((item) => typeof item !== 'string' || !place.reading.isForeign(item))
  const isNested = (item: Json): boolean => typeof item === 'object' && item !== null
  const values = own.filter((item) => !isNested(item)).map((item) => textOf(item, place))
  note(place, { type: 'list', values, isFilled: own.length > 0 })
  for (const item of own.filter(isNested))
    walk(item, { ...place, path: `${place.path}[]`, parent: place.path, depth: place.depth + 1 })
}

/** Items of a list, and fields with made-up names, are one in the shape. */
function note({ shape, path, parent }: Place, leaf: Leaf): void {
  const before = shape.get(path)
  const values = before ? [...new Set([...before.values, ...leaf.values])].toSorted() : leaf.values
  shape.set(path, { ...leaf, values, ...(parent === undefined ? {} : { parent }) })
}

const textOf = (value: Json, { reading }: Place): string =>
  typeof value === 'string' ? normalised(value, reading.addresses) : String(value)
