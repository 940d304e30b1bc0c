/** Issues activation tokens, and revokes the secondaries that used them. */

import { randomBytes } from 'node:crypto'
import { type Call, done, type Reply } from '../../../kernel/contracts.ts'
import { requiredText, textField } from '../../../kernel/http/body-fields.ts'
import { durationField } from '../../../kernel/http/duration.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { isSince } from '../../../kernel/versions.ts'
import type { Activation, Credentials } from '../connections/activation-tokens.ts'
import type { Context } from '../context.ts'
import type { Registration } from '../membership.ts'

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

export function issueToken(call: Call, context: Context, signed: (activation: Activation) => string): Reply {
  assertPrimary(context)
  const { services } = context
  const { tokens } = context.rules
  const id = requiredText(call.body, 'id')
  if (context.sessions.isOpen(id)) throw badRequest(`a secondary is connected by the id ${id}`)
  const ttl = durationField(call.body, 'ttl') || tokens.defaultTtl
  const publicKey = isSince(services.facts.version, tokens.publicKeysSince)
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
    publicKey === ''
      ? undefined
      : services.extensions.secondaryKeys?.encryptTo(context.kind, publicKey, JSON.stringify(credentials))
  const expiresAt = services.clock.now() + ttl * 1000
  register({
    ...{ id, secret, setId, expiresAt, wrapped: '', activated: false },
    ...{ clusterId: '', apiAddress: '', clusterAddress: '', authority: '' },
  })
  if (sealed !== undefined) return { kind: 'data', data: { token: sealed } }
  const encode = (jti: string): string => {
    const wrapped = signed({ kind: context.kind, addr: services.addresses.api, jti })
    context.updateRegistration(id, { wrapped })
    return wrapped
  }
  return { kind: 'data', data: credentials, wrap: { ttl, encode } }

  /** Replaces earlier tokens and credentials with this id: from now on, a secondary with this id needs the new
   * token. */
  function register(registration: Registration): void {
    context.drop([id])
    context.update({ registrations: [...context.membership.registrations, registration] })
  }
}

/** Disconnects a secondary and drops its credentials. */
export function revokeSecondary(call: Call, context: Context): Reply {
  assertPrimary(context)
  const id = requiredText(call.body, 'id')
  if (!context.membership.registrations.some((one) => one.id === id)) throw badRequest(`no secondary has the id ${id}`)
  context.sessions.end(id)
  context.drop([id])
  return done
}
