/** Legal differences in the fields of replies. */

import type { ReplyField } from '../../fixtures/api/terms.ts'
import { type Difference, isObject, type Json, type JsonObject, type WireSent } from '../../harness/vocabulary/index.ts'
import { rowsOf } from '../rows.ts'
import { eachValue, isHealth, isList, objectIn, placeOf, restlessFields, rewriting, rewritingData } from './bends.ts'
import { endpointOf, replyFieldsOf } from './endpoints.ts'

/** Removes fields from reads, at the top level and inside `data`. Replies to other calls do not change, because the
 * documents require their content although they do not name its fields. The same is true of the progress in a
 * status. */
const hiding = (isHidden: (name: string, fields: Readonly<Record<string, ReplyField>>) => boolean) =>
  rewriting((json, sent) => {
    const fields = replyFieldsOf(sent)
    if (!fields || endpointOf(sent)?.does !== 'reads' || /\/status$/.test(placeOf(sent))) return json
    const within = (object: JsonObject): JsonObject =>
      Object.fromEntries(Object.entries(object).filter(([name]) => !isHidden(name, fields)))
    return within(isObject(json.data) ? { ...json, data: within(json.data) } : json)
  })

/** The fields that any reply of the dialect may have. */
const envelope: ReadonlySet<string> = new Set(
  'data auth wrap_info warnings errors request_id lease_id lease_duration renewable'.split(' '),
)

/** Enumerations whose case has no meaning (readings, 64). */
const caseless: ReadonlySet<string> = new Set([
  'algorithm',
  'credential_type',
  'enforcement_level',
  'key_type',
  'mode',
  'type',
  'private_key_type',
  'key_usage',
  'ext_key_usage',
])

/** Another field is added only to objects with documented fields: in a map from names to values, it would be another
 * name. */
const hasFields = (sent: WireSent): boolean => !isList(sent) && replyFieldsOf(sent) !== undefined

export const replies: readonly Difference[] = rowsOf<Difference>({
  'open-fields-hidden': {
    says: 'Readings do not show fields that the documents leave open.',
    because: 'No row says that these fields are returned.',
    open: hiding((name, fields) => fields[name]?.presence === 'open'),
  },
  'unnamed-fields-hidden': {
    says: 'Readings show no field that the documents do not name there.',
    because: 'No row says that these fields are returned.',
    open: hiding((name, fields) => !envelope.has(name) && !Object.hasOwn(fields, name)),
  },
  'unstated-fields-hidden': {
    says: 'Readings show only fields of which a row says that they are returned.',
    because: 'No row says that the other fields are returned; where they are shown, their values count (readings, 54).',
    losses: [
      {
        check: '**',
        verdict: 'not-applicable',
        why: 'The check is about a field that the target does not show, and need not.',
      },
      {
        check: 'cloud/fields-root/non-secret-values-are-shown',
        verdict: 'warn',
        why: 'That a read shows the values of a list of kinds is a *should* (readings, 54).',
      },
    ],
    open: hiding((name, fields) => !envelope.has(name) && fields[name]?.presence !== 'stated'),
  },
  'ticking-fields-in-data': {
    says: 'Every object that is read has clocks and counters inside `data`.',
    because: 'What a server adds and widens nothing is its own business (readings, 53 and 70).',
    open: ({ now, wait }) => {
      const restless = restlessFields(now)
      return rewriting((json, sent) => {
        if (!isObject(json.data) || !hasFields(sent)) return json
        return { ...json, data: { ...restless(), ...json.data } }
      })({ now, wait })
    },
  },
  'enumerations-in-upper-case': {
    says: 'Names of algorithms, types, modes, levels and usages are in upper case.',
    because: 'Enumerations compare without regard to case (readings, 64).',
    open: rewriting((json, sent) =>
      isHealth(sent) || !endpointOf(sent)
        ? json
        : (eachValue(
            json,
            (value, name): Json => (caseless.has(name) && typeof value === 'string' ? value.toUpperCase() : value),
          ) as JsonObject),
    ),
  },
  'catalog-in-groups': {
    says: 'The catalog has a group for each type, which names its type beside its plugins.',
    because: 'A list by type is stated, and no reply of it is shown.',
    areas: ['plugin-catalog'],
    open: rewritingData((data, sent) =>
      placeOf(sent) === 'sys/plugins/catalog' && sent.method === 'GET'
        ? { types: ['auth', 'database', 'secret'].map((type) => ({ type, plugins: data[type] ?? [] })) }
        : data,
    ),
  },
  'environment-as-map': {
    says: 'A plugin that is read shows its environment as a map.',
    because: 'The documents say how an environment is given, and show no reply to a read.',
    areas: ['plugin-catalog'],
    open: rewritingData((data) => {
      const { env } = data
      if (!Array.isArray(env)) return data
      const pairs = env.map((one) => String(one).split('='))
      return { ...data, env: Object.fromEntries(pairs.map(([name = '', ...value]) => [name, value.join('=')])) }
    }),
  },
  'documents-as-objects': {
    says: 'A role that is read shows its policy document as an object.',
    because: 'A policy document is JSON, and no document shows the reply to a read.',
    areas: ['cloud'],
    open: rewritingData((data) => {
      const document = typeof data.policy_document === 'string' ? objectIn(data.policy_document) : undefined
      return document ? { ...data, policy_document: document } : data
    }),
  },
  'tags-as-records': {
    says: 'A role that is read shows its tags as objects with a key and a value, as the provider does.',
    because: 'The documents say how tags are given, and show no reply to a read.',
    areas: ['cloud'],
    open: rewritingData((data) => {
      const records = ['iam_tags', 'session_tags'].flatMap((name) => {
        const tags = data[name]
        return isObject(tags) ? [[name, Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))] as const] : []
      })
      return records.length > 0 ? { ...data, ...Object.fromEntries(records) } : data
    }),
  },
  'listed-ids-in-upper-case': {
    says: 'A list shows the ids of methods in upper case, and other replies show them in lower case.',
    because: 'The case of a UUID has no meaning (RFC 9562, 4).',
    areas: ['mfa-identity'],
    open: rewritingData((data, sent) =>
      isList(sent) && Array.isArray(data.keys)
        ? { ...data, keys: data.keys.map((id) => String(id).toUpperCase()) }
        : data,
    ),
  },
  'presence-in-words': {
    says: 'Where there is a secret already, the field `secret` says so in a sentence.',
    because: 'Generating where there is a secret may succeed without a new one (readings, 33).',
    areas: ['mfa-legacy', 'mfa-identity'],
    open: rewriting((json, sent) =>
      json.data === null && /\/(admin-)?generate$/.test(placeOf(sent))
        ? { ...json, data: { secret: 'the entity has a secret already' } }
        : json,
    ),
  },
})
