/** The result of the HCL and the JSON parser, before it is interpreted as a policy. The offsets `at` are for error
 * messages. */

export type Value = { readonly at: number } & (
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'object'; readonly entries: readonly Entry[] }
)

/** One `key = value`. A block `key "label" { … }` is an entry whose value is an object with one entry, `label`. */
export interface Entry {
  readonly key: string
  readonly at: number
  readonly value: Value
}

export const kindWords: Readonly<Record<Value['kind'], string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  list: 'a list',
  object: 'a block',
}

export function plain(value: Value): unknown {
  switch (value.kind) {
    case 'null':
      return null
    case 'list':
      return value.items.map(plain)
    case 'object':
      return Object.fromEntries(value.entries.map((entry) => [entry.key, plain(entry.value)]))
    default:
      return value.value
  }
}
