/** Tells which cells of tables are read, and in which cells two tables differ. Whatever is no plain object is one cell:
 * functions, lists, sets. */

type Table = Readonly<Record<PropertyKey, unknown>>
type Place = readonly PropertyKey[]

const isTable = (value: unknown): value is Table => {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Names a cell by its way from the top. */
export const nameOf = (place: Place): string => place.map(String).join('.')
/** The end of the name under which a table tells which cells it has, and in which order. */
const outline = '{}'

/** Finds the places in which `changed` is another table than `plain`. */
export function placesBetween(plain: unknown, changed: unknown, place: Place = []): readonly Place[] {
  if (Object.is(plain, changed)) return []
  if (!isTable(plain) || !isTable(changed)) return [place]
  const [before, after] = [Reflect.ownKeys(plain), Reflect.ownKeys(changed)]
  const isSameOutline = before.length === after.length && before.every((key, index) => key === after[index])
  return [
    ...(isSameOutline ? [] : [[...place, outline]]),
    ...[...new Set([...before, ...after])].flatMap((key) => placesBetween(plain[key], changed[key], [...place, key])),
  ]
}

export const cellAt = (tables: unknown, place: Place): unknown =>
  place.reduce((table, key) => (isTable(table) ? table[key] : undefined), tables)

/** What a call of a function in a cell was given, and returned or threw. */
export interface CellCall {
  readonly by: unknown
  readonly given: readonly unknown[]
  readonly outcome: { readonly returned: unknown } | { readonly threw: unknown }
}

interface Watcher {
  /** Is told each cell before it is read for the first time. */
  read(cell: string): void
  /** Is told each call of a function in a cell. */
  called(cell: string, call: CellCall): void
}

/** The same tables. */
export function watched<Tables extends object>(tables: Tables, watcher: Watcher): Tables {
  const seen = new Set<string>()
  const read = (cell: string): void => {
    if (seen.has(cell)) return
    seen.add(cell)
    watcher.read(cell)
  }
  type Callable = (this: unknown, ...given: unknown[]) => unknown
  const watchCalls = (cell: string, run: Callable): Callable =>
    function (this: unknown, ...given) {
      const call = { by: this, given }
      try {
        const returned = Reflect.apply(run, this, given)
        watcher.called(cell, { ...call, outcome: { returned } })
        return returned
      } catch (threw) {
        watcher.called(cell, { ...call, outcome: { threw } })
        throw threw
      }
    }
  const watch = (table: object, place: Place): object => {
    // What is within is the same at each reading.
    const within = new Map<PropertyKey, unknown>()
    const inner = (key: PropertyKey, value: unknown): unknown => {
      if (typeof value === 'function') return watchCalls(nameOf([...place, key]), value as Callable)
      return isTable(value) ? watch(value, [...place, key]) : value
    }
    return new Proxy(table, {
      get(target, key) {
        read(nameOf([...place, key]))
        if (!within.has(key)) within.set(key, inner(key, Reflect.get(target, key)))
        return within.get(key)
      },
      has(target, key) {
        read(nameOf([...place, key]))
        return Reflect.has(target, key)
      },
      ownKeys(target) {
        read(nameOf([...place, outline]))
        return Reflect.ownKeys(target)
      },
    })
  }
  return isTable(tables) ? (watch(tables, []) as Tables) : tables
}
