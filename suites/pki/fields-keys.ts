import type { Check, Exchange, Expectation, JsonObject } from '../../harness/vocabulary/index.ts'
import { check, post, refused, replyLacks, requestWords } from '../../harness/vocabulary/index.ts'
import { action } from '../records.ts'
import {
  bareRole,
  caStays,
  caWorks,
  generateRoot,
  issue,
  mounted,
  noneIssued,
  noRole,
  role,
  rooted,
  rootedWith,
  rootShown,
  successOf,
} from './given/given.ts'
import { either, issueUnder } from './given/in-turn.ts'
import { keysOf } from './judge/reply.ts'
import { holdsKey, holdsNoKey, makesRootWithoutKey } from './then/encodings.ts'
import { keyIs, keyIsOnUsualCurve, refusedOr } from './then/then.ts'
import { topic } from './topic.ts'

const curves = [224, 256, 384, 521] as const
const open: JsonObject = { allow_any_name: true, enforce_hostnames: false, ttl: '1h' }

const under = (
  id: string,
  row: string,
  fields: JsonObject,
  then: Expectation,
  more: { readonly control?: Exchange } = {},
) => check(id, { requirement: `pki.role.${row}`, given: rooted(), when: issueUnder(fields), then: [then], ...more })

/** A server may refuse a size that the documents do not name. */
const sized = (id: string, key_bits: number) => {
  const control = role({ key_type: 'rsa', key_bits: 2048 })
  return under(id, 'key-bits.rsa', { key_type: 'rsa', key_bits }, refusedOr(keyIs('rsa', key_bits)), { control })
}

const ofRoles: readonly Check[] = [
  check('role-keys-are-rsa-2048-by-default', {
    requirement: ['pki.role.key-type.default', 'pki.role.key-bits.default'],
    given: [...rooted(), bareRole(open)],
    when: issue(),
    then: [keyIs('rsa', 2048)],
  }),
  under('role-keys-can-be-rsa', 'key-type.rsa', { key_type: 'rsa', key_bits: 2048 }, keyIs('rsa')),
  sized('role-rsa-keys-have-no-other-size-than-asked', 3072),
  sized('role-rsa-keys-of-4096-bits-are-no-shorter', 4096),
  under(
    'role-rsa-keys-can-be-of-3072-bits',
    'key-bits.rsa-3072',
    { key_type: 'rsa', key_bits: 3072 },
    keyIs('rsa', 3072),
  ),
  under('role-keys-can-be-ec', 'key-type.ec', { key_type: 'ec', key_bits: 384 }, keyIs('ec')),
  ...curves.map((key_bits) =>
    under(
      `role-ec-keys-can-be-of-${key_bits}-bits`,
      `key-bits.ec-${key_bits}`,
      { key_type: 'ec', key_bits },
      keyIs('ec', key_bits),
    ),
  ),
  check('role-ec-keys-cannot-be-of-2048-bits', {
    requirement: 'pki.role.key-bits.changed-for-ec',
    given: rooted(),
    when: either(role({ key_bits: 2048 }), issue()),
    then: [refused(noneIssued, noRole)],
    control: role({ key_bits: 256 }),
  }),
  ...curves.map((key_bits) =>
    under(
      `role-ec-keys-of-${key_bits}-bits-are-on-the-usual-curve`,
      'key-bits.ec-usual-curves',
      { key_type: 'ec', key_bits },
      keyIsOnUsualCurve(key_bits),
    ),
  ),
  check('nothing-is-issued-under-key-type-any', {
    requirement: 'pki.role.key-type.any-signs-only',
    given: rooted(),
    when: either(role({ key_type: 'any', key_bits: undefined }), issue()),
    then: [refused(noneIssued)],
    control: role({ key_type: 'rsa', key_bits: 2048 }),
  }),
  check('role-keys-are-of-no-other-type', {
    requirement: 'pki.role.key-type.closed',
    given: rooted(),
    when: either(role({ key_type: 'dsa', key_bits: 2048 }), issue()),
    then: [refused(noneIssued, noRole)],
    control: role({ key_type: 'rsa', key_bits: 2048 }),
  }),
]

/** Only the root has a field `ttl`; a server may refuse a field that is not documented for an endpoint. */
const named = {
  root: { common_name: 'named.example', ttl: '24h' },
  intermediate: { common_name: 'named.example' },
} as const
const makers = { root: 'root/generate', intermediate: 'intermediate/generate' } as const
type Maker = keyof typeof makers

