/** Tells which cells of tables are read, and in which cells two tables differ. A cell is named by its way from the top.
 * Whatever is no plain object is one cell: functions, lists, sets. */

type Table = Readonly<Record<PropertyKey, unknown>>

const isTable = (value: unknown): value is Table => {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const below = (place: string, key: PropertyKey): string => `${place}.${String(key)}`
/** Which cells a table has, and in which order. */
const outline = (place: string): string => `${place}{}`

/** Names the cells in which `changed` is another table than `plain`. */
export function cellsBetween(plain: unknown, changed: unknown, place = ''): readonly string[] {
  if (Object.is(plain, changed)) return []
  if (!isTable(plain) || !isTable(changed)) return [place]
  const [before, after] = [Reflect.ownKeys(plain), Reflect.ownKeys(changed)]
  const isSameOutline = before.length === after.length && before.every((key, index) => key === after[index])
  return [
    ...(isSameOutline ? [] : [outline(place)]),
    ...[...new Set([...before, ...after])].flatMap((key) => cellsBetween(plain[key], changed[key], below(place, key))),
  ]
}

/** The same tables. `onRead` is told each cell before it is read for the first time. */
export function watched<Tables extends object>(tables: Tables, onRead: (cell: string) => void): Tables {
  const seen = new Set<string>()
  const read = (cell: string): void => {
    if (seen.has(cell)) return
    seen.add(cell)
    onRead(cell)
  }
  const watch = (table: object, place: string): object => {
    // A table within is the same object at each reading.
    const within = new Map<PropertyKey, object>()
    return new Proxy(table, {
      get(target, key) {
        read(below(place, key))
        const value: unknown = Reflect.get(target, key)
        if (!isTable(value)) return value
        const known = within.get(key)
        if (known) return known
        const inner = watch(value, below(place, key))
        within.set(key, inner)
        return inner
      },
      has(target, key) {
        read(below(place, key))
        return Reflect.has(target, key)
      },
      ownKeys(target) {
        read(outline(place))
        return Reflect.ownKeys(target)
      },
    })
  }
  return isTable(tables) ? (watch(tables, '') as Tables) : tables
}
