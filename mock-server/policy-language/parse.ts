/** Parses documents of the language in which RGPs and EGPs are written, and evaluates them. README.md in this folder
 * describes the supported part of the language. */
import { PolicySyntaxError } from '../kernel/acl/cursor.ts'
import { builtins } from './builtins.ts'
import { expression } from './expressions.ts'
import { imports } from './imports.ts'
import type { Properties } from './properties.ts'
import { Scope } from './scope.ts'
import { Source } from './source.ts'
import { readFunction, type Step, statement, topLevel } from './statements.ts'
import { Evaluation, EvaluationError, typeName, Undefined } from './values.ts'

/** The facts to which a document can refer, and the time of the request in milliseconds since the epoch. */
export interface Facts extends Properties {
  readonly now: number
}

/** A document passes if `main` is true. If `main` is neither true nor false, `reason` says why. */
export interface Outcome {
  readonly passes: boolean
  readonly reason?: string
  /** The lines that the document printed. */
  readonly printed: readonly string[]
}

export interface RuleDocument {
  evaluate(facts: Facts): Outcome
}

const longestDocument = 1 << 19

/** Parses a document. Throws only `PolicySyntaxError`, which has line and column. */
export function parseRules(text: string): RuleDocument {
  const source = new Source(text, readFunction)
  if (text.length > longestDocument) source.fail(`the document is longer than ${longestDocument} characters`)
  const steps: Step[] = []
  for (source.skipSpace(); !source.done; source.skipSpace()) {
    steps.push(documentStatement(source))
    source.skipSpace()
    source.skip(';')
  }
  source.assertResolved()
  if (!source.names.meaning('main')) source.fail('the document has no rule "main"')
  return { evaluate: (facts) => evaluated(text, steps, facts) }
}

function documentStatement(source: Source): Step {
  if (source.word('import')) return importStatement(source)
  if (source.word('param')) return parameter(source)
  return statement(source, topLevel)
}

function importStatement(source: Source): Step {
  source.skipSpace()
  const at = source.at
  const asked = source.quotedText()
  const found = Object.hasOwn(imports, asked) ? imports[asked] : undefined
  if (!found) return source.fail(`there is no import "${asked}" here; there are ${Object.keys(imports).join(', ')}`, at)
  const alias = source.word('as')
  source.skipSpace()
  const place = source.at
  const name = alias ? source.name() : asked
  source.assertFree(name, alias ? place : at)
  source.names.add(name, 'fixed')
  source.shapes.set(name, found.shape)
  return (scope) => void scope.declare(name, found.members(scope.evaluation))
}

/** Reads a parameter. Nothing else gives parameters a value, so each needs a default. */
function parameter(source: Source): Step {
  source.skipSpace()
  const at = source.at
  const name = source.name()
  source.assertFree(name, at)
  if (!source.word('default')) source.fail(`the parameter "${name}" needs a default: nothing else gives it a value`, at)
  const value = expression(source)
  source.names.add(name, 'fixed')
  return (scope) => void scope.declare(name, value(scope))
}

function evaluated(text: string, steps: readonly Step[], { now, ...facts }: Facts): Outcome {
  const evaluation = new Evaluation(now)
  const { printed } = evaluation
  try {
    const scope = new Scope(evaluation).inner({ ...facts, ...builtins }).inner()
    for (const step of steps) step(scope)
    const main = scope.get('main', 0)
    if (typeof main === 'boolean') return { passes: main, printed }
    if (main instanceof Undefined) throw new EvaluationError(`main is undefined: ${main.reason}`, main.offset)
    throw new EvaluationError(`main is ${typeName(main)}; expected true or false`)
  } catch (error) {
    return { passes: false, reason: reasonOf(error, text), printed }
  }
}

function reasonOf(error: unknown, text: string): string {
  // Documents that are nested too deeply for the stack fail like those that take too many steps.
  if (error instanceof RangeError) return 'the policy is nested too deeply'
  if (!(error instanceof EvaluationError)) throw error
  return error.offset === undefined ? error.message : new PolicySyntaxError(error.message, text, error.offset).message
}
