/** Reads YAML files that people write, and validates them by a JSON Schema. Errors name file, line, column and key. */
import { createRequire } from 'node:module'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { closest, distance } from 'fastest-levenshtein'
import { type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml'
import { readText } from '../safety/files.ts'
import { didYouMean, nearest } from '../select/nearest.ts'
import { UsageError } from '../targets/usage-error.ts'
import { sizeBounds } from '../vocabulary/index.ts'

type Path = readonly (string | number)[]

export interface YamlFile {
  readonly file: string
  /** The content as plain values, with `${env:…}` substituted. */
  readonly value: unknown
  /** Paths (`clusters.0.token`) of the strings that contain `${env:…}`. */
  readonly substituted: ReadonlySet<string>
  /** The subset of `substituted` that stays as written, because a variable is not set. */
  readonly open: ReadonlySet<string>
  /** Returns an error message that begins with file, line and column of the value at `path`. With `key`, it is the
   * position of that key in the map at `path`. */
  fault(path: Path, text: string, key?: string): string
}

/** Throws `UsageError` if the file is missing or is not YAML, or if an environment variable is not set. If `unset`
 * is given, names of such variables are added to it instead. */
export function readYaml(file: string, env: NodeJS.ProcessEnv, unset?: Set<string>): YamlFile {
  const lines = new LineCounter()
  const document = parsed(readText(file, expected), file, lines)
  const broken = document.errors[0]
  if (broken) {
    const { line, col } = lines.linePos(broken.pos[0])
    throw new UsageError(`${file}:${line}:${col}: this is not YAML: ${broken.message}`)
  }
  const fault = (path: Path, text: string, key?: string) => {
    const start = nodeAt(document, path, key)?.range?.[0] ?? 0
    const { line, col } = lines.linePos(start)
    return `${file}:${line || 1}:${col || 1}: ${text}`
  }
  const open = new Set<string>()
  const substituted = substitute(document, env, (node, path, name) => {
    if (unset && name) {
      unset.add(name)
      open.add(path)
      return
    }
    const { line, col } = lines.linePos(node.range?.[0] ?? 0)
    throw new UsageError(
      `${file}:${line}:${col}: the environment variable ${name || '(no name)'} is not set: export it first`,
    )
  })
  return { file, value: plainValueOf(document, file), substituted, open, fault }
}

/** The parser is recursive, so a file that is nested too deep overflows the stack. */
function parsed(text: string, file: string, lineCounter: LineCounter): Document {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false })
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${file} is nested too deep: write it with fewer levels`)
    throw error
  }
}

/** YAML aliases are resolved only here. An alias may be undefined, or expand to far more than the file contains. */
function plainValueOf(document: Document, file: string): unknown {
  try {
    return document.toJS() ?? {}
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}: write the value out instead`)
  }
}

const expected = {
  ...{ what: 'a YAML file', most: sizeBounds.yamlFile.value, mend: 'give the path of a YAML file' },
  // A list of accepted findings may be empty; for a profile, the schema names what is missing.
  mayBeEmpty: true,
}

function nodeAt(document: Document, path: Path, key?: string): Node | undefined {
  for (let depth = path.length; depth >= 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true)
    if (!isNode(node)) continue
    if (depth < path.length) return node
    const pair = key !== undefined && isMap(node) ? node.items.find(({ key: name }) => String(name) === key) : undefined
    return pair && isNode(pair.key) ? pair.key : node
  }
  return undefined
}

function substitute(
  document: Document,
  env: NodeJS.ProcessEnv,
  miss: (node: Node, path: string, name: string) => void,
): Set<string> {
  const paths = new Set<string>()
  visit(document, {
    Scalar(key, node, parents) {
      if (key === 'key' || typeof node.value !== 'string' || !node.value.includes('${env:')) return
      const path = pathOf(node, parents as readonly unknown[])
      node.value = node.value.replace(/\$\{env:([^}]{0,300})\}/g, (whole, name: string) => {
        const value = env[name]
        if (value) return value
        miss(node, path, name)
        return whole
      })
      paths.add(path)
    },
  })
  return paths
}

