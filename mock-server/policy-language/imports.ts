/** The imports of the language that this server supports: `strings`, `time`, `types` and `json`. */
import { fromJson, strictly } from './builtins.ts'
import type { Shape } from './properties.ts'
import { timeImport, timeShape } from './time.ts'
import { Callable, type Evaluation, EvaluationError, shown, typeName } from './values.ts'

type Members = Readonly<Record<string, unknown>>
type Texts = (given: readonly string[], evaluation: Evaluation) => unknown

/** Returns a function of the language whose arguments must be strings. */
const ofTexts = (name: string, arity: number, run: Texts): Callable =>
  new Callable(
    name,
    arity,
    strictly((given, evaluation) => {
      const wrong = given.find((value) => typeof value !== 'string')
      if (wrong !== undefined) throw new EvaluationError(`${name} needs strings, found ${typeName(wrong)}`)
      evaluation.spend(given.reduce((sum: number, text) => sum + (text as string).length, 0) / 100)
      return run(given as readonly string[], evaluation)
    }),
  )

function join([list, separator]: readonly unknown[], evaluation: Evaluation): string {
  if (!Array.isArray(list) || typeof separator !== 'string' || list.some((item) => typeof item !== 'string'))
    throw new EvaluationError('strings.join needs a list of strings and a separator')
  return evaluation.joined(list, separator)
}

const trimmedLeft = (text: string, set: string): string => {
  let from = 0
  while (from < text.length && set.includes(text.charAt(from))) from++
  return text.slice(from)
}
const trimmedRight = (text: string, set: string): string => {
  let to = text.length
  while (to > 0 && set.includes(text.charAt(to - 1))) to--
  return text.slice(0, to)
}

const withTexts: Readonly<Record<string, readonly [arity: number, run: Texts]>> = {
  contains: [2, ([text = '', part = '']) => text.includes(part)],
  has_prefix: [2, ([text = '', prefix = '']) => text.startsWith(prefix)],
  has_suffix: [2, ([text = '', suffix = '']) => text.endsWith(suffix)],
  replace: [
    3,
    ([text = '', old = '', by = ''], evaluation) => evaluation.joined(old === '' ? [text] : text.split(old), by),
  ],
  split: [2, ([text = '', separator = ''], evaluation) => evaluation.made(text.split(separator))],
  to_lower: [1, ([text = '']) => text.toLowerCase()],
  to_upper: [1, ([text = '']) => text.toUpperCase()],
  trim: [2, ([text = '', set = '']) => trimmedRight(trimmedLeft(text, set), set)],
  trim_left: [2, ([text = '', set = '']) => trimmedLeft(text, set)],
  trim_prefix: [2, ([text = '', prefix = '']) => (text.startsWith(prefix) ? text.slice(prefix.length) : text)],
  trim_right: [2, ([text = '', set = '']) => trimmedRight(text, set)],
  trim_space: [1, ([text = '']) => text.trim()],
  trim_suffix: [
    2,
    ([text = '', suffix = '']) => (text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text),
  ],
}

const strings: Members = {
  ...Object.fromEntries(
    Object.entries(withTexts).map(([name, [arity, run]]) => [name, ofTexts(`strings.${name}`, arity, run)]),
  ),
  join: new Callable('strings.join', 2, strictly(join)),
}

const types: Members = { type_of: new Callable('types.type_of', 1, ([value]) => typeName(value)) }

function unmarshalled([text = '']: readonly string[], evaluation: Evaluation): unknown {
  try {
    return fromJson(JSON.parse(text), evaluation)
  } catch (error) {
    if (error instanceof SyntaxError) throw new EvaluationError('json.unmarshal: the text is not JSON')
    throw error
  }
}

const json: Members = {
  marshal: new Callable(
    'json.marshal',
    1,
    strictly(([value], evaluation) =>
      evaluation.text(typeof value === 'string' ? JSON.stringify(value) : shown(value)),
    ),
  ),
  unmarshal: ofTexts('json.unmarshal', 1, unmarshalled),
}

const shapeOf = (members: Members): Shape =>
  Object.fromEntries(Object.keys(members).map((name): [string, Shape] => [name, 'value']))

interface Import {
  readonly shape: Shape
  readonly members: (evaluation: Evaluation) => Members
}

export const imports: Readonly<Record<string, Import>> = {
  json: { shape: shapeOf(json), members: () => json },
  strings: { shape: shapeOf(strings), members: () => strings },
  time: { shape: timeShape, members: ({ now }) => timeImport(now) },
  types: { shape: shapeOf(types), members: () => types },
}
