/** Reads the declaration files of the compiler, in which each statement begins at the start of a line. */
import { dirname, join } from 'node:path'

export interface Declared {
  readonly name: string
  /** The text of the comment above the declaration. */
  readonly says: string
  readonly code: string
  readonly isType: boolean
}

type Read = (file: string) => string

interface Statement {
  readonly says: string
  readonly code: string
}

const starts = /^(?:export|declare|import|interface|type|\/\*\*)/

function statementsOf(text: string): readonly Statement[] {
  const statements: Statement[] = []
  let comment = ''
  let code: string[] = []
  const end = (): void => {
    if (code.length > 0) statements.push({ says: comment, code: code.join('\n') })
    if (code.length > 0) comment = ''
    code = []
  }
  let isComment = false
  for (const line of text.split('\n')) {
    if (!isComment && starts.test(line)) end()
    if (!isComment && line.startsWith('/**')) {
      comment = ''
      isComment = true
    }
    if (isComment) {
      comment += `${line.replace(/^\s*\/?\*+\/?\s?/, '').replace(/\s*\*\/$/, '')}\n`
      isComment = !line.includes('*/')
    } else if (line !== '') code.push(line)
  }
  end()
  return statements.map(({ says, code: lines }) => ({ says: says.trim(), code: lines.trim() }))
}

/** Shortens `import("…").Name` to `Name`, which is enough for a reader. */
const readable = (code: string): string =>
  code.replaceAll(/import\("[^"]+"\)\./g, '').replace(/^export (?:declare )?/, '')

const isType = (code: string): boolean => /^export (?:declare )?(?:interface|type)\b/.test(code)

/** Returns the names that a statement declares. There may be several, as in `export declare const one: A, two: B;`. */
function namesIn(code: string): readonly string[] {
  const [, name] =
    /^export (?:declare )?(?:abstract )?(?:const|let|function|class|interface|type)\s+(\w+)/.exec(code) ?? []
  if (name === undefined) return []
  if (!/^export declare const/.test(code)) return [name]
  return [
    name,
    ...partsOf(code)
      .slice(1)
      .flatMap((part) => /^(\w+)\s*:/.exec(part)?.[1] ?? []),
  ]
}

/** Splits at commas that are not inside brackets. */
function partsOf(code: string): readonly string[] {
  const parts = ['']
  let depth = 0
  for (const [index, letter] of [...code].entries()) {
    if ('([{<'.includes(letter)) depth++
    if (')]}'.includes(letter) || (letter === '>' && code[index - 1] !== '=')) depth--
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim())
}

function ownOf({ says, code }: Statement): readonly Declared[] {
  const names = namesIn(code)
  if (names.length < 2) return names.map((name) => ({ name, says, code: readable(code), isType: isType(code) }))
  const parts = partsOf(code.replace(/^export declare const /, '').replace(/;$/, ''))
  return names.map((name, index) => ({ name, says, code: readable(`const ${parts[index]};`), isType: false }))
}

/** Returns everything that a file exports, including re-exports of other files, in the order of the source. */
export function exportsOf(file: string, read: Read): readonly Declared[] {
  const statements = statementsOf(read(file))
  const from = (path: string): readonly Declared[] =>
    exportsOf(join(dirname(file), path.replace(/\.[tj]s$/, '.d.ts')), read)
  return statements.flatMap((statement) => {
    const [, all] = /^export \* from '(\.[^']+)'/.exec(statement.code) ?? []
    if (all !== undefined) return from(all)
    const [, list, path] = /^export (?:type )?\{([\s\S]*?)\}(?: from '(\.[^']+)')?/.exec(statement.code) ?? []
    if (list === undefined) return ownOf(statement)
    const names = list.split(',').flatMap((name) => name.trim().replace(/^type /, '') || [])
    return names.flatMap((name) => {
      const source = path ?? sourceOfImport(name, statements)
      return source === undefined ? [] : from(source).filter((one) => one.name === name)
    })
  })
}

const sourceOfImport = (name: string, statements: readonly Statement[]): string | undefined =>
  statements.flatMap(({ code }) => {
    const [, list = '', source] = /^import (?:type )?\{([\s\S]*?)\} from '(\.[^']+)'/.exec(code) ?? []
    const names = list.split(',').map((one) => one.trim().replace(/^type /, ''))
    return source !== undefined && names.includes(name) ? [source] : []
  })[0]
