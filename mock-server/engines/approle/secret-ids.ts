/** The endpoints that create, show and destroy the secret ids of a role. */
import { blocksField, isSubset } from '../../kernel/auth/addresses.ts'
import { staying } from '../../kernel/cluster/forwarding.ts'
import { type Call, done, type Reply, type Route } from '../../kernel/contracts.ts'
import { numberField, parseBoundedJson, requiredText, textField } from '../../kernel/http/body-fields.ts'
import { durationField } from '../../kernel/http/duration.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'
import { expiryOf, type Role, type SecretId, type Store } from './store.ts'

interface Context {
  readonly store: Store
  readonly services: Services
  load(call: Call): Role
}

export const nameIn = (call: Call): string => (call.params.name ?? '').toLowerCase()
const timeOf = (ms: number): string => new Date(ms).toISOString()

/** Reads the metadata of a secret id, which a request sends as a string that contains a JSON object. */
function metadataIn(call: Call): Readonly<Record<string, string>> {
  const text = textField(call.body, 'metadata')
  if (!text) return {}
  try {
    const value = parseBoundedJson(text)
    if (typeof value === 'object' && value !== null && Object.values(value).every((item) => typeof item === 'string'))
      return value as Record<string, string>
  } catch {
    // The refusal below covers text that is not JSON.
  }
  throw badRequest('metadata must be the text of a JSON object with strings')
}

/** Returns the requested value, or else that of the role. Refuses a higher value, or 0 (unlimited), if the role has a
 * limit. */
function atMost(asked: number | undefined, bound: number, name: string): number {
  if (asked === undefined) return bound
  if (bound > 0 && (asked > bound || asked === 0)) throw badRequest(`${name} must not be above that of the role`)
  return asked
}

/** Reads CIDR blocks of a secret id. If the role has CIDR blocks, each block must lie within them. */
function blocksIn(call: Call, name: string, role: readonly string[]): readonly string[] {
  const blocks = blocksField(call.body, name) ?? []
  for (const block of blocks)
    if (role.length > 0 && !isSubset(block, role)) throw badRequest(`${name}: ${block} is not within those of the role`)
  return blocks
}

function make(call: Call, id: string, { store, services, load }: Context): Reply {
  const role = load(call)
  if (!role.bindSecretId) throw badRequest('bind_secret_id is not set on the role')
  if (store.find(nameIn(call), { id })) throw badRequest('SecretID is already registered')
  const secret: SecretId = {
    ...{ id, accessor: services.mint.uuid(), role: nameIn(call), metadata: metadataIn(call) },
    blocks: blocksIn(call, 'cidr_list', role.secretIdBlocks),
    tokenBlocks: blocksIn(call, 'token_bound_cidrs', role.blocks),
    createdAt: services.clock.now(),
    ttl: atMost(durationField(call.body, 'ttl'), role.secretIdTtl, 'ttl'),
    uses: atMost(numberField(call.body, 'num_uses'), role.secretIdUses, 'num_uses'),
  }
  store.put(secret)
  const data = {
    ...{ secret_id: id, secret_id_accessor: secret.accessor },
    ...{ secret_id_ttl: secret.ttl, secret_id_num_uses: secret.uses },
  }
  return { kind: 'data', data }
}

const view = (secret: SecretId): object => {
  const expiry = expiryOf(secret)
  return {
    cidr_list: secret.blocks,
    creation_time: timeOf(secret.createdAt),
    expiration_time: expiry === undefined ? '0001-01-01T00:00:00Z' : timeOf(expiry),
    last_updated_time: timeOf(secret.createdAt),
    metadata: secret.metadata,
    secret_id_accessor: secret.accessor,
    secret_id_num_uses: secret.uses,
    secret_id_ttl: secret.ttl,
    token_bound_cidrs: secret.tokenBlocks,
  }
}

function list(call: Call, { store, load }: Context): Reply {
  load(call)
  const keys = store.secretIds(nameIn(call)).map(({ accessor }) => accessor)
  return { kind: 'data', data: { keys: keys.sort() } }
}

export function secretIdRoutes(context: Context): readonly Route[] {
  const { store, services, load } = context
  const byId = (call: Call): SecretId | undefined => {
    load(call)
    return store.find(nameIn(call), { id: requiredText(call.body, 'secret_id') })
  }
  const byAccessor = (call: Call): SecretId => {
    load(call)
    const accessor = requiredText(call.body, 'secret_id_accessor')
    const secret = store.find(nameIn(call), { accessor })
    if (!secret)
      throw new Refusal('wrong-path', { message: `failed to find accessor entry for secret_id_accessor: ${accessor}` })
    return secret
  }
  const shown = (secret: SecretId | undefined): Reply => (secret ? { kind: 'data', data: view(secret) } : done)
  const destroyed = (secret: SecretId | undefined): Reply => {
    if (secret) store.remove(secret)
    return done
  }
  const row = (verb: Route['verb'], path: string, handle: (call: Call) => Reply): Route => ({
    ...{ verb, path: `role/:name/${path}`, access: 'token', handle },
  })
  return [
    row('LIST', 'secret-id', (call) => list(call, context)),
    row('POST', 'secret-id', (call) => make(call, services.mint.uuid(), context)),
    row('POST', 'custom-secret-id', (call) => make(call, requiredText(call.body, 'secret_id'), context)),
    ...staying([row('POST', 'secret-id/lookup', (call) => shown(byId(call)))]),
    row(['POST', 'DELETE'], 'secret-id/destroy', (call) => destroyed(byId(call))),
    ...staying([row('POST', 'secret-id-accessor/lookup', (call) => shown(byAccessor(call)))]),
    row(['POST', 'DELETE'], 'secret-id-accessor/destroy', (call) => destroyed(byAccessor(call))),
  ]
}
