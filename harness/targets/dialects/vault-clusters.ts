/** Clusters of this family that change their role: how the operator is let in again after a wipe, and how a cluster comes
 * back out of replication. */

import {
  type ClusterPlace,
  del,
  fieldOf,
  get,
  isSuccess,
  type JsonObject,
  post,
  type Reply,
} from '../../vocabulary/index.ts'
import { pgpPair } from './pgp-pair.ts'

const said = (reply: Reply | undefined): string => (reply ? `status ${reply.status}` : 'no reply')

interface CeremonyOf {
  readonly path: string
  /** The cluster is in a state that this run has brought it to, so nobody else has begun one. */
  readonly isOurs: boolean
}
const rootToken: CeremonyOf = { path: 'sys/generate-root', isOurs: false }
const operationToken: CeremonyOf = {
  path: 'sys/replication/dr/secondary/generate-operation-token',
  isOurs: true,
}

/** A ceremony that makes a token of key shares: the root token's, or that of DR operation tokens. Gives the token, or a
 * sentence. */
async function tokenBy(place: ClusterPlace, ceremony: CeremonyOf): Promise<{ token: string } | { blocked: string }> {
  const { path } = ceremony
  let blocked = 'the profile has no key shares of it'
  for (const shares of place.keyShares) {
    let { place: asking, started } = await beginAsAdmitted(place, ceremony)
    const otp = started && fieldOf(started, 'otp')
    const isTold = typeof otp === 'string' && otp !== ''
    // Who is told no one-time password has the token encrypted (readings of the documents, 68).
    const pair = started && isSuccess(started) && !isTold ? await pgpPair() : undefined
    if (pair) {
      await asking.send(del(`${path}/attempt`))
      started = await begin(asking, ceremony, { pgp_key: pair.publicKey })
    }
    const nonce = started && isSuccess(started) ? await nonceOf(asking, path, started) : undefined
    if (nonce === undefined) {
      const how = pair ? 'shows no one-time password and cannot be started with a PGP key' : 'cannot be started'
      return { blocked: `${path} ${how} (${said(started)})` }
    }
    if (isTold) place.learn(otp)
    let last: Reply | undefined
    for (const key of shares) {
      last = await asking.send(post(`${path}/update`, { key, nonce }))
      const encoded = last && isSuccess(last) ? fieldOf(last, 'encoded_token') : undefined
      if (typeof encoded === 'string' && encoded !== '') {
        const token = isTold ? decoded(encoded, otp) : await pair?.read(encoded)
        if (token === undefined) return { blocked: `${path} tells no one-time password, and uses no PGP key` }
        place.learn(token)
        return { token }
      }
      if (!last || !isSuccess(last)) break
    }
    blocked = `its key shares complete no ${path} (${said(last)})`
    await asking.send(del(`${path}/attempt`))
  }
  return { blocked }
}

/** Tells whether a client token was lacking (readings of the documents, 51). */
const isDenied = (reply: Reply | undefined): boolean => reply !== undefined && [400, 401, 403].includes(reply.status)

/** Key shares are what admits to a ceremony, and some servers want a token to begin one besides. */
async function beginAsAdmitted(place: ClusterPlace, ceremony: CeremonyOf) {
  let asking = place
  let started = await begin(asking, ceremony)
  for (const token of place.tokens) {
    if (!isDenied(started)) break
    asking = {
      ...place,
      // A copy of the number would be a deadline that never comes.
      get patienceMs() {
        return place.patienceMs
      },
      send: (exchange) => place.send(exchange, token),
    }
    started = await begin(asking, ceremony)
  }
  return { place: asking, started }
}

/** One attempt can run at a time. One that somebody else has begun is theirs, unless everything may be done here. */
async function begin(
  place: ClusterPlace,
  { path, isOurs }: CeremonyOf,
  body: { readonly pgp_key?: string } = {},
): Promise<Reply | undefined> {
  const first = await place.send(post(`${path}/attempt`, body))
  if ((first && isSuccess(first)) || !(isOurs || place.mayBeWiped)) return first
  await place.send(del(`${path}/attempt`))
  return place.send(post(`${path}/attempt`, body))
}

/** Reads the nonce of an attempt, since it is open what the reply to its start shows. */
async function nonceOf(place: ClusterPlace, path: string, start: Reply): Promise<string | undefined> {
  const read = async () => place.send(get(`${path}/attempt`))
  const nonce = fieldOf(start, 'nonce') ?? fieldOf((await read()) ?? start, 'nonce')
  return typeof nonce === 'string' && nonce !== '' ? nonce : undefined
}

/** Both are combined byte by byte; the password is as long as the token. */
function decoded(encoded: string, otp: string): string {
  const password = Buffer.from(otp)
  return Buffer.from(
    Buffer.from(encoded, 'base64').map((byte, at) => byte ^ (password[at % password.length] ?? 0)),
  ).toString()
}

