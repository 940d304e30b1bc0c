/** Decides which requests of a journal may be sent. A journal is a file that anybody may change, so a request is sent
 * only if it has the form of an undo of the dialect or of a check, with a throw-away name of that run or with an id. */
import { type Exchange, isObject, type Json } from '../vocabulary/index.ts'
import { isRunId, type Undo } from './journal-lines.ts'
import { escaped, runPrefixOf } from './names.ts'

/** An undo as a check or the dialect declares it. `isThrowAway` says which of its `{names}` are throw-away names; any
 * other name is the id of an object that the server or the check made. */
export interface UndoTemplate {
  readonly undo: Exchange
  isThrowAway(name: string): boolean
}

export type Accepted =
  /** `isNamed`: the path contains a throw-away name of the run, so the undo cannot affect anything else. */
  { readonly isNamed: boolean } | { readonly refused: string }

export type Accept = (undo: Undo) => Accepted

/** Matches ids, accessors and versions, but nothing that could end a path segment or escape from it. */
const id = '(?!assay-)(?!\\S*\\.\\.)[A-Za-z0-9][A-Za-z0-9._:+~-]{0,127}'
/** Used where other checks put a throw-away name, because any name would match the pattern of an id there. */
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const longestBody = 4096

interface Shape {
  readonly method: string
  readonly path: RegExp
  readonly isNamed: boolean
  readonly query: ReadonlyMap<string, RegExp>
  readonly body: ReadonlyMap<string, RegExp> | undefined
  readonly restoration: string | undefined
}

export function acceptFor(templates: readonly UndoTemplate[], runId: string): Accept {
  const refuse = (why: string): Accepted => ({ refused: why })
  if (!isRunId(runId)) return () => refuse('its run has no valid id')
  const named = new Set(templates.filter(isNamed).map(({ undo }) => outline(undo)))
  const shapes = new Map(
    templates.map((one) => [
      sourceOf(one),
      shapeOf(one, runId, !isNamed(one) && named.has(outline(one.undo)) ? uuid : id),
    ]),
  )
  return (undo) => {
    const fitting = [...shapes.values()].filter((shape) => fits(shape, undo))
    if (fitting.length === 0) return refuse(`it is not a request that takes back what the run ${runId} made`)
    return { isNamed: fitting.some((shape) => shape.isNamed) }
  }
}

const sourceOf = ({ undo, isThrowAway }: UndoTemplate): string => {
  const { method, path, query, body, restoration } = undo
  const names = `${path}${JSON.stringify([query, body])}`.match(/\{[\w-]+\}/g) ?? []
  return JSON.stringify([method, path, query, body, restoration, names.map((name) => isThrowAway(name.slice(1, -1)))])
}

const isNamed = ({ undo, isThrowAway }: UndoTemplate): boolean => namesIn(undo.path).some(isThrowAway)
const outline = ({ method, path }: Exchange): string => `${method} ${path.replace(template, '{}')}`

function shapeOf({ undo, isThrowAway }: UndoTemplate, runId: string, idInPath: string): Shape {
  const { method, path, query = {}, body, rawBody, restoration } = undo
  if (rawBody !== undefined || (body !== undefined && !isObject(body)))
    throw new TypeError(`the undo ${method} ${path} has a body that is not an object`)
  const pattern = (text: string, ids = id) => patternOf(text, runId, isThrowAway, ids)
  return {
    ...{ method, path: pattern(path, idInPath), restoration },
    isNamed: isNamed({ undo, isThrowAway }),
    // A value without a name, such as a version, varies from check to check.
    query: new Map(Object.entries(query).map(([name, text]) => [name, text.includes('{') ? pattern(text) : whole(id)])),
    body:
      body === undefined
        ? undefined
        : new Map(Object.entries(body).map(([name, value]) => [name, pattern(textOf(value, undo))])),
  }
}

function textOf(value: Json, { method, path }: Exchange): string {
  if (typeof value === 'string') return value
  throw new TypeError(`the undo ${method} ${path} has a body with a value that is not a string`)
}

const template = /\{([A-Za-z][\w-]*)\}/g
const namesIn = (text: string): string[] => [...text.matchAll(template)].map(([, name = '']) => name)
const whole = (source: string): RegExp => new RegExp(`^${source}$`)

function patternOf(text: string, runId: string, isThrowAway: (name: string) => boolean, ids: string): RegExp {
  const throwAway = `${escaped(runPrefixOf(runId))}-[0-9]{1,9}-[A-Za-z0-9][A-Za-z0-9-]{0,79}`
  const parts = text.split(template)
  return whole(
    parts.map((part, index) => (index % 2 === 0 ? inEitherCase(part) : isThrowAway(part) ? throwAway : ids)).join(''),
  )

  /** A name of an object on a throw-away mount may begin with a capital letter. */
  function inEitherCase(part: string): string {
    if (!text.startsWith('{')) return escaped(part)
    return escaped(part).replaceAll(/(?<=\/)[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
  }
}

function fits({ method, path, query, body, restoration }: Shape, undo: Undo): boolean {
  if (undo.method !== method || undo.restoration !== restoration || !path.test(plain(undo.path))) return false
  if (!fitsEach(query, undo.query ?? {})) return false
  if (body === undefined) return undo.body === undefined
  return undo.body !== undefined && fitsEach(body, bodyOf(undo.body))
}

/** A check may escape a letter of a name, and a target that does not decode it has made an object of that name. */
const plain = (path: string): string =>
  path.replace(/%[3-7][0-9A-F]/g, (coded) => {
    const sign = decodeURIComponent(coded)
    return /[A-Za-z0-9]/.test(sign) ? sign : coded
  })

/** Returns whether the values have exactly these fields and each matches. */
const fitsEach = (
  shapes: ReadonlyMap<string, RegExp>,
  values: Readonly<Record<string, unknown>> | undefined,
): boolean =>
  values !== undefined &&
  Object.keys(values).length === shapes.size &&
  [...shapes].every(([name, shape]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return typeof value === 'string' && shape.test(value)
  })

function bodyOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.length > longestBody) return undefined
  try {
    const value = JSON.parse(text) as Json
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
