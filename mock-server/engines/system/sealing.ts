/** The endpoints `sys/seal`, `sys/unseal`, `sys/seal-status` and `sys/init` manage the root key and its shares. */

import { type Call, done, type Reply, type Route } from '../../kernel/contracts.ts'
import { flagField, numberField, requiredText } from '../../kernel/http/body-fields.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'
import { buildDate, reportedVersion } from '../../kernel/versions.ts'
import { bare } from './health.ts'

const most = 255

/** Refuses fields of `sys/init` and `sys/unseal` that this server does not implement, because to ignore them would
 * mislead the caller. */
function refuseUnserved({ body }: Call): void {
  const unserved = ['pgp_keys', 'root_token_pgp_key', 'recovery_shares', 'recovery_threshold', 'recovery_pgp_keys']
  for (const name of [...unserved, 'migrate']) {
    const value = body[name]
    const isEmpty = !value || (Array.isArray(value) && value.length === 0)
    if (!isEmpty) throw badRequest(`${name}: this reference server does not carry out this field`)
  }
}

export function sharesIn(call: Call): { readonly shares: number; readonly threshold: number } {
  const shares = numberField(call.body, 'secret_shares') ?? 5
  const threshold = numberField(call.body, 'secret_threshold') ?? Math.min(shares, 3)
  const fits = shares >= 1 && shares <= most && threshold >= 1 && threshold <= shares && (threshold > 1 || shares === 1)
  if (!fits)
    throw badRequest(
      `secret_threshold must be from 2 to secret_shares (at most ${most}), or both 1; saw ${threshold} of ${shares}`,
    )
  return { shares, threshold }
}

export function sealRoutes({ seal, facts, cluster, keys }: Services): readonly Route[] {
  const status = (): object => ({
    type: 'shamir',
    initialized: seal.initialized,
    sealed: seal.sealed,
    t: seal.threshold,
    n: seal.shares,
    progress: seal.progress,
    nonce: seal.nonce,
    version: reportedVersion(facts),
    build_date: buildDate,
    migration: false,
    recovery_seal: false,
    storage_type: 'inmem',
    ...(seal.sealed ? {} : { cluster_name: cluster.name, cluster_id: cluster.id }),
  })

  async function init(call: Call): Promise<Reply> {
    if (seal.initialized) throw badRequest('the server is already initialized')
    refuseUnserved(call)
    const { shares, threshold } = sharesIn(call)
    await keys.initialize(shares, threshold)
    return bare({
      keys: keys.shares.map((share) => Buffer.from(share, 'base64').toString('hex')),
      keys_base64: keys.shares,
      root_token: keys.rootToken,
    })
  }

  async function unseal(call: Call): Promise<Reply> {
    if (!seal.initialized) throw badRequest('the server is not yet initialized')
    refuseUnserved(call)
    if (flagField(call.body, 'reset')) seal.forget()
    else await seal.unseal(requiredText(call.body, 'key'))
    return bare(status())
  }

  function close(): Reply {
    seal.seal()
    return done
  }

  return [
    { verb: 'GET', path: 'init', access: 'anyone', handle: () => bare({ initialized: seal.initialized }) },
    { verb: 'POST', path: 'init', access: 'anyone', handle: init },
    { verb: 'GET', path: 'seal-status', access: 'anyone', handle: () => bare(status()) },
    { verb: 'POST', path: 'seal', access: 'sudo', handle: close },
    { verb: 'POST', path: 'unseal', access: 'anyone', handle: unseal },
  ]
}
