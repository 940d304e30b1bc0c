/** Legal differences in how single values are written, and which fields accompany them. */

import { type Difference, isObject, type Json, type JsonObject } from '../../harness/vocabulary/index.ts'
import { rowsOf } from '../rows.ts'
import { answering, eachValue, isHealth, restlessFields, rewriting, rewritingData, textOf, withText } from './bends.ts'
import { endpointOf } from './endpoints.ts'

const isEmpty = (value: Json): boolean =>
  value === '' || (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0)

const members = (data: JsonObject, change: (value: Json) => Json | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      const changed = change(value)
      return changed === undefined ? [] : [[name, changed] as const]
    }),
  )

/** Pairs of hexadecimal digits with separators, as in serial numbers and fingerprints. */
const hexPairs = /\b[0-9a-f]{2}(?:[:-][0-9a-f]{2}){7,}\b/g
const certificates = /-----BEGIN [A-Z0-9 ]{1,40}-----[^-]+-----END [A-Z0-9 ]{1,40}-----/g

const isDuration = /^(?:(?:max_|max_sts_|default_sts_)?ttl|period|rotation_period|not_before_duration)$/

const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const inZone = (time: string): string => new Date(Date.parse(time) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')

export const values: readonly Difference[] = rowsOf<Difference>({
  'numbers-as-strings': {
    says: 'Numbers in replies are strings.',
    because: 'The documents give types of parameters, and none of replies.',
    open: rewritingData(
      (data) => eachValue(data, (value) => (typeof value === 'number' ? String(value) : value)) as JsonObject,
    ),
  },
  'booleans-as-strings': {
    says: 'True and false in replies are strings.',
    because: 'The documents give types of parameters, and none of replies.',
    open: rewritingData((data, sent) =>
      endpointOf(sent)
        ? (eachValue(data, (value) => (typeof value === 'boolean' ? String(value) : value)) as JsonObject)
        : data,
    ),
  },
  'durations-with-units': {
    says: 'Durations in replies are strings with a unit.',
    because: 'The documents give types of parameters, and none of replies.',
    open: rewritingData((data, sent) =>
      endpointOf(sent)
        ? (eachValue(data, (value, name) =>
            typeof value === 'number' && isDuration.test(name) ? `${value}s` : value,
          ) as JsonObject)
        : data,
    ),
  },
  'times-with-an-offset': {
    says: 'Points in time are written in another time zone.',
    because: 'It is the same time (RFC 3339, 5.6).',
    open: rewriting(
      (json) =>
        eachValue(json, (value) =>
          typeof value === 'string' && utcTime.test(value) ? inZone(value) : value,
        ) as JsonObject,
    ),
  },
  'empty-as-null': {
    says: 'Empty texts, lists and objects are null.',
    because: 'The documents do not tell null, absent and empty apart.',
    open: rewritingData((data) => members(data, (value) => (isEmpty(value) ? null : value))),
  },
  'empty-left-out': {
    says: 'Empty texts, lists and objects are left out.',
    because: 'The documents do not tell null, absent and empty apart.',
    open: rewritingData((data) => members(data, (value) => (isEmpty(value) || value === null ? undefined : value))),
  },
  'null-as-empty': {
    says: 'Where there is no value, there is an empty text.',
    because: 'The documents do not tell null, absent and empty apart.',
    open: rewritingData((data) => members(data, (value) => value ?? '')),
  },
  'serials-in-upper-case': {
    says: 'Serial numbers are written in upper case.',
    because: 'Serial numbers are pairs of hexadecimal digits, whose case has no meaning (readings, 11).',
    areas: ['pki'],
    open: rewriting(
      (json) =>
        eachValue(json, (value) =>
          typeof value === 'string' ? value.replaceAll(hexPairs, (text) => text.toUpperCase()) : value,
        ) as JsonObject,
    ),
  },
  'serials-without-separators': {
    says: 'Replies have serial numbers without separators, and requests need them with separators.',
    because: 'The documents name the separators of the serial in a request, and show no reply with a serial.',
    areas: ['pki'],
    open: rewriting(
      (json) =>
        eachValue(json, (value) =>
          typeof value === 'string' && !value.includes('-----') && !/[^0-9a-f:-]/i.test(value)
            ? value.replaceAll(hexPairs, (text) => text.replaceAll(/[:-]/g, ''))
            : value,
        ) as JsonObject,
    ),
  },
  'ticking-fields': {
    says: 'Every reply has clocks and counters beside its fields.',
    because: 'What a server adds and widens nothing is its own business (readings, 53 and 70).',
    open: ({ now }) => {
      const restless = restlessFields(now)
      return rewriting((json, sent) => (isHealth(sent) ? json : { ...restless(), ...json }))({
        now,
        wait: async () => {},
      })
    },
  },
  warnings: {
    says: 'Every reply has a warning.',
    because: 'A warning beside a success changes nothing of it.',
    open: rewriting((json, sent) =>
      isHealth(sent) || !('request_id' in json) ? json : { ...json, warnings: ['this server warns of everything'] },
    ),
  },
  'pem-with-crlf': {
    says: 'PEM texts have CRLF at their ends of lines.',
    because: 'PEM allows either (RFC 7468, 3).',
    areas: ['pki'],
    open: answering((answer) => pemChanged(answer, (pem, nl) => pem.replaceAll(nl, nl === '\n' ? '\r\n' : '\\r\\n'))),
  },
  'pem-with-preamble': {
    says: 'PEM texts have lines of explanation before them.',
    because: 'Readers of PEM skip what stands before a block (RFC 7468, 2).',
    areas: ['pki'],
    open: answering((answer) => pemChanged(answer, (pem, nl) => `subject=example${nl}issuer=example${nl}${pem}`)),
  },
})

/** Changes the PEM blocks of a reply. In JSON, line ends are escaped. */
function pemChanged(answer: Parameters<typeof textOf>[0], change: (pem: string, nl: '\n' | '\\n') => string) {
  const { 'content-type': type = '' } = answer.headers
  const text = textOf(answer)
  if (!text.includes('-----BEGIN ')) return answer
  const nl = type.includes('json') ? '\\n' : '\n'
  return withText(
    answer,
    text.replaceAll(certificates, (pem) => change(pem, nl)),
  )
}
