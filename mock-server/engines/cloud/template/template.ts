/** Checks and renders username templates. */
import { functions, isTrue, type Sources, type Value } from './functions.ts'
import { type Expression, type Part, parseTemplate, TemplateError } from './parse.ts'

const inputs = ['Type', 'DisplayName', 'PolicyName'] as const
export type Inputs = Readonly<Record<(typeof inputs)[number], string>>

function assertExpression(expression: Expression): void {
  if (expression.kind === 'input' && !(inputs as readonly string[]).includes(expression.name))
    throw new TemplateError(`.${expression.name} is not one of ${inputs.map((name) => `.${name}`).join(', ')}`)
  if (expression.kind !== 'call') return
  const known = functions[expression.name]
  if (!known) throw new TemplateError(`function "${expression.name}" is not known`)
  const [least, most] = known.takes
  if (expression.args.length < least || expression.args.length > most)
    throw new TemplateError(`${expression.name} takes ${least === most ? least : `${least} or more`} arguments`)
  expression.args.forEach(assertExpression)
}

function assertParts(parts: readonly Part[]): void {
  for (const part of parts) {
    if (part.kind === 'print') assertExpression(part.expression)
    if (part.kind !== 'if') continue
    for (const { condition, parts: inner } of part.branches) {
      if (condition) assertExpression(condition)
      assertParts(inner)
    }
  }
}

/** Throws a TemplateError if the template cannot be rendered. */
export function readTemplate(source: string): readonly Part[] {
  const parts = parseTemplate(source)
  assertParts(parts)
  return parts
}

export function render(source: string, given: Inputs, sources: Sources): string {
  const evaluate = (expression: Expression): Value => {
    if (expression.kind === 'value') return expression.value
    if (expression.kind === 'input') return given[expression.name as keyof Inputs]
    return functions[expression.name]?.run(sources, ...expression.args.map(evaluate)) ?? ''
  }
  const textOf = (parts: readonly Part[]): string =>
    parts
      .map((part) => {
        if (part.kind === 'text') return part.text
        if (part.kind === 'print') return String(evaluate(part.expression))
        const taken = part.branches.find(({ condition }) => !condition || isTrue(evaluate(condition)))
        return taken ? textOf(taken.parts) : ''
      })
      .join('')
  return textOf(readTemplate(source))
}
