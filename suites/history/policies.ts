/** The public bugs of policies, as rules on the wire. */
import { isObject, type JsonObject, type WireAnswer, type WireSent } from '../../harness/vocabulary/index.ts'
import {
  isList,
  jsonOf,
  type Opening,
  placeOf,
  reading,
  refusal,
  remembering,
  rewritingData,
} from '../differences/bends.ts'
import { modeOf } from './replication.ts'
import { actingAsAtFirst, fieldsAt, listOf, refusing, refusingAs, textIn } from './rules.ts'

/** In milliseconds. */
const forgottenAfter = 60_000
const policyPlace = /^sys\/polic(?:y|ies\/(?:acl|rgp|egp))\/([^/]+)$/

/** Returns the text of a policy, which may come in base64. */
function policyText({ policy }: JsonObject): string {
  const text = textIn(policy)
  return /^[A-Za-z0-9+/\s]+(?:=[=\s]*)?$/.test(text) ? Buffer.from(text, 'base64').toString() : text
}

const capitalsIn = (sent: WireSent): boolean => /[A-Z]/.test(policyPlace.exec(placeOf(sent))?.[1] ?? '')

/** Serves a request of a caller whom the policies deny as if the operator sent it. */
const overridingDenials = (isMeant: (sent: WireSent) => boolean): Opening =>
  remembering(
    () => ({ operator: undefined as string | undefined, denies: false }),
    (known) => async (sent, pass) => {
      known.operator ??= sent.headers['x-vault-token']
      if (/\bdeny\b/.test(policyText(fieldsAt(sent, policyPlace) ?? {}))) known.denies = true
      const answer = await pass(sent)
      if (answer.status !== 403 || !known.denies || known.operator === undefined || !isMeant(sent)) return answer
      return pass({ ...sent, headers: { ...sent.headers, 'x-vault-token': known.operator } })
    },
  )

interface Known {
  /** The paths of each policy, the policies of each token, and what each token may do without them, by path. */
  readonly paths: Map<string, readonly string[]>
  readonly tokens: Map<string, readonly string[]>
  readonly kept: Map<string, readonly string[]>
}

function noteToken({ tokens }: Known, sent: WireSent, answer: WireAnswer): void {
  const made = fieldsAt(sent, /^auth\/token\/create/)
  const auth = made ? jsonOf(answer)?.auth : undefined
  if (isObject(auth)) tokens.set(textIn(auth.client_token), listOf(made?.policies))
}

function keepOf({ paths, tokens, kept }: Known, deleted: string): void {
  for (const [token, policies] of tokens) {
    if (!policies.includes(deleted)) continue
    const others = policies.filter((one) => one !== deleted).flatMap((one) => paths.get(one) ?? [])
    const shared = (paths.get(deleted) ?? []).filter((path) => others.includes(path))
    kept.set(token, shared)
  }
}

/** Lets each policy of a token keep what the others say of the same path, also after one of them is deleted. */
const growingTogether: Opening = remembering(
  () => ({ operator: '', paths: new Map(), tokens: new Map(), kept: new Map() }) as Known & { operator: string },
  (known) => async (sent, pass) => {
    const caller = sent.headers['x-vault-token'] ?? ''
    known.operator ||= caller
    const name = policyPlace.exec(placeOf(sent))?.[1] ?? ''
    const fields = fieldsAt(sent, policyPlace)
    if (fields)
      known.paths.set(
        name,
        [...policyText(fields).matchAll(/path\s+"([^"]+)"/g)].map(([, path = '']) => path),
      )
    if (sent.method === 'DELETE') keepOf(known, name)
    const answer = await pass(sent)
    noteToken(known, sent, answer)
    const isKept = answer.status === 403 && known.kept.get(caller)?.includes(placeOf(sent))
    return isKept ? pass({ ...sent, headers: { ...sent.headers, 'x-vault-token': known.operator } }) : answer
  },
)

export const policies = {
  'policies-of-one-path-grow-together': growingTogether,
  'policies-in-minified-json': refusing(policyPlace, (fields) => /^\{[^\n]*\}$/.test(policyText(fields))),
  'policies-names-mind-case': () => async (sent, pass) =>
    (sent.method === 'GET' || sent.method === 'DELETE') && capitalsIn(sent) ? refusal(404) : pass(sent),
  'policies-empty-lists-panic': () => async (sent, pass) =>
    /=\s*\[\s*\]/.test(policyText(fieldsAt(sent, policyPlace) ?? {})) ? refusal(500) : pass(sent),
  'policies-lists-pass-denials': overridingDenials(isList),
  'policies-grants-pass-denials': overridingDenials(() => true),
  'policies-leading-slashes': refusing(policyPlace, (fields) => /path\s+"\//.test(policyText(fields))),
  'policies-in-json-shown-otherwise': rewritingData((data, sent) =>
    policyPlace.test(placeOf(sent)) && /^\s*\{\s*"path"/.test(textIn(data.policy))
      ? { ...data, policy: textIn(data.policy).replaceAll(/"([^"]+)"(?=\s*:\s*\{\s*"capabilities")/g, '"path $1"') }
      : data,
  ),
  'policies-on-secondaries': () => async (sent, pass) =>
    fieldsAt(sent, policyPlace) && (await modeOf('performance', sent, pass)) === 'secondary' ? refusal() : pass(sent),
  'policies-overrides-without-effect': reading((sent) => {
    const { 'x-vault-policy-override': _, ...headers } = sent.headers
    return { ...sent, headers }
  }),
  'policies-forgotten-until-read': ({ now }) => {
    const writtenAt = new Map<string, number>()
    let operator: string | undefined
    const isForgotten = () => [...writtenAt.values()].some((at) => now() > at + forgottenAfter)
    return async (sent, pass) => {
      const token = sent.headers['x-vault-token']
      operator ??= token
      const name = policyPlace.exec(placeOf(sent))?.[1]
      if (name === undefined && token !== operator && isForgotten()) return refusal(403)
      const answer = await pass(sent)
      if (name !== undefined && fieldsAt(sent, policyPlace)) writtenAt.set(name, now())
      else if (name !== undefined) writtenAt.delete(name)
      return answer
    }
  },
  'policies-not-served': refusingAs(404, (sent) => placeOf(sent).startsWith('sys/policies/acl')),
  'policies-made-again-act-as-at-first': actingAsAtFirst(/^sys\/policies\/acl\/[^/]+$/, {
    onlyOnceDeleted: true,
    show: (fields) => ({ ...fields, policy: policyText(fields) }),
  }),
} satisfies Readonly<Record<string, Opening>>
