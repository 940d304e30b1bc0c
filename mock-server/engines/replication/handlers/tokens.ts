/** Issues activation tokens, and revokes the secondaries that used them. */

import { randomBytes } from 'node:crypto'
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { done } from '../../../kernel/contracts.ts'
import { requiredText, textField } from '../../../kernel/http/body-fields.ts'
import { durationField } from '../../../kernel/http/duration.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { isSince } from '../../../kernel/versions.ts'
import type { Activation, Credentials } from '../connections/activation-tokens.ts'
import type { Context } from '../context.ts'
import type { Registration } from '../membership.ts'
import type { TokenRules } from '../rules/tokens.ts'

function assertPrimary({ kind, membership }: Context): void {
  if (membership.mode !== 'primary') throw badRequest(`this cluster is not a ${kind} primary: it is ${membership.mode}`)
}

/** Returns the address to which secondaries connect. */
export const clusterAddressOf = (context: Context): string =>
  context.membership.primaryClusterAddr || context.services.addresses.cluster

/** Returns the certificates and the key that a secondary needs for the link. */
function bootstrapFor(id: string, { certificates }: Context) {
  const { certificate, key } = certificates.issue(id)
  return { ca_cert: certificates.authority, client_cert: certificate, client_key: key }
}

/** Returns the requested lifetime in seconds. */
function lifetimeIn({ body }: Call, { seconds }: TokenRules): number | undefined {
  const isIgnored = seconds === 'ignored' && /s$/.test(String(body.ttl))
  return isIgnored ? undefined : durationField(body, 'ttl')
}

export function issueToken(call: Call, context: Context, signed: (activation: Activation) => string): Reply {
  assertPrimary(context)
  const { services } = context
  const { tokens } = context.rules
  if (context.membership.by === 'secondary/promote' && tokens.promoted === 'refuses')
    throw badRequest('this cluster was promoted: it issues no tokens')
  const id = tokens.idMissing === 'refused' ? requiredText(call.body, 'id') : (textField(call.body, 'id') ?? '')
  if (context.sessions.isOpen(id) && tokens.idInUse === 'refused')
    throw badRequest(`a secondary is connected by the id ${id}`)
  const asked = lifetimeIn(call, tokens)
  const ttl = asked ? tokens.ttl(asked, tokens.defaultTtl) : tokens.defaultTtl
  const publicKey = isSince(services.facts.version, tokens.publicKeys.since)
    ? (textField(call.body, 'secondary_public_key') ?? '')
    : ''

  const secret = randomBytes(32).toString('hex')
  const setId = context.membership.setId
  const credentials: Credentials = {
    ...{ kind: context.kind, id, secret, set_id: setId },
    primary_cluster_addr: clusterAddressOf(context),
    ...bootstrapFor(id, context),
  }
  const sealed =
    publicKey !== '' && tokens.publicKeys.sent === 'encrypted'
      ? services.extensions.secondaryKeys?.encryptTo(context.kind, publicKey, JSON.stringify(credentials))
      : undefined
  const isEndless = sealed !== undefined && !asked && tokens.publicKeys.lifetime === 'ends-if-asked'
  const expiresAt = isEndless ? Number.MAX_SAFE_INTEGER : services.clock.now() + ttl * 1000
  register({
    ...{ id, secret, setId, expiresAt, wrapped: '', activated: false },
    ...{ clusterId: '', apiAddress: '', clusterAddress: '', authority: '' },
  })
  if (tokens.gives === 'nothing') return done
  if (sealed !== undefined) return { kind: 'data', data: { token: sealed } }
  const encode = (jti: string): string => {
    const wrapped = signed({ kind: context.kind, addr: services.addresses.api, jti })
    context.updateRegistration(id, { wrapped })
    return wrapped
  }
  return { kind: 'data', data: credentials, wrap: { ttl, encode, plain: tokens.withoutKey === 'plain' } }

  /** Replaces earlier tokens and credentials with this id: from now on, a secondary with this id needs the new
   * token. */
  function register(registration: Registration): void {
    const unused = context.membership.registrations.filter(({ activated }) => !activated).map((one) => one.id)
    context.drop([id, ...(tokens.unusedOnes === 'ended' ? unused : [])])
    context.update({ registrations: [...context.membership.registrations, registration] })
  }
}

export function revokeSecondary(call: Call, context: Context): Reply {
  assertPrimary(context)
  const { revokedIdMissing } = context.rules.tokens
  const id = textField(call.body, 'id') ?? ''
  if (id === '' && revokedIdMissing === 'ignored') return done
  const { registrations } = context.membership
  if (id === '' && revokedIdMissing === 'refused-but-ends-all')
    for (const one of registrations) {
      context.sessions.end(one.id)
      context.drop([one.id])
    }
  if (!registrations.some((one) => one.id === requiredText(call.body, 'id')))
    throw badRequest(`no secondary has the id ${id}`)
  revoke(id, context)
  if (context.rules.tokens.revokes === 'both-kinds') {
    const other = context.other()
    other.sessions.end(id)
    other.drop([id])
  }
  return done
}

/** Disconnects the secondaries that a revocation affects, and drops their credentials. Without a mutant, only the
 * secondary with this id is affected. */
function revoke(id: string, context: Context): void {
  const { membership, sessions } = context
  const { registrations } = membership
  const { revocation } = context.rules.tokens
  const ids = registrations.map((one) => one.id)
  const isUsed = (one: string): boolean => registrations.some(({ id, activated }) => id === one && activated)
  const isSpared =
    (revocation === 'ends-connected' && isUsed(id) && !sessions.isOpen(id)) ||
    (revocation === 'ends-first-ones' && registrations.some((one) => one.id === id && one.isFurther))
  if (revocation === 'changes-nothing' || isSpared) return
  if (revocation === 'ends-unused-too') context.drop(ids.filter((one) => !isUsed(one)))
  const reached = idsReached(ids, id, revocation)
  for (const one of reached) sessions.end(one)
  if (revocation !== 'disconnects') context.drop(revocation === 'ends-used' ? reached.filter(isUsed) : reached)
}

function idsReached(ids: readonly string[], id: string, revocation: TokenRules['revocation']): readonly string[] {
  if (revocation === 'ends-all') return ids
  return revocation === 'ends-alike' ? ids.filter((one) => one.startsWith(id)) : [id]
}