function pathOf(node: unknown, parents: readonly unknown[]): string {
  const parts: (string | number)[] = []
  const chain = [...parents, node]
  for (const [index, parent] of chain.entries()) {
    const child = chain[index + 1]
    if (typeof parent !== 'object' || parent === null) continue
    if ('items' in parent && Array.isArray(parent.items) && !isMap(parent)) parts.push(parent.items.indexOf(child))
    else if ('key' in parent && isScalar(parent.key)) parts.push(String(parent.key.value))
  }
  return parts.join('.')
}

const load = createRequire(import.meta.url)
const validators = new WeakMap<object, ValidateFunction>()

/** Ajv is loaded only when a file is validated: most runs read no such file, and compiling a schema is slow. */
function validatorOf(schema: object): ValidateFunction {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const options = { strict: true, allErrors: true, verbose: true, allowUnionTypes: true }
  const validator = validators.get(schema) ?? new Ajv2020(options).compile(schema)
  validators.set(schema, validator)
  return validator
}

/** Throws `UsageError` with one line for each error. */
export function assertShape(yaml: YamlFile, schema: object): void {
  const validate = validatorOf(schema)
  if (validate(yaml.value)) return
  const errors = (validate.errors ?? []).filter((error) => !yaml.open.has(placeOf(error).join('.')))
  if (errors.length > 0) throw new UsageError([...new Set(errors.map((error) => described(yaml, error)))].join('\n'))
}

const placeOf = ({ instancePath }: ErrorObject): string[] =>
  instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Returns the name of a value as a reader of the file knows it: entries of a list are counted from 1. */
function nameOf(path: readonly string[]): string {
  const [first = '', ...rest] = path
  if (!/^\d+$/.test(first)) return path.length === 0 ? 'the file' : `"${path.join('.')}"`
  const entry = `entry ${Number(first) + 1}`
  return rest.length === 0 ? entry : `"${rest.join('.')}" of ${entry}`
}

function described(yaml: YamlFile, error: ErrorObject): string {
  const path = placeOf(error)
  const name = nameOf(path)
  const schema = error.parentSchema as { description?: string; properties?: object } | undefined
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(error.params.additionalProperty)
      return yaml.fault(path, unknownKey(key, Object.keys(schema?.properties ?? {})), key)
    }
    case 'required':
      return yaml.fault(path, `${nameOf([...path, error.params.missingProperty])} is missing: add it`)
    case 'type':
      return yaml.fault(path, `${name} must be ${article(String(error.params.type))}`)
    case 'enum':
      return yaml.fault(path, `${name} must be one of ${oneOf(error)}`)
    case 'pattern':
      return yaml.fault(path, `${name} is invalid: expected ${schema?.description ?? error.params.pattern}`)
    default:
      return yaml.fault(path, `${name} ${error.message}`)
  }
}

function oneOf({ params, data }: ErrorObject): string {
  const allowed = params.allowedValues as string[]
  const near = typeof data === 'string' ? didYouMean(nearest(data, allowed)) : ''
  return `${allowed.join(', ')}${near}`
}

const article = (type: string): string =>
  ({ object: 'a map of keys', array: 'a list', integer: 'a whole number' })[type] ?? `a ${type}`

/** The keys for what variables and flags of the family call otherwise. */
const namedOtherwise: Readonly<Record<string, readonly string[]>> = {
  address: ['url'],
  addr: ['url'],
  target: ['url'],
  namespace: ['headers', 'X-Vault-Namespace'],
  cacert: ['tls', 'ca'],
  clientcert: ['tls', 'cert'],
  clientkey: ['tls', 'key'],
  insecure: ['tls', 'insecure'],
  skipverify: ['tls', 'insecure'],
}

function unknownKey(key: string, known: readonly string[]): string {
  const keys = namedOtherwise[key.toLowerCase().replaceAll(/[^a-z]/g, '')] ?? []
  const first = keys.findIndex((one) => known.includes(one))
  if (first >= 0) return `unknown key "${key}"; did you mean "${keys.slice(first).join('.')}"?`
  const near = closest(key, known)
  const isSimilar = near && distance(key.toLowerCase(), near.toLowerCase()) <= Math.max(2, key.length / 3)
  return `unknown key "${key}"${isSimilar ? `; did you mean "${near}"?` : `; known keys: ${known.join(', ')}`}`
}
