/** Restores clusters of this family after a change of role: gets the operator a token after a wipe, and disables
 * replication. */

import {
  type ClusterAccess,
  fieldOf,
  get,
  isSuccess,
  type JsonObject,
  post,
  type Reply,
} from '../../vocabulary/index.ts'
import { isDenied, operationToken, rootToken, statusWords, tokenBy } from './vault-ceremonies.ts'
import { capabilitiesOf } from './vault-policy.ts'

/** Returns a token that the cluster accepts: one of the profile or, if the cluster may be wiped, a new root token.
 * `atOnce` is true if no request had to be repeated. */
export async function admission(
  cluster: ClusterAccess,
): Promise<{ token: string; atOnce?: boolean } | { blocked: string }> {
  let atOnce = true
  // All requests share one deadline, because a server may reply to every unknown token as if it were not ready.
  const patient = within({
    ...cluster,
    pause(ms) {
      atOnce = false
      return cluster.pause(ms)
    },
  })
  const [likeliest = [], ...others] = cluster.tokens.map((token) => [token])
  for (const tokens of [likeliest, others.flat()]) {
    const replies = await Promise.all(tokens.map((token) => patient.send(get('auth/token/lookup-self'), token)))
    const token = tokens[replies.findIndex((reply) => reply && isSuccess(reply))]
    if (token !== undefined) return { token, atOnce }
  }
  if (!cluster.mayBeWiped) return { blocked: 'it accepts none of the tokens of the profile' }
  const generated = await tokenBy(patient, rootToken)
  if ('token' in generated) cluster.made(generated.token)
  return generated
}

/** Status codes of a server that is temporarily sealed or a standby, or of a proxy in front of it. */
const temporaryStatuses: readonly number[] = [429, 472, 473, 502, 503, 504]
/** Status codes of a server that is not ready. A starting server may reply 500, but 500 may also be a refusal of one
 * of two ways to do the same thing. */
const notReady: readonly number[] = [...temporaryStatuses, 500]

/** Returns the cluster with one deadline for all requests. A request is repeated until then if the cluster refuses
 * the connection or is not ready, as clusters do while they change their role. */
function within(cluster: ClusterAccess, unready = notReady): ClusterAccess {
  let left = cluster.patienceMs
  const isReady = (reply: Reply | undefined) => reply !== undefined && !unready.includes(reply.status)
  async function send(...request: Parameters<ClusterAccess['send']>): Promise<Reply | undefined> {
    const started = performance.now()
    const reply = await cluster.send(...request)
    left -= performance.now() - started
    return reply
  }
  function pause(ms: number): Promise<void> {
    left -= ms
    return cluster.pause(ms)
  }
  return {
    ...cluster,
    get patienceMs() {
      return left
    },
    pause,
    async send(...request) {
      let reply = await send(...request)
      for (let ms = 5; !isReady(reply) && left > 0; ms = Math.min(ms * 2, 500)) {
        await pause(ms)
        reply = await send(...request)
      }
      return reply
    },
  }
}

/** Disables the kind of replication that `path` belongs to, whatever role the cluster has now. Returns undefined on
 * success, or why it is still enabled and how an operator can disable it. */
export async function replicationOff(anywhere: ClusterAccess, path: string): Promise<string | undefined> {
  const cluster = within(anywhere)
  const prefix = /^sys\/replication\/(?:dr|performance)(?=\/)/.exec(path)?.[0]
  if (!prefix) return `${path} is not a path of replication`
  const statusOf = statusReader(cluster, prefix)
  const likely = path.includes('/primary/') ? bothRoles : bothRoles.toReversed()
  let why = ''
  /** An accepted request may take effect later, so it is not repeated while the status stays the same. */
  let acceptedFor: string | undefined
  const isAcceptedBy = async (roles: readonly string[]): Promise<boolean> => {
    const refusals: string[] = []
    for (const role of roles) {
      const refused = await disable(cluster, within(anywhere, temporaryStatuses), prefix, role)
      if (refused === '') return true
      refusals.push(refused)
    }
    why = refusals[0] ?? ''
    return false
  }
  for (let pause = 5; ; pause = Math.min(pause * 2, 500)) {
    const status = await statusOf(acceptedFor !== undefined)
    if (isOff(status)) return undefined
    const mode = modeIn(status)
    if (cluster.patienceMs <= 0) return `${roleWords(prefix, mode)}${why}; by hand: ${byHand(prefix, mode)}`
    const isAcceptedNow = mode !== acceptedFor && (await isAcceptedBy(rolesBy(status, mode, likely)))
    if (isAcceptedNow) acceptedFor = mode
    else await cluster.pause(pause)
  }
}

const bothRoles = ['primary', 'secondary'] as const

/** Returns the roles that a cluster may have, the likeliest first: the status of a wrong server may show another one, or
 * none. A cluster that is about to get a role has none yet. */
function rolesBy(status: Reply | undefined, mode: string, likely: readonly string[]): readonly string[] {
  if (isRole(mode)) return [mode, ...bothRoles.filter((role) => role !== mode)]
  const isUntold = isDenied(status) || (status && isSuccess(status) && typeof fieldOf(status, 'mode') !== 'string')
  return isUntold ? likely : []
}

/** The status is served to everybody. A server that wants a token nevertheless must not keep its role; a DR secondary
 * accepts none, so a new one is made once it may no longer be one. */
function statusReader(cluster: ClusterAccess, prefix: string) {
  const reading = get(`${prefix}/status`)
  let admitted: Awaited<ReturnType<typeof admission>> | undefined
  // A role that was seen last needs no look, but only a look shows that there is none.
  const known = isRole(modeIn(cluster.shown)) ? [cluster.shown] : []
  return async (mayAdmit: boolean): Promise<Reply | undefined> => {
    let status = known.pop() ?? (await cluster.send(reading))
    for (const token of cluster.tokens) if (isDenied(status)) status = await cluster.send(reading, token)
    if (!mayAdmit || !isDenied(status)) return status
    admitted ??= await admission(cluster)
    return 'token' in admitted ? cluster.send(reading, admitted.token) : status
  }
}

