/** Checks of name matching, made from rows: a role, a requested name, and whether the role allows it. */
import type { Check, Exchange, Expectation, JsonObject, Judgement, Reply } from '../../harness/vocabulary/index.ts'
import {
  check,
  isOfTheWay,
  isRefusal,
  judgementOf,
  notRefusal,
  refused,
  shortfall,
  stepRefused,
  unseen,
} from '../../harness/vocabulary/index.ts'
import { expectation } from '../records.ts'
import { type CheckRow, requirementsIn } from '../rows.ts'
import { issue, noneIssued, role, rooted } from './given/given.ts'
import { either } from './given/in-turn.ts'
import { findCertificate, listed } from './then/then.ts'

/** The fields of a role under which every field that allows names is off, and host names are enforced. */
export const strict: JsonObject = {
  allow_any_name: false,
  allow_bare_domains: false,
  allow_subdomains: false,
  allow_glob_domains: false,
  allow_localhost: false,
  allow_wildcard_certificates: true,
  enforce_hostnames: true,
}

export type RoleFields = Readonly<Record<string, JsonObject[string] | undefined>>

const namesOf = (reply: Reply): readonly string[] => {
  const found = findCertificate(reply)
  return found ? [...new Set([...(found.subject.common_name ?? []), ...found.sans.dns, ...found.sans.email])] : []
}

/** Names compare without regard to case: host names do, and so do the values of a subject (RFC 5280, 7.1). */
const isAmong = (names: readonly string[], wanted: string): boolean =>
  names.some((name) => name.toLowerCase() === wanted.toLowerCase())

const roleWords = (fields: RoleFields): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ') || 'default values'

/** The certificate is issued for each of these names. */
const allowed = (fields: RoleFields, names: readonly string[]) =>
  expectation(`a role with ${roleWords(fields)} allows \`${names.join(', ')}\``, ({ reply, scope }) => {
    const found = findCertificate(reply)
    const seen = namesOf(reply)
    const lost = names.map((name) => scope.fill(name)).filter((name) => !isAmong(seen, name))
    if (found && lost.length === 0) return undefined
    const saw = seen.length > 0 ? `a certificate for ${listed(seen)}` : 'no certificate'
    return shortfall(reply, `name ${lost.join(', ')}`, `allowed by a role with ${roleWords(fields)}`, saw)
  })

const withoutEffect = refused(noneIssued)
const denied = (fields: RoleFields, name: string): Expectation => ({
  ...withoutEffect,
  words: `a role with ${roleWords(fields)} denies \`${name}\``,
  judge({ reply, scope }, before) {
    if (isRefusal(reply)) return withoutEffect.judge({ reply, scope }, before)
    const seen = notRefusal(reply)
    return { ...seen, saw: `${seen.saw}, a certificate for ${listed(namesOf(reply))}` }
  },
})

const requestWords = (requests: readonly JsonObject[]): string =>
  requests.map((request) => `\`${Object.values(request).at(-1)}\``).join(', ')

/** Each of these requests is denied under the role `leaf`. The first is the judged request, unless the expectation sends them
 * all. */
export function eachDenied(
  fields: RoleFields,
  requests: readonly JsonObject[],
  first: 'judged' | 'sent' = 'judged',
): Expectation {
  const effect = first === 'judged' ? withoutEffect : refused(unseen('the other requests of the table show that'))
  const further = requests.slice(first === 'judged' ? 1 : 0).map((request) => issue(request))
  return {
    ...effect,
    words: `a role with ${roleWords(fields)} denies ${requestWords(requests)}`,
    touches: [...(effect.touches ?? []), ...further],
    async judge({ reply: judged, scope }, before) {
      const replies = first === 'judged' ? [judged] : []
      for (const exchange of further) replies.push(await scope.send(exchange))
      const granted = replies
        .filter((reply) => !isRefusal(reply) && !isOfTheWay(reply))
        .map((reply) => {
          const seen = notRefusal(reply)
          return { ...seen, saw: `${seen.saw}, a certificate for ${listed(namesOf(reply))}` }
        })
      if (granted.length > 0) return judgementOf(...granted)
      const lost = replies.find(isOfTheWay)
      if (lost) throw stepRefused(lost)
      return effect.judge({ reply: replies.at(-1) ?? judged, scope }, before)
    },
  }
}

/** Each of these requests is allowed under the role `leaf`. */
export function eachAllowed(fields: RoleFields, requests: readonly JsonObject[]): Expectation {
  const exchanges = requests.map((request) => ({
    exchange: issue(request),
    name: String(Object.values(request).at(-1)),
  }))
  return {
    words: `a role with ${roleWords(fields)} allows ${requestWords(requests)}`,
    touches: exchanges.map(({ exchange }) => exchange),
    async judge({ scope }) {
      const found: Judgement[] = []
      for (const { exchange, name } of exchanges) {
        const reply = await scope.send(exchange)
        if (isOfTheWay(reply)) throw stepRefused(reply)
        found.push(await allowed(fields, [name]).judge({ reply, scope }, undefined))
      }
      return judgementOf(...found)
    },
  }
}

interface NameRow extends Omit<CheckRow<string | readonly string[]>, 'id'> {
  /** Fields that differ from a role on which everything is off; `undefined` leaves a field to its default. */
  readonly role: RoleFields
  readonly asks: string
  /** Further fields of the request. A role that allows the request allows every entry of its `alt_names`. */
  readonly and?: JsonObject
  /** Set if a server may refuse the role because its fields contradict each other; then nothing is judged. */
  readonly mayBeRefused?: true
}

interface DeniedRow extends NameRow {
  /** The same request under a role that differs in these fields, or another request under the same role. */
  readonly but: { readonly role: RoleFields } | { readonly asks: string } | { readonly and: JsonObject }
  /** Further fields of requests that are denied as well. */
  readonly orAnd?: readonly JsonObject[]
}

const asked = ({ asks, and = {} }: Pick<NameRow, 'asks' | 'and'>, name?: string): Exchange =>
  issue({ common_name: asks, ...and }, name)

const namesIn = ({ asks, and }: NameRow): readonly string[] =>
  typeof and?.alt_names === 'string' ? [asks, ...and.alt_names.split(',')] : [asks]

export const allows = (id: string, row: NameRow): Check =>
  check(id, {
    requirement: requirementsIn('pki.', row.requirement),
    given: [...rooted(), ...(row.mayBeRefused ? [role({ ...strict, ...row.role })] : [])],
    when: row.mayBeRefused ? asked(row) : either(role({ ...strict, ...row.role }), asked(row)),
    then: [allowed(row.role, namesIn(row))],
  })

export function denies(id: string, row: DeniedRow): Check {
  const { but } = row
  const twin = 'role' in but ? [role({ ...strict, ...row.role, ...but.role }, 'twin')] : []
  const what = row.and && !('asks' in but) ? Object.values(row.and).join() : row.asks
  return check(id, {
    requirement: requirementsIn('pki.', row.requirement),
    given: [...rooted(), ...twin],
    // A server may refuse a contradictory role when it is written. Then it does not allow the name either.
    when: either(role({ ...strict, ...row.role }), asked(row)),
    then: [
      row.orAnd
        ? eachDenied(
            row.role,
            [row.and ?? {}, ...row.orAnd].map((and) => ({ common_name: row.asks, ...and })),
          )
        : denied(row.role, what),
    ],
    control: 'role' in but ? asked(row, 'twin') : asked({ ...row, ...but }),
  })
}
