/** Replaces parts of an object without a change of the object. */

/** Returns the same store with other methods. Its own methods still call each other. */
export const withMethods = <Store extends object>(
  store: Store,
  methods: Readonly<Record<PropertyKey, unknown>>,
): Store =>
  new Proxy(store, {
    get(target, key) {
      if (Object.hasOwn(methods, key)) return methods[key]
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** Runs something while the members of a context are others. What runs must take them before it first waits. */
export function during<Context extends object, Result>(
  context: Context,
  members: Partial<Context>,
  run: () => Result,
): Result {
  const names = Object.keys(members) as (keyof Context)[]
  const before = Object.fromEntries(names.map((name) => [name, context[name]]))
  Object.assign(context, members)
  try {
    return run()
  } finally {
    Object.assign(context, before)
  }
}
