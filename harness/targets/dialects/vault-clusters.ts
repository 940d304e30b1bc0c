/** Clusters of this family that change their role: how the operator gets a token again after a wipe, and how a cluster comes
 * back out of replication. */

import {
  type ClusterAccess,
  fieldOf,
  get,
  isSuccess,
  type JsonObject,
  post,
  type Reply,
} from '../../vocabulary/index.ts'
import { isDenied, operationToken, rootToken, said, tokenBy } from './vault-ceremonies.ts'

export async function admission(
  cluster: ClusterAccess,
): Promise<{ token: string; atOnce?: boolean } | { blocked: string }> {
  let atOnce = true
  // A server may answer to every token that it does not know as if it were not ready.
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
  const made = await tokenBy(patient, rootToken)
  if ('token' in made) cluster.made(made.token)
  return made
}

/** Of a server that is sealed or a standby for a moment, or of what is in front of it. */
const putOff: readonly number[] = [429, 472, 473, 502, 503, 504]
/** Of one that is starting, too. Where there are two ways to do a thing, it may also refuse one of them so. */
const notReady: readonly number[] = [...putOff, 500]

/** The same cluster with one deadline for all that is done there. A cluster that is just changing its role refuses connections,
 * or says that it is not ready: it is asked again. */
function within(cluster: ClusterAccess, unready = notReady): ClusterAccess {
  let left = cluster.patienceMs
  const isReady = (reply: Reply | undefined) => reply !== undefined && !unready.includes(reply.status)
  async function send(...question: Parameters<ClusterAccess['send']>): Promise<Reply | undefined> {
    const started = performance.now()
    const reply = await cluster.send(...question)
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
    async send(...question) {
      let reply = await send(...question)
      for (let ms = 5; !isReady(reply) && left > 0; ms = Math.min(ms * 2, 500)) {
        await pause(ms)
        reply = await send(...question)
      }
      return reply
    },
  }
}

/** Brings a cluster back to `disabled`, for the kind of replication that the path is of, whatever its role is by now. */
export async function replicationOff(anywhere: ClusterAccess, path: string): Promise<string | undefined> {
  const cluster = within(anywhere)
  const prefix = /^sys\/replication\/(?:dr|performance)(?=\/)/.exec(path)?.[0]
  if (!prefix) return `${path} is not below a kind of replication`
  const statusNow = () => cluster.send(get(`${prefix}/status`))
  let why = ''
  let asked = ''
  for (let pause = 5; ; pause = Math.min(pause * 2, 500)) {
    const status = await statusNow()
    if (isOff(status)) return undefined
    const mode = modeIn(status)
    if (cluster.patienceMs <= 0) return `${roleWords(prefix, mode)}${why}; by hand: ${byHand(prefix, mode)}`
    if (isRole(mode) && mode !== asked) {
      why = await switchedOff(cluster, within(anywhere, putOff), prefix, mode)
      // What was taken may take effect later, and is not asked for again meanwhile.
      asked = why === '' ? mode : ''
      if (why === '') continue
    }
    await cluster.pause(pause)
  }
}

const modeIn = (status: Reply | undefined): string => {
  const mode = status && isSuccess(status) ? fieldOf(status, 'mode') : undefined
  if (mode === null) return ''
  return typeof mode === 'string' ? mode : said(status)
}

/** Only a cluster with a role shows these signs. */
const signsOfRole = [
  'cluster_id',
  'secondary_id',
  'known_secondaries',
  'primary_cluster_addr',
  'primaries',
  'secondaries',
]

/** Words for a third mode differ, and some are of a cluster that is about to get a role; one that has none shows no sign
 * of one. */
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

/** Says how an operator brings a cluster back that resisted. */
function byHand(prefix: string, mode: string): string {
  if (mode === 'primary') return `POST ${prefix}/primary/disable with a token of that cluster`
  if (mode !== 'secondary') return `read ${prefix}/status, and disable replication in the role that it shows`
  const disabling = `POST ${prefix}/secondary/disable`
  return prefix.endsWith('/dr')
    ? `make a DR operation token with key shares of its primary (${operationToken.path}), and ${disabling} with it as dr_operation_token`
    : `${disabling} with a token of that cluster, or of the primary that it joined`
}

/** Asks as nobody, and with each token while one seems to be lacking. */
async function answerTo(
  asking: ClusterAccess,
  way: string,
  body: JsonObject,
  tokens: readonly (string | undefined)[],
): Promise<Reply | undefined> {
  let reply: Reply | undefined
  for (const token of tokens) {
    reply = await asking.send(post(way, body), token)
    if (!isDenied(reply)) break
  }
  return reply
}

async function isTakenFromLikeliest(asking: ClusterAccess, way: string): Promise<boolean> {
  const [likeliest] = asking.tokens
  const reply = likeliest === undefined ? undefined : await asking.send(post(way, {}), likeliest)
  return reply !== undefined && isSuccess(reply)
}

/** Ends a role. Empty where that was taken, else why not, after a colon. */
async function switchedOff(
  cluster: ClusterAccess,
  asking: ClusterAccess,
  prefix: string,
  mode: string,
): Promise<string> {
  const refusals: string[] = []
  async function isTaken(path: string, { body, tokens }: Credentials): Promise<boolean> {
    const way = `${prefix}/${mode}/${path}`
    const reply = await answerTo(asking, way, body, tokens)
    if (reply && isSuccess(reply)) return true
    refusals.push(`${way} answered ${said(reply)}`)
    return false
  }
  /** Notes why there is no token where there is none. */
  function tokenOf(made: { token: string } | { blocked: string }): string | undefined {
    if ('token' in made) return made.token
    refusals.push(made.blocked)
    return undefined
  }

  // Client tokens may not work on a DR secondary, so a token of a ceremony comes first there. Some want a client token
  // besides (readings of the documents, 51).
  const isDrSecondary = mode === 'secondary' && prefix.endsWith('/dr')
  const made = isDrSecondary ? tokenOf(await tokenBy(cluster, operationToken)) : undefined
  const operation = made && { body: { dr_operation_token: made }, tokens: [undefined, ...cluster.tokens] }
  if (operation && (await isTaken('disable', operation))) return ''
  // The likeliest token mostly works, and is not looked up first. On a DR secondary it may be refused whatever it is.
  if (!isDrSecondary && (await isTakenFromLikeliest(asking, `${prefix}/${mode}/disable`))) return ''
  const admitted = tokenOf(await admission(cluster))
  const own = admitted && { body: {}, tokens: [admitted] }
  if (own && (await isTaken('disable', own))) return ''
  // A secondary that refuses to be disabled may be promoted, and a primary has a way back of its own.
  const forced = mode === 'secondary' && cluster.mayBeWiped ? operation || own : undefined
  if (forced && (await isTaken('promote', { ...forced, body: { ...forced.body, force: true } }))) return ''
  return `: ${[...new Set(refusals)].join('; ')}`
}

/** A request is admitted by a token in its body, or by a client token. */
interface Credentials {
  readonly body: JsonObject
  readonly tokens: readonly (string | undefined)[]
}
