/** Legal differences in where replies have their fields. */

import { type Difference, isObject, type JsonObject } from '../../harness/vocabulary/index.ts'
import { rowsOf } from '../rows.ts'
import { rewriting } from './bends.ts'
import { endpointOf } from './endpoints.ts'

const because = 'Where an envelope is not shown, a field is at the top level or inside `data` (readings, preamble).'

/** Tokens, leases and wrapped replies are read by the dialect, which knows only one format of them. */
const ofDialect = ['auth', 'wrap_info', 'lease_id', 'lease_duration', 'renewable'] as const

/** Only replies of documented endpoints change. All others are read by the dialect. */
const around = (change: (json: JsonObject, data: JsonObject) => JsonObject) =>
  rewriting((json, sent) => (isObject(json.data) && endpointOf(sent) ? change(json, json.data) : json))

const dialectPart = (json: JsonObject): JsonObject =>
  Object.fromEntries(ofDialect.flatMap((name) => (json[name] ? [[name, json[name]]] : [])))

export const envelopes: readonly Difference[] = rowsOf<Difference>({
  'envelope-data-only': {
    says: 'Replies have nothing around `data`.',
    because,
    open: around((json, data) => ({ ...dialectPart(json), data })),
  },
  'envelope-top-level': {
    says: 'Replies have their fields at the top level, and no `data`.',
    because,
    open: around((json, data) => ({ ...dialectPart(json), ...data })),
  },
  'envelope-both': {
    says: 'Replies have their fields at the top level and inside `data`.',
    because,
    open: around((json, data) => ({ ...data, ...json })),
  },
  'envelope-nested': {
    says: 'Replies have their fields in an object inside `data`.',
    because: 'The documents show no envelope, and nothing else could be meant.',
    open: around((json, data) => ({ ...json, data: { data } })),
  },
  'envelope-renamed': {
    says: 'Replies have their fields in an object of another name than `data`.',
    because: 'The documents show no envelope, and nothing else could be meant.',
    open: around((json, data) => ({ ...dialectPart(json), result: data })),
  },
})
