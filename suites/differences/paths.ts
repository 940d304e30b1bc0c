/** Legal differences in the paths that a server serves, the objects that it accepts, and replies that the documents do
 * not show. */

import {
  type Difference,
  type DifferentServer,
  isObject,
  type Json,
  type WireAnswer,
  type WireSent,
} from '../../harness/vocabulary/index.ts'
import { secondsIn } from '../numbers.ts'
import { rowsOf } from '../rows.ts'
import { isSuccess, jsonOf, objectIn, placeOf, reading, refusal, remembering, rewriting, withJson } from './bends.ts'

const legacyMethod = /^sys\/mfa\/method\/totp\/[^/]+$/
const secretsOfNamed = /^sys\/mfa\/method\/(?:totp\/)?([^/]+)(?:\/((?:admin-)?generate|admin-destroy))?$/
const ofMethods = /^(sys|identity)\/mfa\/method\/totp(\/[^/]+)?$/
const policyOf = /^sys\/policies\/(acl|rgp|egp)\/([^/]+)$/
const openReply = 'The documents do not show this reply.'

const bounds = { period: [15, 60], key_size: [16, 64], qr_size: [100, 256], max_validation_attempts: [3, 10] } as const

/** Tells whether the numbers of a method are in the bounds. */
function isWithinBounds({ body }: WireSent): boolean {
  const fields = objectIn(body) ?? {}
  return Object.entries(bounds).every(([name, [least, most]]) => {
    const value = secondsIn(fields[name])
    return value === undefined || (value >= least && value <= most)
  })
}

/** Refuses a POST on `place` if `isTaken` says that the name is in use, and remembers which objects are created and
 * deleted. */
const refusingWhere = (
  isMeant: (place: string) => boolean,
  isTaken: (place: string, made: ReadonlySet<string>) => boolean,
) =>
  remembering(
    () => new Set<string>(),
    (made) => async (sent, pass) => {
      const place = placeOf(sent)
      if (!isMeant(place)) return pass(sent)
      if (sent.method === 'POST' && isTaken(place, made)) return refusal(409)
      return noted(made, place, sent, await pass(sent))
    },
  )

/** Remembers whether an object exists after a reply. */
function noted(made: Set<string>, name: string, { method }: WireSent, answer: WireAnswer): WireAnswer {
  if (isSuccess(answer) && method === 'POST') made.add(name)
  if (isSuccess(answer) && method === 'DELETE') made.delete(name)
  return answer
}

function noteSecret(owners: Set<string>, operation: string, owner: string): void {
  if (operation === 'admin-destroy') for (const one of [owner, 'caller']) owners.delete(one)
  else owners.add(owner)
}

/** Leaves out the policies that do not exist from a request for a token. */
function withPoliciesOf(made: ReadonlySet<string>, sent: WireSent): WireSent {
  const body = objectIn(sent.body)
  if (!body || !Array.isArray(body.policies)) return sent
  const policies = body.policies.filter((name) => name === 'default' || made.has(String(name).toLowerCase()))
  if (policies.length === body.policies.length) return sent
  return { ...sent, body: JSON.stringify({ ...body, policies: policies.length > 0 ? policies : ['default'] }) }
}

/** Remembers which policies exist that a token can have, and lets `serve` answer requests for tokens. */
const knowingPolicies = (
  serve: (made: ReadonlySet<string>, ...request: Parameters<DifferentServer>) => ReturnType<DifferentServer>,
) =>
  remembering(
    () => new Set<string>(),
    (made) => async (sent, pass) => {
      const name = /^sys\/(?:policy|policies\/(?:acl|rgp))\/([^/]+)$/.exec(placeOf(sent))?.[1]?.toLowerCase()
      const answer = await (placeOf(sent) === 'auth/token/create' ? serve(made, sent, pass) : pass(sent))
      return name ? noted(made, name, sent, answer) : answer
    },
  )

/** Changes the entries of `name_path_map` to another format. */
const mapping = (change: (entries: readonly { readonly path: string; readonly glob: boolean }[]) => Json) =>
  rewriting((json, sent) => {
    const data = isObject(json.data) ? json.data : {}
    if (placeOf(sent) !== 'sys/policies/egp' || !isObject(data.name_path_map)) return json
    const map = Object.entries(data.name_path_map).map(([name, value]) => {
      const paths = (Array.isArray(value) ? value : []).map((entry) => String(isObject(entry) ? entry.path : entry))
      return [name, change(paths.map((path) => ({ path, glob: path.endsWith('*') })))] as const
    })
    return { ...json, data: { ...data, name_path_map: Object.fromEntries(map) } }
  })

