/** The endpoints `sys/leases` look up, renew and revoke leases. */

import { createHash } from 'node:crypto'
import { type Call, done, type Reply, type Route, type Token } from '../../kernel/contracts.ts'
import { requiredText, textField } from '../../kernel/http/body-fields.ts'
import { durationField } from '../../kernel/http/duration.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import type { LeaseRecord } from '../../kernel/mounts/leases.ts'
import type { Services } from '../../kernel/services.ts'

/** Returns the lease id of a token: the path that created it, and a hash that does not reveal the token. */
function leaseOfToken(token: Token): string {
  const known = leasesOfTokens.get(token)
  if (known !== undefined) return known
  const lease = `${token.path}/h${createHash('sha256').update(token.id).digest('hex')}`
  leasesOfTokens.set(token, lease)
  return lease
}
const leasesOfTokens = new WeakMap<Token, string>()

const timeOf = (ms: number): string => new Date(ms).toISOString()

export function leaseRoutes({ clock, leases, tokens }: Services): readonly Route[] {
  const idIn = (call: Call): string =>
    call.params.id || (textField(call.body, 'url_lease_id') ?? requiredText(call.body, 'lease_id'))

  const expiring = (): readonly Token[] => tokens.filter(({ expiresAt }) => expiresAt !== undefined)
  const tokenOf = (lease: string): Token | undefined =>
    lease.startsWith('auth/') ? expiring().find((token) => leaseOfToken(token) === lease) : undefined

  function lookUpToken({ createdAt, expiresAt = createdAt, renewable }: Token, id: string): Reply {
    const ttl = Math.max(Math.ceil((expiresAt - clock.now()) / 1000), 0)
    const times = { issue_time: timeOf(createdAt), expire_time: timeOf(expiresAt), last_renewal: null }
    return { kind: 'data', data: { id, ...times, renewable, ttl } }
  }

  function load(call: Call): LeaseRecord {
    const lease = leases.find(idIn(call))
    if (!lease) throw badRequest('invalid lease')
    return lease
  }

  function lookUp(call: Call): Reply {
    const token = tokenOf(idIn(call))
    if (token) return lookUpToken(token, idIn(call))
    const lease = load(call)
    const data = {
      id: lease.id,
      issue_time: timeOf(lease.issuedAt),
      expire_time: timeOf(lease.expiresAt),
      last_renewal: lease.renewedAt === undefined ? null : timeOf(lease.renewedAt),
      renewable: lease.renewable,
      ttl: leases.left(lease),
    }
    return { kind: 'data', data }
  }

  function renewToken(token: Token, id: string, asked: number | undefined): Reply {
    if (!token.renewable) throw badRequest('lease is not renewable')
    const { expiresAt = 0 } = tokens.renew(token.id, asked ?? token.ttl)
    const left = Math.ceil((expiresAt - clock.now()) / 1000)
    return { kind: 'data', data: null, topLevel: { lease_id: id, renewable: true, lease_duration: left } }
  }

  function renew(call: Call): Reply {
    const token = tokenOf(idIn(call))
    if (token) return renewToken(token, idIn(call), durationField(call.body, 'increment') || undefined)
    const lease = leases.renew(idIn(call), durationField(call.body, 'increment') || undefined)
    const fields = { lease_id: lease.id, renewable: lease.renewable, lease_duration: leases.left(lease) }
    return { kind: 'data', data: null, topLevel: fields }
  }

  async function revoke(call: Call): Promise<Reply> {
    const token = tokenOf(idIn(call))
    await (token ? tokens.revoke(token.id) : leases.revoke(idIn(call)))
    return done
  }

  /** Returns the handler that revokes the leases below a prefix, and below `auth/` also the tokens that were created
   * there. */
  const revokeBelow =
    (how: 'revokePrefix' | 'revokeForce') =>
    async (call: Call): Promise<Reply> => {
      const prefix = call.params.prefix ?? ''
      await leases[how](prefix)
      if (prefix.startsWith('auth/'))
        for (const token of tokens.filter(({ path }) => path.startsWith(prefix))) await tokens.revoke(token.id)
      return done
    }

  /** Lists the names directly below a folder of lease ids. */
  function list(call: Call): Reply {
    const folder = call.params.id ? `${call.params.id}/` : ''
    const below = [...leases.ids(), ...expiring().map(leaseOfToken)].filter((id) => id.startsWith(folder))
    const names = below.map((id) => id.slice(folder.length).replace(/\/.*$/, '/'))
    return { kind: 'data', data: { keys: [...new Set(names)] } }
  }

  return [
    { verb: 'POST', path: 'leases/lookup', access: 'token', handle: lookUp },
    { verb: 'LIST', path: 'leases/lookup', access: 'sudo', handle: list },
    { verb: 'LIST', path: 'leases/lookup/:id*', access: 'sudo', handle: list },
    { verb: 'POST', path: 'leases/renew', access: 'token', handle: renew },
    { verb: 'POST', path: 'leases/renew/:id*', access: 'token', handle: renew },
    { verb: 'POST', path: 'leases/revoke', access: 'token', handle: revoke },
    { verb: 'POST', path: 'leases/revoke/:id*', access: 'token', handle: revoke },
    { verb: 'POST', path: 'leases/revoke-prefix/:prefix*', access: 'sudo', handle: revokeBelow('revokePrefix') },
    { verb: 'POST', path: 'leases/revoke-force/:prefix*', access: 'sudo', handle: revokeBelow('revokeForce') },
  ]
}
