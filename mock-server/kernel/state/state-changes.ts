/** Finds what has changed between two states, and applies it. A state is plain JSON; most of it is lists of pairs, the
 * entries of maps. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Container = Json[] | Record<string, Json>
type Entry = [key: string, value: Json]

/** - `is`: the new value.
 * - `entries`: the places of pairs that were deleted from a list of pairs, and the changes of those that are left, by their new
 *   place; new ones come last.
 * - `items`: the new length of another list, and the changes by index.
 * - `fields`: the names that were deleted from an object, and the changes of others. */
export type Change =
  | readonly ['is', Json]
  | readonly ['entries', readonly number[], readonly (readonly [number, Change])[]]
  | readonly ['items', number, readonly (readonly [number, Change])[]]
  | readonly ['fields', readonly string[], readonly (readonly [string, Change])[]]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Copies the containers of a value as JSON would show it, and shares its texts. */
export function copyOf(value: unknown): Json {
  if (Array.isArray(value)) return value.map((item) => copyOf(item))
  if (!isObject(value)) return (value ?? null) as Json
  if ('toJSON' in value) return JSON.parse(JSON.stringify(value)) as Json
  const copy: Record<string, Json> = {}
  for (const [name, item] of Object.entries(value)) if (item !== undefined) setField(copy, name, copyOf(item))
  return copy
}

/** A plain assignment to `__proto__` would not make a field. For other names, it is the faster form, also for later reads. */
function setField(object: Record<string, Json>, name: string, value: Json): void {
  if (name === '__proto__') Object.defineProperty(object, name, { ...ofField, value })
  else object[name] = value
}
const ofField = { configurable: true, enumerable: true, writable: true } as const

const isEntries = (list: readonly unknown[]): list is readonly (readonly [string, unknown])[] =>
  list.length > 0 && list.every((item) => Array.isArray(item) && item.length === 2 && typeof item[0] === 'string')

/** Changes `kept`, which `copyOf` made, into a copy of `now`. Returns what was changed, or undefined. It is called for the
 * whole state after each change, so nothing is allocated for what stays the same. */
export function update(kept: Json, now: unknown): Change | undefined {
  if (Object.is(kept, now) || (kept === null && now === undefined)) return undefined
  if (Array.isArray(kept) && Array.isArray(now)) {
    const isKeyed = (kept.length === 0 || isEntries(kept)) && isEntries(now)
    return isKeyed ? updateEntries(kept as Entry[], now) : updateItems(kept, now)
  }
  if (isObject(kept) && isObject(now) && !('toJSON' in now)) return updateFields(kept as Record<string, Json>, now)
  const copy = copyOf(now)
  return isSame(kept, copy) ? undefined : ['is', copy]
}

/** Only values that JSON shows in another form than they have need this comparison. */
const isSame = (kept: Json, copy: Json): boolean =>
  typeof kept === 'object' && typeof copy === 'object' && JSON.stringify(kept) === JSON.stringify(copy)

/** Changes the value in a container in place, or replaces it. */
function updateAt<Key extends string | number>(
  container: Record<Key, Json>,
  key: Key,
  now: unknown,
  changes: (readonly [Key, Change])[],
): void {
  const change = update(container[key], now)
  if (!change) return
  if (change[0] === 'is') container[key] = change[1]
  changes.push([key, change])
}

function updateEntries(kept: Entry[], now: readonly (readonly [string, unknown])[]): Change | undefined {
  const changes: (readonly [number, Change])[] = []
  const deleted: number[] = []
  let staying = 0
  let place = -1
  for (const entry of kept) {
    place += 1
    const other = now[staying]
    if (other?.[0] !== entry[0]) {
      deleted.push(place)
      continue
    }
    const change = update(entry[1], other[1])
    if (change?.[0] === 'is') entry[1] = change[1]
    if (change) changes.push([staying, change])
    kept[staying++] = entry
  }
  kept.length = staying
  for (const [key, value] of now.slice(staying)) {
    const entry: Entry = [key, copyOf(value)]
    changes.push([kept.length, ['is', entry]])
    kept.push(entry)
  }
  return deleted.length + changes.length === 0 ? undefined : ['entries', deleted, changes]
}

function updateItems(kept: Json[], now: readonly unknown[]): Change | undefined {
  const changes: (readonly [number, Change])[] = []
  const isResized = kept.length !== now.length
  kept.length = Math.min(kept.length, now.length)
  for (const [index, value] of now.entries()) {
    if (index < kept.length) updateAt(kept, index, value, changes)
    else {
      const copy = copyOf(value)
      kept.push(copy)
      changes.push([index, ['is', copy]])
    }
  }
  return isResized || changes.length > 0 ? ['items', now.length, changes] : undefined
}

const has = (fields: Readonly<Record<string, unknown>>, name: string): boolean =>
  Object.hasOwn(fields, name) && fields[name] !== undefined

function updateFields(kept: Record<string, Json>, now: Readonly<Record<string, unknown>>): Change | undefined {
  const changes: (readonly [string, Change])[] = []
  const deleted: string[] = []
  for (const name in kept) if (!has(now, name)) deleted.push(name)
  for (const name of deleted) delete kept[name]
  for (const name in now) {
    if (!has(now, name)) continue
    const value = now[name]
    if (Object.hasOwn(kept, name)) updateAt(kept, name, value, changes)
    else {
      const copy = copyOf(value)
      setField(kept, name, copy)
      changes.push([name, ['is', copy]])
    }
  }
  return deleted.length + changes.length === 0 ? undefined : ['fields', deleted, changes]
}

/** Applies a change to a value in place, and returns the changed value. Throws if they do not fit. */
export function applied(value: Json | undefined, change: Change): Json {
  if (change[0] === 'is') return change[1]
  if (typeof value !== 'object' || value === null) throw new TypeError('a change of a value that has no parts')
  if (change[0] === 'entries') return entriesApplied(value as Entry[], change[1], change[2])
  const container = value as Container & Record<string | number, Json>
  if (change[0] === 'items') (container as Json[]).length = change[1]
  else for (const name of change[1]) delete container[name]
  for (const [key, inner] of change[2])
    Object.defineProperty(container, key, { ...ofField, value: applied(container[key], inner) })
  return container
}

function entriesApplied(
  entries: Entry[],
  deleted: readonly number[],
  changes: readonly (readonly [number, Change])[],
): Json {
  const gone = new Set(deleted)
  const staying = gone.size === 0 ? entries : entries.filter((_, place) => !gone.has(place))
  for (const [place, change] of changes) {
    const entry = staying[place]
    if (entry) entry[1] = applied(entry[1], change)
    else staying.push(applied(undefined, change) as Entry)
  }
  return staying
}
