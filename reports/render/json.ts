import type { ResultDocument } from '../../harness/vocabulary/index.ts'

/** Values that are deeper than this have one line each: indented to the last, a third of the file would be blanks. */
const levels = 3

/** The document itself, in pieces, since it is large. */
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

/** What stands before each item, and the item. As everywhere in JSON, what is undefined is left out of an object. */
const entriesOf = (value: object): readonly (readonly [name: string, item: unknown])[] =>
  Array.isArray(value)
    ? value.map((item) => ['', item ?? null])
    : Object.entries(value).flatMap(([name, item]) => (item === undefined ? [] : [[`${JSON.stringify(name)}: `, item]]))
