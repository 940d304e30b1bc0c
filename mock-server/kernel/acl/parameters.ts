import type { ParameterValues } from './policy.ts'
import type { ParameterRule } from './tables.ts'

export interface ParameterRules {
  readonly required?: readonly string[]
  readonly denied?: ParameterValues
  readonly allowed?: ParameterValues
}

type Given = readonly (readonly [name: string, value: unknown])[]

/** Each function returns how the parameters of a request break a rule, or undefined if they do not. */
const breaches: Readonly<Record<ParameterRule, (given: Given, rules: ParameterRules) => string | undefined>> = {
  required: (given, { required = [] }) => {
    const missing = required.find((name) => !given.some(([each]) => each === name))
    return missing === undefined ? undefined : `parameter "${missing}" is required`
  },
  denied: (given, { denied }) => {
    if (!denied || denied.size === 0) return undefined
    const found = given.find(([name, value]) => {
      const values = denied.get(name)
      return denied.has('*') || (values !== undefined && isListed(value, values))
    })
    return found && `parameter "${found[0]}" is denied`
  },
  allowed: (given, { allowed }) => {
    if (!allowed || allowed.size === 0) return undefined
    const found = given.find(([name, value]) => {
      const values = allowed.get(name)
      return values ? !isListed(value, values) : !allowed.has('*')
    })
    return found && `parameter "${found[0]}" is not allowed`
  },
}

/** Checks the rules in the order of `order`. Returns the first breach, or undefined. */
export function findBreach(
  parameters: Readonly<Record<string, unknown>>,
  rules: ParameterRules,
  order: readonly ParameterRule[],
): string | undefined {
  const given = Object.entries(parameters).map(([name, value]) => [name.toLowerCase(), value] as const)
  for (const rule of order) {
    const breach = breaches[rule](given, rules)
    if (breach !== undefined) return breach
  }
  return undefined
}

/** An empty list contains any value. A `*` at the start or the end of a listed string matches any text there. */
const isListed = (value: unknown, values: readonly unknown[]): boolean =>
  values.length === 0 || values.some((listed) => isSame(value, listed))

function isSame(value: unknown, listed: unknown): boolean {
  if (typeof listed !== 'string' || typeof value !== 'string') return JSON.stringify(value) === JSON.stringify(listed)
  const before = listed.startsWith('*')
  const after = listed.endsWith('*')
  if (before && after) return value.includes(listed.slice(1, -1))
  if (before) return value.endsWith(listed.slice(1))
  return after ? value.startsWith(listed.slice(0, -1)) : value === listed
}

/** Merges the rules of two policies on one path: the lists of values are joined, and a list that means any value
 * wins. */
export function mergeValues(
  a: ParameterValues | undefined,
  b: ParameterValues | undefined,
): ParameterValues | undefined {
  if (!a || !b) return a ?? b
  const merged = new Map(a)
  for (const [name, values] of b) {
    const known = merged.get(name)
    const any = values.length === 0 || known?.length === 0
    merged.set(name, any ? [] : [...(known ?? []), ...values])
  }
  return merged
}