/** Shows that the reply of this request has a private key; otherwise a missing key would prove nothing. */
const showsItsKey = (generate: Exchange) =>
  action(`${requestWords(generate)} returns a private key`, { touches: [generate] }, async (scope) => {
    const reply = successOf(await scope.send(generate))
    if (keysOf(reply).length === 0) throw replyLacks(reply, 'a private key')
  })

const ofAuthorities = (Object.keys(makers) as Maker[]).flatMap((maker): readonly Check[] => {
  const at = (mount: string, type: string, fields: JsonObject = {}): Exchange =>
    post(`{${mount}}/${makers[maker]}/${type}`, { ...named[maker], ...fields })
  const ask = (type: string, fields: JsonObject = {}): Exchange => at('mount', type, fields)
  const shown = (fields: JsonObject = {}) =>
    maker === 'root' ? rootShown(ask('internal', fields)) : ask('internal', fields)
  const twin = (type: string, fields: JsonObject = {}): Exchange => at('twin', type, fields)
  // If a refused generation of an intermediate is carried out nevertheless, its only visible effect is that it replaces
  // the key of the CA.
  const [two, witness] =
    maker === 'root'
      ? ([[mounted(), mounted({ as: 'twin' })], caStays] as const)
      : ([[...rootedWith(), mounted({ as: 'twin' }), generateRoot({}, 'internal', '{twin}')], caWorks] as const)
  const ec = { key_type: 'ec', key_bits: 256 }
  const withoutKey = maker === 'root' ? makesRootWithoutKey : holdsNoKey
  return [
    check(`${maker}-key-is-rsa-2048-by-default`, {
      requirement: [`pki.${maker}.key-type.default`, `pki.${maker}.key-bits.default`],
      given: [mounted()],
      when: shown(),
      then: [keyIs('rsa', 2048)],
    }),
    // A refusal is accepted, because the documents do not list the key sizes that a server must support for CAs.
    check(`${maker}-key-has-the-asked-size`, {
      requirement: [`pki.${maker}.key-type.ec`, `pki.${maker}.key-bits.used`],
      given: [mounted(), mounted({ as: 'twin' })],
      when: shown({ key_type: 'ec', key_bits: 384 }),
      then: [refusedOr(keyIs('ec', 384))],
      control: twin('internal', ec),
    }),
    ...([3072, 4096] as const).map((bits) =>
      check(`${maker}-rsa-key-${bits === 3072 ? 'has-no-other-size-than-asked' : 'of-4096-bits-is-no-shorter'}`, {
        requirement: `pki.${maker}.key-bits.used`,
        given: [mounted(), mounted({ as: 'twin' })],
        when: shown({ key_type: 'rsa', key_bits: bits }),
        then: [refusedOr(keyIs('rsa', bits))],
        control: twin('internal', { key_type: 'rsa', key_bits: 2048 }),
      }),
    ),
    check(`${maker}-ec-key-cannot-be-of-2048-bits`, {
      requirement: `pki.${maker}.key-bits.changed-for-ec`,
      given: two,
      when: ask('internal', { key_type: 'ec', key_bits: 2048 }),
      then: [refused(witness)],
      control: twin('internal', ec),
    }),
    check(`${maker}-key-is-of-no-other-type`, {
      requirement: `pki.${maker}.key-type.other-refused`,
      given: two,
      when: ask('internal', { key_type: 'dsa', key_bits: 2048 }),
      then: [refused(witness)],
      control: twin('internal', ec),
    }),
    check(`${maker}-type-internal-returns-no-key`, {
      requirement: `pki.${maker}.type.internal`,
      given: [mounted(), mounted({ as: 'twin' }), showsItsKey(twin('exported', ec))],
      when: ask('internal', ec),
      then: [withoutKey],
    }),
    ...(['der', 'pem_bundle'] as const).map((format) =>
      check(`${maker}-type-internal-returns-no-key-as-${format.replace('_', '-')}`, {
        requirement: `pki.${maker}.type.internal`,
        given: [mounted()],
        when: ask('internal', { ...ec, format }),
        then: [withoutKey],
      }),
    ),
    check(`${maker}-type-exported-returns-the-key`, {
      requirement: `pki.${maker}.type.exported`,
      given: [mounted()],
      when: ask('exported', ec),
      then: [holdsKey],
    }),
    check(`${maker}-type-is-one-of-two`, {
      requirement: `pki.${maker}.type.closed`,
      given: two,
      when: ask('public', ec),
      then: [refused(witness)],
      control: twin('exported', ec),
    }),
  ]
})

export default topic('pki/fields-keys', {
  about: 'The type and size of the keys that roles and requests ask for, and which replies show private keys.',
  names: ['mount', 'twin'],
  checks: [...ofRoles, ...ofAuthorities],
})
