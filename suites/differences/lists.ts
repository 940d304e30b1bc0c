/** Legal differences in how lists are requested, and how they are encoded. */

import { type Difference, isObject, type Json } from '../../harness/vocabulary/index.ts'
import { rowsOf } from '../rows.ts'
import { isList, objectIn, reading, rewriting, rewritingData } from './bends.ts'
import { endpointOf } from './endpoints.ts'

const isTexts = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

export const lists: readonly Difference[] = rowsOf<Difference>({
  'list-by-list-only': {
    says: 'GET with `?list=true` is refused, and the method LIST is served.',
    because: 'The documents name the method LIST only.',
    losses: [
      {
        check: 'policies/access-*/*-governs-lists-by-get',
        verdict: 'not-applicable',
        why: 'The checks are about a list that is requested with GET.',
      },
    ],
    open: reading((sent) => (sent.method === 'GET' && sent.query.list === 'true' ? undefined : sent)),
  },
  'list-keys-as-map': {
    says: 'Lists give their keys as the names of an object.',
    because: 'The documents do not show how a list is encoded.',
    open: rewritingData((data, sent) =>
      isList(sent) && isTexts(data.keys)
        ? { ...data, keys: Object.fromEntries(data.keys.map((key) => [key, {}])) }
        : data,
    ),
  },
  'list-keys-as-records': {
    says: 'Lists give each key as an object with a name.',
    because: 'The documents do not show how a list is encoded.',
    open: rewritingData((data, sent) =>
      isList(sent) && isTexts(data.keys) ? { ...data, keys: data.keys.map((name) => ({ name })) } : data,
    ),
  },
  'arrays-refused': {
    says: 'Requests with a list as JSON array are refused, where the documents do not say how a list is encoded.',
    because: 'The type list has no encoding: a JSON array, or a string with commas (readings, 57).',
    losses: [
      {
        check: 'pki/fields-names-domains/lists-of-a-role-may-be-arrays',
        verdict: 'warn',
        why: 'It decides the *should* that a list may be an array.',
      },
    ],
    open: reading((sent) => {
      const body = endpointOf(sent)?.body ?? {}
      const given = objectIn(sent.body) ?? {}
      const isOpen = (name: string) => body[name]?.type === 'list' && body[name].encodings === undefined
      return Object.entries(given).some(([name, value]) => Array.isArray(value) && isOpen(name)) ? undefined : sent
    }),
  },
  'lists-as-strings': {
    says: 'Lists inside replies are strings, separated by commas.',
    because: 'The type list has no encoding: a JSON array, or a string with commas (readings, 57).',
    open: rewriting((json, sent) => {
      if (isList(sent) || !isObject(json.data)) return json
      const data = Object.entries(json.data).map(
        ([name, value]) => [name, isTexts(value) && value.length > 0 ? value.join(',') : value] as const,
      )
      return { ...json, data: Object.fromEntries(data) }
    }),
  },
})
