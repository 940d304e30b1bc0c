/** Leaves out of a result what the flags of a comparison do not select. Pure. */
import { countsOf } from '../verdict/verdict.ts'
import type { Compared } from './comparison.ts'

/** Returns the checks of a result that are meant, with the causes of those. What was said of the whole run stays. */
export function narrowed({ result, document, ...rest }: Compared, isMeant: (id: string) => boolean): Compared {
  const own = Object.entries(result.checks).filter(([id]) => isMeant(id))
  const kept = [...new Set(own.flatMap(([, { cause }]) => cause ?? []))].toSorted((one, two) => one - two)
  const checks = own.map(([id, { cause, ...check }]) => {
    return [id, cause === undefined ? check : { ...check, cause: kept.indexOf(cause) }] as const
  })
  return {
    ...rest,
    result: {
      ...result,
      counts: countsOf(own.map(([, check]) => check)),
      causes: result.causes.filter((_, index) => kept.includes(index)),
      checks: Object.fromEntries(checks),
    },
    ...(document ? { document: { ...document, checks: document.checks.filter(({ id }) => isMeant(id)) } } : {}),
  }
}
