/** Applies the operators of the language to two values. `undefined` is the value of what does not exist. */

export type Operator = (left: unknown, right: unknown) => unknown

const isSame = (left: unknown, right: unknown): boolean =>
  left === right ||
  (typeof left === 'object' && typeof right === 'object' && JSON.stringify(left) === JSON.stringify(right))

const ordered =
  (holds: (difference: number) => boolean): Operator =>
  (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return holds(left - right)
    if (typeof left === 'string' && typeof right === 'string') return holds(left < right ? -1 : left > right ? 1 : 0)
    return undefined
  }

/** The result is undefined if either side is. */
const strict =
  (operator: Operator): Operator =>
  (left, right) =>
    left === undefined || right === undefined ? undefined : operator(left, right)

function has(whole: unknown, part: unknown): boolean | undefined {
  if (Array.isArray(whole)) return whole.some((item) => isSame(item, part))
  if (typeof part !== 'string') return undefined
  if (typeof whole === 'string') return whole.includes(part)
  return typeof whole === 'object' && whole !== null ? Object.hasOwn(whole, part) : undefined
}

export const not = (value: unknown): unknown => (typeof value === 'boolean' ? !value : undefined)

const negated =
  (operator: Operator): Operator =>
  (left, right) =>
    not(operator(left, right))

const equal = strict(isSame)
const within = strict((left, right) => has(right, left))
const contains = strict(has)

/** The parser tries the operators in this order, so a longer spelling comes before its beginning. */
export const comparisons: readonly (readonly [spelling: string, operator: Operator])[] = [
  ['is not', negated(equal)],
  ['is', equal],
  ['==', equal],
  ['!=', negated(equal)],
  ['<=', ordered((difference) => difference <= 0)],
  ['>=', ordered((difference) => difference >= 0)],
  ['<', ordered((difference) => difference < 0)],
  ['>', ordered((difference) => difference > 0)],
  ['not in', negated(within)],
  ['in', within],
  ['not contains', negated(contains)],
  ['contains', contains],
]

/** Evaluates from left to right: a false left side decides alone, and otherwise an undefined side decides. */
export const and = (left: unknown, right: () => unknown): unknown => {
  if (left !== true) return left === false ? false : undefined
  const other = right()
  return typeof other === 'boolean' ? other : undefined
}

/** One true side is enough, even if the other one is undefined. */
export const or = (left: unknown, right: () => unknown): unknown => {
  if (left === true) return true
  const other = right()
  if (other === true) return true
  return left === false && other === false ? false : undefined
}

export const xor = (left: unknown, right: () => unknown): unknown => {
  const other = right()
  return typeof left === 'boolean' && typeof other === 'boolean' ? left !== other : undefined
}