export async function admission(place: ClusterPlace): Promise<{ token: string } | { blocked: string }> {
  // A server may answer to every token that it does not know as if it were not ready.
  const patient = within(place)
  for (const token of place.tokens) {
    const reply = await patient.send(get('auth/token/lookup-self'), token)
    if (reply && isSuccess(reply)) return { token }
  }
  if (!place.mayBeWiped) return { blocked: 'it takes none of the tokens of the profile' }
  const made = await tokenBy(patient, rootToken)
  if ('token' in made) place.made(made.token)
  return made
}

/** Of a server that is sealed or a standby for a moment, or of what stands before it. */
const putOff: readonly number[] = [429, 472, 473, 502, 503, 504]
/** Of one that is starting, too. Where there are two ways to do a thing, it may also refuse one of them so. */
const notReady: readonly number[] = [...putOff, 500]

/** The same place with one deadline for all that is done there. A cluster that is just changing its role refuses connections,
 * or says that it is not ready: it is asked again. */
function within(place: ClusterPlace, unready = notReady): ClusterPlace {
  let left = place.patienceMs
  const isReady = (reply: Reply | undefined) => reply !== undefined && !unready.includes(reply.status)
  async function send(...question: Parameters<ClusterPlace['send']>): Promise<Reply | undefined> {
    const started = performance.now()
    const reply = await place.send(...question)
    left -= performance.now() - started
    return reply
  }
  function pause(ms: number): Promise<void> {
    left -= ms
    return place.pause(ms)
  }
  return {
    ...place,
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
export async function replicationOff(anywhere: ClusterPlace, path: string): Promise<string | undefined> {
  const place = within(anywhere)
  const prefix = /^sys\/replication\/(?:dr|performance)(?=\/)/.exec(path)?.[0]
  if (!prefix) return `${path} is not below a kind of replication`
  const statusNow = () => place.send(get(`${prefix}/status`))
  let why = ''
  let asked = ''
  for (let pause = 5; ; pause = Math.min(pause * 2, 500)) {
    const status = await statusNow()
    if (status && isOff(status)) return undefined
    const mode = modeIn(status)
    if (place.patienceMs <= 0) return `${roleWords(prefix, mode)}${why}; by hand: ${byHand(prefix, mode)}`
    if ((mode === 'primary' || mode === 'secondary') && mode !== asked) {
      why = await switchedOff(place, within(anywhere, putOff), prefix, mode)
      // What was taken may take effect later, and is not asked for again meanwhile.
      asked = why === '' ? mode : ''
    }
    await place.pause(pause)
  }
}

const modeIn = (status: Reply | undefined): string => {
  const mode = status && isSuccess(status) ? fieldOf(status, 'mode') : undefined
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
function isOff(status: Reply): boolean {
  if (status.status === 404) return true
  if (!isSuccess(status)) return false
  const mode = modeIn(status)
  if (/^(disabled|none|off|inactive|)$/.test(mode)) return true
  if (/primary|secondary|bootstrap|recover|start|unknown|^status/i.test(mode)) return false
  return signsOfRole.every((name) => isEmpty(fieldOf(status, name)))
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const kindOf = (prefix: string): string => (prefix.endsWith('/dr') ? 'DR' : 'performance')

const roleWords = (prefix: string, mode: string): string =>
  mode === 'primary' || mode === 'secondary' ? `still a ${kindOf(prefix)} ${mode}` : `still ${mode}`

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
  asking: ClusterPlace,
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

/** Ends a role. Empty where that was taken, else why not, after a colon. */
async function switchedOff(place: ClusterPlace, asking: ClusterPlace, prefix: string, mode: string): Promise<string> {
  const refusals: string[] = []
  async function isTaken(path: string, body: JsonObject, tokens: readonly (string | undefined)[]): Promise<boolean> {
    const way = `${prefix}/${mode}/${path}`
    const reply = await answerTo(asking, way, body, tokens)
    if (reply && isSuccess(reply)) return true
    refusals.push(`${way} answered ${said(reply)}`)
    return false
  }

  const isDrSecondary = mode === 'secondary' && prefix.endsWith('/dr')
  // Client tokens may not work on a DR secondary, so a token of a ceremony comes first there. Some want a client token
  // besides (readings of the documents, 51).
  const made = isDrSecondary ? await tokenBy(place, operationToken) : undefined
  const operation = made && 'token' in made ? { dr_operation_token: made.token } : undefined
  const withOperation = [undefined, ...place.tokens]
  if (operation && (await isTaken('disable', operation, withOperation))) return ''
  if (made && 'blocked' in made) refusals.push(made.blocked)
  const admitted = await admission(place)
  const own = 'token' in admitted ? [admitted.token] : undefined
  if (own && (await isTaken('disable', {}, own))) return ''
  if ('blocked' in admitted) refusals.push(admitted.blocked)
  // A secondary that refuses to be disabled may be promoted, and a primary has a way back of its own.
  if (mode === 'secondary' && place.mayBeWiped) {
    const tokens = operation ? withOperation : own
    if (tokens && (await isTaken('promote', { ...operation, force: true }, tokens))) return ''
  }
  return `: ${[...new Set(refusals)].join('; ')}`
}
