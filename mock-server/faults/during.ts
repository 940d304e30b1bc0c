import { withMethods } from './fault-set.ts'

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

export { withMethods }
