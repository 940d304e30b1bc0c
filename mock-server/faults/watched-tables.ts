/** Observes which cells of tables are read, and finds the cells in which two tables differ. A value that is not a plain
 * object (such as a function, a list or a set) is one cell. */

type Table = Readonly<Record<PropertyKey, unknown>>
type CellPath = readonly PropertyKey[]

const isTable = (value: unknown): value is Table => {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Returns the name of a cell: its keys from the top, joined by dots. */
export const nameOf = (path: CellPath): string => path.map(String).join('.')
/** The last part of the name of an outline: the cells that a table has, and their order. */
const outline = '{}'

/** Returns the paths of the cells in which `changed` differs from `plain`. */
export function changedCells(plain: unknown, changed: unknown, path: CellPath = []): readonly CellPath[] {
  if (Object.is(plain, changed)) return []
  if (!isTable(plain) || !isTable(changed)) return [path]
  const [before, after] = [Reflect.ownKeys(plain), Reflect.ownKeys(changed)]
  const isSameOutline = before.length === after.length && before.every((key, index) => key === after[index])
  return [
    ...(isSameOutline ? [] : [[...path, outline]]),
    ...[...new Set([...before, ...after])].flatMap((key) => changedCells(plain[key], changed[key], [...path, key])),
  ]
}

export const cellAt = (tables: unknown, path: CellPath): unknown =>
  path.reduce((table, key) => (isTable(table) ? table[key] : undefined), tables)

/** One call of a function in a cell: `this`, the arguments, and what it returned or threw. */
export interface CellCall {
  readonly by: unknown
  readonly given: readonly unknown[]
  readonly outcome: { readonly returned: unknown } | { readonly threw: unknown }
}

interface Watcher {
  /** Called before a cell is read for the first time. */
  read(cell: string): void
  /** Called after each call of a function in a cell. */
  called(cell: string, call: CellCall): void
}

/** Returns the same tables, with a watcher that is called when their cells are used. */
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
  const watch = (table: object, path: CellPath): object => {
    // Each member is wrapped only once, so that reading it twice returns the same object.
    const members = new Map<PropertyKey, unknown>()
    const wrap = (key: PropertyKey, value: unknown): unknown => {
      if (typeof value === 'function') return watchCalls(nameOf([...path, key]), value as Callable)
      return isTable(value) ? watch(value, [...path, key]) : value
    }
    return new Proxy(table, {
      get(target, key) {
        read(nameOf([...path, key]))
        if (!members.has(key)) members.set(key, wrap(key, Reflect.get(target, key)))
        return members.get(key)
      },
      has(target, key) {
        read(nameOf([...path, key]))
        return Reflect.has(target, key)
      },
      ownKeys(target) {
        read(nameOf([...path, outline]))
        return Reflect.ownKeys(target)
      },
    })
  }
  return isTable(tables) ? (watch(tables, []) as Tables) : tables
}
