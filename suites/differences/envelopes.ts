/** Where replies have their fields. */
import { type Difference, isObject, type JsonObject } from '../../harness/vocabulary/index.ts'
import { isHealth, rewriting } from './bends.ts'

const because = 'Where an envelope is not shown, a field is at the top level or inside `data` (readings, preamble).'

/** Tokens, leases and wrapped replies are of the dialect, which has one place for them. */
const ofDialect = ['auth', 'wrap_info', 'lease_id', 'lease_duration', 'renewable'] as const

const dialectPart = (json: JsonObject): JsonObject =>
  Object.fromEntries(ofDialect.flatMap((name) => (json[name] ? [[name, json[name]]] : [])))

export const envelopes: readonly Difference[] = [
  {
    id: 'envelope-data-only',
    says: 'Replies have nothing around `data`.',
    because,
    open: rewriting((json) => (isObject(json.data) ? { ...dialectPart(json), data: json.data } : json)),
  },
  {
    id: 'envelope-top-level',
    says: 'Replies have their fields at the top level, and no `data`.',
    because,
    open: rewriting((json, sent) => {
      if (!isObject(json.data) || isHealth(sent)) return json
      return { ...dialectPart(json), ...json.data }
    }),
  },
  {
    id: 'envelope-both',
    says: 'Replies have their fields at the top level and inside `data`.',
    because,
    open: rewriting((json) => (isObject(json.data) ? { ...json.data, ...json } : json)),
  },
]
