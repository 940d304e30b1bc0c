/** Lists the differences between two replies to the same request. */

import { defined } from '../vocabulary/defined.ts'
import type { DriftKind } from '../vocabulary/index.ts'
import { isMadeUp, isMoment, isPlaceholder, isSameNumber } from './normalise.ts'
import type { Leaf, Shape } from './shape.ts'
import type { Body, Step } from './steps.ts'

export interface Difference {
  readonly kind: DriftKind
  readonly field: string
  readonly first?: string
  readonly other?: string
}

/** If the status codes differ, the bodies differ for that reason, so only the status codes are reported. */
export function differencesOf(first: Step, other: Step): readonly Difference[] {
  if (first.attempt.status !== other.attempt.status)
    return [{ kind: 'status', field: '', first: `${first.attempt.status}`, other: `${other.attempt.status}` }]
  return [...headers(first.headers, other.headers), ...bodies(first.body, other.body)]
}

function headers(first: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): Difference[] {
  // Every server sends headers. If there are none, they were dropped from a result that had become too large.
  if (first.size === 0 || other.size === 0) return []
  return [...new Set([...first.keys(), ...other.keys()])].flatMap((field): Difference[] => {
    const [one, two] = [first.get(field), other.get(field)]
    return one === two ? [] : [{ kind: 'header', field, ...sides(one, two) }]
  })
}

function bodies(first: Body, other: Body): Difference[] {
  if (first.kind === 'unknown' || other.kind === 'unknown') return []
  if (first.kind !== other.kind) return [{ kind: 'body', field: '', first: first.kind, other: other.kind }]
  if (first.kind === 'text' && other.kind === 'text')
    return first.text === other.text ? [] : [{ kind: 'text', field: 'the body', first: first.text, other: other.text }]
  return first.kind === 'JSON' && other.kind === 'JSON' ? shapes(first.shape, other.shape) : []
}

function shapes(first: Shape, other: Shape): Difference[] {
  const paths = [...new Set([...first.keys(), ...other.keys()])]
  return paths.flatMap((path): readonly Difference[] => {
    const [one, two] = [first.get(path), other.get(path)]
    if (one && two) return leaves(path, one, two)
    return isReportedAbove(path, first, other)
      ? []
      : [{ kind: 'field', field: path, ...sides(one && leafText(one), two && leafText(two)) }]
  })
}

/** Tells whether a field is absent only because its parent is absent, has another type, or is an empty list. Then
 * the parent is reported as the difference. */
function isReportedAbove(path: string, first: Shape, other: Shape): boolean {
  const { parent } = first.get(path) ?? other.get(path) ?? {}
  if (parent === undefined) return true
  const [one, two] = [first.get(parent), other.get(parent)]
  return !one || !two || one.type !== two.type || one.isFilled !== two.isFilled
}

function leaves(field: string, one: Leaf, two: Leaf): readonly Difference[] {
  if (one.type !== two.type) return [{ kind: 'type', field, first: leafText(one), other: leafText(two) }]
  if (one.type === 'list') return lists(field, one, two)
  const [first = '', other = ''] = [one.values.join(', '), two.values.join(', ')]
  if (first === other || (one.type === 'number' && isSameNumber(field, Number(first), Number(other)))) return []
  return [{ kind: isMessage(field) ? 'text' : 'value', field, first: leafText(one), other: leafText(two) }]
}

function lists(field: string, one: Leaf, two: Leaf): readonly Difference[] {
  if (one.isFilled !== two.isFilled)
    return [{ kind: isMessage(field) ? 'text' : 'value', field, first: leafText(one), other: leafText(two) }]
  const [first, other] = [comparableItems(one), comparableItems(two)]
  const [onlyFirst, onlyOther] = [
    first.filter((text) => !other.includes(text)),
    other.filter((text) => !first.includes(text)),
  ]
  if (onlyFirst.length + onlyOther.length > 0)
    return [
      {
        kind: isMessage(field) ? 'text' : 'value',
        field: `${field}[]`,
        ...sides(joined(onlyFirst), joined(onlyOther)),
      },
    ]
  return first.join('\n') === other.join('\n')
    ? []
    : [{ kind: 'order', field: `${field}[]`, first: first.join(', '), other: other.join(', ') }]
}

/** Returns the items of a list without values that the server generates, which always differ. Throw-away names stay:
 * the check chooses them, so their order can be compared. */
const comparableItems = ({ values }: Leaf): readonly string[] => values.filter((text) => !isMadeUp(text))

const joined = (texts: readonly string[]): string | undefined => (texts.length === 0 ? undefined : texts.join(', '))

const isMessage = (field: string): boolean => /^(errors|warnings)\b/.test(field)

function leafText({ type, values, isFilled }: Leaf): string {
  switch (type) {
    case 'object':
      return 'an object'
    case 'list':
      return isFilled ? (values.length > 0 ? `[${values.join(', ')}]` : 'a list') : 'an empty list'
    case 'number':
      return isMoment(Number(values[0])) ? '{time}' : values.join(', ')
    case 'string':
      return values.every(isPlaceholder) ? values.join(', ') : JSON.stringify(values.join(', '))
    default:
      return values.join(', ')
  }
}

const sides = (first: string | undefined, other: string | undefined): Pick<Difference, 'first' | 'other'> =>
  defined({ first, other })
