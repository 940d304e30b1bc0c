/** The settings that decide when revocation lists are signed: after each revocation, or only before they expire, with
 * delta lists in between (version 1.12 and later). */
import { flagField, textField } from '../../kernel/http/body-fields.ts'
import { parseDuration } from '../../kernel/http/duration.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import { isSince } from '../../kernel/versions.ts'
import type { Context } from './context.ts'
import { isDuration } from './fields.ts'
import type { Rebuilding } from './store.ts'

const usual: Rebuilding = {
  auto_rebuild: false,
  auto_rebuild_grace_period: '12h',
  enable_delta: false,
  delta_rebuild_interval: '15m',
  ocsp_disable: false,
  ocsp_expiry: '12h',
}

export const rebuildingOf = ({ store }: Context): Rebuilding => store.rebuilding ?? usual
export const canWait = ({ facts }: Pick<Context, 'facts'>): boolean => isSince(facts.version, '1.12.0')
export const msOf = (duration: string): number => (parseDuration(duration) ?? 0) * 1000

const absent = ['unified_crl', 'unified_crl_on_existing_paths', 'cross_cluster_revocation']

/** Reads the settings in a request. A missing one keeps its value. */
export function readRebuilding(body: Readonly<Record<string, unknown>>, context: Context): Rebuilding {
  const old = rebuildingOf(context)
  const unserved = absent.find((name) => flagField(body, name))
  if (unserved) throw badRequest(`${unserved}: this server has no lists that several clusters share`)
  const period = (name: 'auto_rebuild_grace_period' | 'delta_rebuild_interval' | 'ocsp_expiry'): string => {
    const value = textField(body, name) ?? old[name]
    if (!isDuration(value)) throw badRequest(`${name}: ${value} is not a duration`)
    return value
  }
  const next = {
    auto_rebuild: flagField(body, 'auto_rebuild') ?? old.auto_rebuild,
    auto_rebuild_grace_period: period('auto_rebuild_grace_period'),
    enable_delta: flagField(body, 'enable_delta') ?? old.enable_delta,
    delta_rebuild_interval: period('delta_rebuild_interval'),
    ocsp_disable: flagField(body, 'ocsp_disable') ?? old.ocsp_disable,
    ocsp_expiry: period('ocsp_expiry'),
  }
  if (next.enable_delta && !next.auto_rebuild) throw badRequest('enable_delta needs auto_rebuild')
  return next
}
