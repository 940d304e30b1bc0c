import type { ResultDocument } from '../../harness/vocabulary/index.ts'

/** The nesting depth up to which values are indented. Deeper values get one line each, because fully indented, a third
 * of the file would be blanks. */
const levels = 3

/** Renders the document itself. It returns pieces, because the document is large. */
export function* renderJson(document: ResultDocument): Generator<string> {
  yield* written(document, levels, '\n')
  yield '\n'
}

function* written(value: unknown, below: number, line: string): Generator<string> {
  const items = typeof value === 'object' && value !== null && below > 0 ? entriesOf(value) : []
  if (items.length === 0) {
    yield JSON.stringify(value)
    return
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  for (const [at, [name, item]] of items.entries()) {
    yield `${at === 0 ? open : ','}${line}  ${name}`
    yield* written(item, below - 1, `${line}  `)
  }
  yield `${line}${close}`
}

/** Returns each item with the text before it. As everywhere in JSON, undefined members of an object are left out. */
const entriesOf = (value: object): readonly (readonly [name: string, item: unknown])[] =>
  Array.isArray(value)
    ? value.map((item) => ['', item ?? null])
    : Object.entries(value).flatMap(([name, item]) => (item === undefined ? [] : [[`${JSON.stringify(name)}: `, item]]))
