/** Reads the declaration files that the compiler writes: their statements begin at the start of a line. */
import { dirname, join } from 'node:path'

export interface Declared {
  readonly name: string
  /** The comment above it, as text. */
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

/** Types are written as if they were imported: the names alone say enough. */
const readable = (code: string): string =>
  code.replaceAll(/import\("[^"]+"\)\./g, '').replace(/^export (?:declare )?/, '')

const isType = (code: string): boolean => /^export (?:declare )?(?:interface|type)\b/.test(code)

/** `export declare const one: A, two: B;` declares two. */
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

/** Splits at commas that are in no bracket. */
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

/** Everything that a file exports, by way of other files too, in reading order. */
export function exportsOf(file: string, read: Read): readonly Declared[] {
  const statements = statementsOf(read(file))
  const from = (path: string): readonly Declared[] =>
    exportsOf(join(dirname(file), path.replace(/\.[tj]s$/, '.d.ts')), read)
  return statements.flatMap((statement) => {
    const [, all] = /^export \* from '(\.[^']+)'/.exec(statement.code) ?? []
    if (all !== undefined) return from(all)
    const [, list, place] = /^export (?:type )?\{([\s\S]*?)\}(?: from '(\.[^']+)')?/.exec(statement.code) ?? []
    if (list === undefined) return ownOf(statement)
    const names = list.split(',').flatMap((name) => name.trim().replace(/^type /, '') || [])
    return names.flatMap((name) => {
      const source = place ?? placeOfImport(name, statements)
      return source === undefined ? [] : from(source).filter((one) => one.name === name)
    })
  })
}

const placeOfImport = (name: string, statements: readonly Statement[]): string | undefined =>
  statements.flatMap(({ code }) => {
    const [, list = '', place] = /^import (?:type )?\{([\s\S]*?)\} from '(\.[^']+)'/.exec(code) ?? []
    const names = list.split(',').map((one) => one.trim().replace(/^type /, ''))
    return place !== undefined && names.includes(name) ? [place] : []
  })[0]