const modeIn = (status: Reply | undefined): string => {
  const mode = status && isSuccess(status) ? fieldOf(status, 'mode') : undefined
  if (mode === null) return ''
  return typeof mode === 'string' ? mode : statusWords(status)
}

/** Fields of the status that only a cluster with a role has. */
const signsOfRole = [
  'cluster_id',
  'secondary_id',
  'known_secondaries',
  'primary_cluster_addr',
  'primaries',
  'secondaries',
]

/** Tells whether replication is disabled. Servers have different words for modes other than primary and secondary,
 * some of them for a cluster that is about to get a role. If the mode is unknown, replication is disabled if no
 * field shows a role. */
function isOff(status: Reply | undefined): boolean {
  if (status?.status === 404) return true
  if (!status || !isSuccess(status)) return false
  const mode = modeIn(status)
  if (/^(disabled|none|off|inactive)$/.test(mode)) return true
  if (/primary|secondary|bootstrap|recover|start|unknown|^status/i.test(mode)) return false
  return signsOfRole.every((name) => isEmpty(fieldOf(status, name)))
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const kindOf = (prefix: string): string => (prefix.endsWith('/dr') ? 'DR' : 'performance')

const isRole = (mode: string): boolean => mode === 'primary' || mode === 'secondary'

const roleWords = (prefix: string, mode: string): string =>
  isRole(mode) ? `still a ${kindOf(prefix)} ${mode}` : `still ${mode}`

/** Returns how an operator can disable replication by hand. */
function byHand(prefix: string, mode: string): string {
  if (mode === 'primary') return `POST ${prefix}/primary/disable with a token of that cluster`
  if (mode !== 'secondary') return `read ${prefix}/status, and disable replication in the role that it shows`
  const disabling = `POST ${prefix}/secondary/disable`
  return prefix.endsWith('/dr')
    ? `make a DR operation token with key shares of its primary (${operationToken.path}), and ${disabling} with it as dr_operation_token`
    : `${disabling} with a token of that cluster, or of the primary that it joined`
}

/** Sends a request with each of the tokens (undefined means unauthenticated) until it is not denied. */
async function sendWith(
  cluster: ClusterAccess,
  path: string,
  body: JsonObject,
  tokens: readonly (string | undefined)[],
): Promise<Reply | undefined> {
  let reply: Reply | undefined
  for (const token of tokens) {
    reply = await cluster.send(post(path, body), token)
    if (!isDenied(reply)) break
  }
  return reply
}

async function isAcceptedWithLikeliest(cluster: ClusterAccess, path: string): Promise<boolean> {
  const [likeliest] = cluster.tokens
  const reply = likeliest === undefined ? undefined : await cluster.send(post(path, {}), likeliest)
  return reply !== undefined && isSuccess(reply)
}

const isForbidden = (reply: Reply | undefined): boolean => reply?.status === 401 || reply?.status === 403

const neededAt = (path: string): string => `a client token needs ${capabilitiesOf.POST.join(' and ')} on ${path}`

/** Sends the request that ends a role. Returns an empty text if it was accepted, else the reasons, after a colon.
 * `retrying` is the same cluster, but a status 500 is not repeated there. */
async function disable(cluster: ClusterAccess, retrying: ClusterAccess, prefix: string, mode: string): Promise<string> {
  const refusals: string[] = []
  async function isAccepted(action: string, by: Credentials | '' | undefined, more: JsonObject = {}): Promise<boolean> {
    if (!by) return false
    const path = `${prefix}/${mode}/${action}`
    const reply = await sendWith(retrying, path, { ...by.body, ...more }, by.tokens)
    if (reply && isSuccess(reply)) return true
    refusals.push(`${path} answered ${statusWords(reply)}${isForbidden(reply) ? ` (${neededAt(path)})` : ''}`)
    return false
  }
  /** Returns the token; if there is none, adds the reason to the refusals. */
  function tokenOf(outcome: { token: string } | { blocked: string }): string | undefined {
    if ('token' in outcome) return outcome.token
    refusals.push(outcome.blocked)
    return undefined
  }

  // Client tokens may not work on a DR secondary, so an operation token is tried first there. Some servers require a
  // client token in addition (readings of the documents, 51).
  const isDrSecondary = mode === 'secondary' && prefix.endsWith('/dr')
  const generated = isDrSecondary ? tokenOf(await tokenBy(cluster, operationToken)) : undefined
  const operation = generated && { body: { dr_operation_token: generated }, tokens: [undefined, ...cluster.tokens] }
  if (await isAccepted('disable', operation)) return ''
  // The likeliest token usually works, so it is tried without a lookup. A DR secondary may refuse every client token.
  if (!isDrSecondary && (await isAcceptedWithLikeliest(retrying, `${prefix}/${mode}/disable`))) return ''
  const admitted = tokenOf(await admission(cluster))
  const own = admitted && { body: {}, tokens: [admitted] }
  if (await isAccepted('disable', own)) return ''
  // A secondary that refuses to be disabled is promoted instead. The caller then disables it as a primary.
  const mayPromote = mode === 'secondary' && cluster.mayBeWiped
  if (mayPromote && (await isAccepted('promote', operation || own, { force: true }))) return ''
  return `: ${[...new Set(refusals)].join('; ')}`
}

/** A request is authorized by a token in its body, or by a client token. */
interface Credentials {
  readonly body: JsonObject
  readonly tokens: readonly (string | undefined)[]
}
