/** Judges what a read shows of a policy that was written once, whatever check reads it. */
import type { Conditions, Json, JsonObject } from '../../harness/vocabulary/index.ts'
import { type Frame, readsAsWritten } from '../frame.ts'
import { isWord } from '../word.ts'
import { everyKind, type Kind, levels } from './given.ts'
import { pathsIn, wordsIn } from './then.ts'

function plain(text: string): string {
  const bare = text.trim()
  return /^[\w+/\s]+=*$/.test(bare) && bare.length % 4 === 0 ? Buffer.from(bare, 'base64').toString() : text
}

/** Makes equal what means the same, or may be shown instead. */
function comesTo(field: string, value: Json): Json {
  if (field === 'paths') return pathsIn(value).join('\n')
  return field === 'policy' ? wordsIn(plain(String(value))) : String(value).toLowerCase()
}

/** Returns the row that says what is shown of a field; undefined if none does, such as for a value that should be refused. */
function rowOf(kind: Kind, field: string, { enforcement_level, paths }: JsonObject): string | undefined {
  if (field === 'policy') return `${kind}.read.returns-named`
  if (field === 'enforcement_level' && levels.some((one) => isWord(enforcement_level, one)))
    return `${kind}.level.values`
  const isEgp = field === 'paths' && kind === 'egp'
  return isEgp ? { array: 'egp.paths.array', text: 'egp.paths.comma-list', none: undefined }[formOf(paths)] : undefined
}

const formOf = (value: Json | undefined): 'array' | 'text' | 'none' =>
  Array.isArray(value) ? 'array' : typeof value === 'string' ? 'text' : 'none'

const frames = everyKind.map(
  (kind): Frame => ({
    written: new RegExp(`^POST \\{mount\\}/policies/${kind}/[^/]+$`),
    gone: `policies.${kind}.read.returns-named`,
    changed: (field, body) => {
      const row = rowOf(kind, field, body)
      return row && `policies.${row}`
    },
  }),
)

export const shownAsWritten: Conditions = readsAsWritten(
  frames,
  [
    ...everyKind.map((kind) => `policies.${kind}.read.returns-named`),
    ...['rgp.level.values', 'egp.level.values', 'egp.paths.array', 'egp.paths.comma-list'].map(
      (row) => `policies.${row}`,
    ),
  ],
  comesTo,
)
