/** The words for drift that the page and the Markdown share. Code is marked, so that each format can escape it. */
import type { Drift, DriftEntry, DriftField } from '../../harness/vocabulary/index.ts'
import { shorten } from '../render/escape.ts'
import { number, plural } from '../render/wording.ts'

export type Piece = string | { readonly code: string }

export interface Sides {
  readonly first: string
  readonly other: string
}

const code = (text: string): Piece => ({ code: shorten(text, 160) })

/** Describes what differs: `the field x is only at B`. */
export function differs({ kind, fields, more }: DriftEntry, sides: Sides): readonly Piece[] {
  const [field = { name: '' }] = fields
  const both = [...pair(field, sides), ...(more > 0 ? [` (and ${plural(more, 'other pair')} of values)`] : [])]
  switch (kind) {
    case 'status':
      return ['the status is ', ...both]
    case 'body':
      return ['the body is ', ...both]
    case 'type':
      return ['the type of ', code(field.name), ' differs: ', ...both]
    case 'order':
      return ['the list ', code(field.name), ' has another order: ', ...both]
    case 'field':
      return [
        fields.length === 1 ? 'the field ' : `${fields.length} fields `,
        ...fields.flatMap(({ name }, at) => (at === 0 ? [code(name)] : [', ', code(name)])),
        fields.length === 1 ? ' is only at ' : ' are only at ',
        field.first === undefined ? sides.other : sides.first,
      ]
    case 'header':
      return ['the header ', code(field.name), ...oneOrBoth(field, sides, both)]
    case 'text':
      return ['the message in ', code(field.name), ...oneOrBoth(field, sides, both)]
    case 'value':
      return ['the value of ', code(field.name), ...oneOrBoth(field, sides, both)]
  }
}

const oneOrBoth = (field: DriftField, { first, other }: Sides, both: readonly Piece[]): readonly Piece[] =>
  field.first !== undefined && field.other !== undefined
    ? [' is ', ...both]
    : [' has ', code(field.first ?? field.other ?? ''), ` only at ${field.first === undefined ? other : first}`]

const pair = (field: DriftField, { first, other }: Sides): readonly Piece[] => [
  code(field.first ?? 'nothing'),
  ` at ${first} and `,
  code(field.other ?? 'nothing'),
  ` at ${other}`,
]

/** Describes where it differs: `in 41 of 50 replies to GET x`. */
export function where({ requests }: DriftEntry): readonly Piece[] {
  const [most, ...others] = requests
  if (!most) return []
  const replies = requests.reduce((sum, one) => sum + one.replies, 0)
  const of = requests.reduce((sum, one) => sum + one.of, 0)
  return [
    `in ${number(replies)} of ${plural(of, 'reply', 'replies')} to `,
    code(most.request),
    ...(others.length > 0 ? [` and ${plural(others.length, 'other request')}`] : []),
  ]
}

export interface DriftGroup {
  readonly title: string
  readonly entries: readonly DriftEntry[]
}

/** Groups the entries by area. The group of entries that concern several areas comes first. */
export function groupsOf({ entries }: Drift): readonly DriftGroup[] {
  const titleOf = ({ areas }: DriftEntry): string => (areas.length > 1 ? 'several areas' : (areas[0] ?? ''))
  const groups = [...Map.groupBy(entries, titleOf)].map(([title, own]) => ({ title, entries: own }))
  return groups.toSorted((one, two) => Number(two.title === 'several areas') - Number(one.title === 'several areas'))
}

/** Describes which replies were compared. */
export const basis = ({ replies, checks, unpaired }: Drift): string =>
  `Found in ${plural(replies, 'pair')} of replies to the requests of ${plural(checks, 'check')} that pass on both. Names, ids, times, secrets, serial numbers and addresses are not compared.${
    unpaired > 0 ? ` ${plural(unpaired, 'request')} could not be compared, since only one server was sent them.` : ''
  }`