export const paths: readonly Difference[] = rowsOf<Difference>({
  'older-policy-path-unserved': {
    says: 'Nothing is served below `sys/policy`.',
    because: 'No document has this path; policies are written below `sys/policies`.',
    open: () => async (sent, pass) => (/^sys\/policy(\/|$)/.test(placeOf(sent)) ? refusal(404) : pass(sent)),
  },
  'methods-defined-once': {
    says: 'A method by name that is there cannot be defined again.',
    because: 'The row of the legacy variant defines a method, and says nothing of one that is there.',
    areas: ['mfa-legacy'],
    losses: [
      {
        check: 'mfa-legacy/transitions/update-*',
        verdict: 'warn',
        why: 'They decide the *should* that a definition replaces an earlier one.',
      },
      { check: 'mfa-legacy/**', verdict: 'not-applicable', why: 'The check is about a method that is defined again.' },
    ],
    open: refusingWhere(
      (place) => legacyMethod.test(place),
      (place, made) => made.has(place),
    ),
  },
  'methods-with-secrets-kept': {
    says: 'A method by name is not deleted while an entity has a secret of it.',
    because: 'The documents state a condition of this deletion for the identity variant only.',
    areas: ['mfa-legacy'],
    losses: [
      {
        check: 'mfa-legacy/transitions/*',
        verdict: 'not-applicable',
        why: 'The check is about the deletion of a method of which there is a secret.',
      },
    ],
    open: remembering(
      () => new Map<string, Set<string>>(),
      (held) => async (sent, pass) => {
        const [, name = '', operation] = secretsOfNamed.exec(placeOf(sent)) ?? []
        const owners = held.get(name) ?? new Set()
        held.set(name, owners)
        if (operation === undefined) return sent.method === 'DELETE' && owners.size > 0 ? refusal(409) : pass(sent)
        const answer = await pass(sent)
        if (isSuccess(answer)) noteSecret(owners, operation, String(objectIn(sent.body)?.entity_id ?? 'caller'))
        return answer
      },
    ),
  },
  'narrow-bounds-of-methods': {
    says: 'Methods have periods of 15 to 60 s, keys of 16 to 64 bytes, QR codes of 100 to 256 pixels, and 3 to 10 attempts.',
    because: 'The documents give defaults of these fields, and no bounds.',
    areas: ['mfa-legacy', 'mfa-identity'],
    losses: [
      { check: 'mfa-*/**', verdict: 'not-applicable', why: 'The check is about a value that the server refuses.' },
    ],
    open: reading((sent) =>
      sent.method === 'POST' && ofMethods.test(placeOf(sent)) && !isWithinBounds(sent) ? undefined : sent,
    ),
  },
  'names-of-policies-shared': {
    says: 'A policy cannot have the name of a policy of another kind.',
    because: 'The documents do not say that each kind has names of its own.',
    areas: ['policies'],
    losses: [
      {
        check: 'policies/transitions/*-of-that-name',
        verdict: 'not-applicable',
        why: 'There are no two policies of one name.',
      },
    ],
    open: refusingWhere(
      (place) => policyOf.test(place),
      (place, made) => {
        const name = policyOf.exec(place)?.[2]
        return [...made].some((other) => other !== place && policyOf.exec(other)?.[2] === name)
      },
    ),
  },
  'names-of-missing-policies-dropped': {
    says: 'A new token gets only policies that exist.',
    because: 'No document describes how tokens are created.',
    areas: ['policies'],
    losses: [
      {
        check: 'policies/access*/**',
        verdict: 'not-applicable',
        why: 'The policy is made after the token, which shows that it does not carry the name.',
      },
    ],
    open: knowingPolicies((made, sent, pass) => pass(withPoliciesOf(made, sent))),
  },
  'tokens-with-missing-policies-refused': {
    says: 'A token with the name of a policy that does not exist is refused.',
    because: 'No document describes how tokens are created.',
    areas: ['policies'],
    losses: [
      {
        check: 'policies/access*/**',
        verdict: 'not-applicable',
        why: 'The policy is made after the token, which is refused until then.',
      },
    ],
    open: knowingPolicies(async (made, sent, pass) => (withPoliciesOf(made, sent) === sent ? pass(sent) : refusal())),
  },
  'long-policies-refused': {
    says: 'A policy of more than 4,096 characters is refused.',
    because: 'The documents do not say how long the text of a policy may be.',
    areas: ['policies'],
    losses: [{ check: 'policies/access*/*', verdict: 'not-applicable', why: 'The text of the policy is longer.' }],
    open: reading((sent) =>
      sent.method === 'POST' && policyOf.test(placeOf(sent)) && (sent.body?.length ?? 0) > 4096 ? undefined : sent,
    ),
  },
  'policies-read-by-operators-alone': {
    says: 'Policies are read with the token of an operator only, whatever the policies of another token allow.',
    because: 'The documents do not show which authentication a read of a policy requires.',
    areas: ['policies'],
    losses: [
      {
        check: 'policies/access*/*',
        verdict: 'not-verified',
        why: 'The check notices the effect of a policy by a read of a policy.',
      },
    ],
    open: remembering(
      () => ({ operator: undefined as string | undefined }),
      (known) => async (sent, pass) => {
        const token = sent.headers['x-vault-token']
        known.operator ??= token
        return sent.method === 'GET' && policyOf.test(placeOf(sent)) && token !== known.operator
          ? refusal(403)
          : pass(sent)
      },
    ),
  },
  'plugins-registered-under-their-type-alone': {
    says: 'A file is registered only under the type of its plugin.',
    because: 'The documents do not say that a server takes a file for a plugin of a type that it does not have.',
    areas: ['plugin-catalog'],
    losses: [
      {
        check: 'plugin-catalog/*/*',
        verdict: 'not-verified',
        why: 'The check registers the file under another type than secret.',
      },
      {
        check: 'plugin-catalog/transitions/a-plugin-of-another-type-is-not-used',
        verdict: 'not-applicable',
        why: 'No plugin is registered under another type.',
      },
    ],
    open: reading((sent) => {
      const [, type] = /^sys\/plugins\/catalog\/(auth|database)\//.exec(placeOf(sent)) ?? []
      const isOther = sent.method === 'POST' && type !== undefined && !sent.body?.includes(`-${type}"`)
      return isOther ? undefined : sent
    }),
  },
  'method-ids-in-a-sentence': {
    says: 'Where a method is made without an id, the reply names its id in a sentence.',
    because: openReply,
    areas: ['mfa-identity'],
    open: () => async (sent, pass) => {
      const answer = await pass(sent)
      const json = jsonOf(answer)
      const id = isObject(json?.data) ? json.data.method_id : undefined
      if (sent.method !== 'POST' || !/identity\/mfa\/method\/totp$/.test(placeOf(sent))) return answer
      if (!json || id === undefined || !isSuccess(answer)) return answer
      return withJson(answer, { ...json, data: { said: `made the method ${id}` } })
    },
  },
  'methods-made-below-their-ids-only': {
    says: 'A method is made by a POST on its id, and not on the collection.',
    because: 'Only the path with an id is documented (readings, 30).',
    areas: ['mfa-identity'],
    open: reading((sent) =>
      sent.method === 'POST' && /identity\/mfa\/method\/totp$/.test(placeOf(sent)) ? undefined : sent,
    ),
    losses: [
      {
        check: 'mfa-identity/errors/ids-are-uuids',
        verdict: 'not-applicable',
        why: 'The target chooses no id: each is taken from the path of the request.',
      },
    ],
  },
  'paths-of-egps-as-names': {
    says: 'The list of EGPs maps each name to an object of its paths.',
    because: 'The documents do not say how names are mapped to paths.',
    areas: ['policies'],
    open: mapping((entries) => Object.fromEntries(entries.map(({ path, glob }) => [path, { is_glob: glob }]))),
  },
  'paths-of-egps-in-pairs': {
    says: 'The list of EGPs maps each name to pairs of a path and whether it is a glob.',
    because: 'The documents do not say how names are mapped to paths.',
    areas: ['policies'],
    open: mapping((entries) => entries.map(({ path, glob }) => [path, glob])),
  },
})
