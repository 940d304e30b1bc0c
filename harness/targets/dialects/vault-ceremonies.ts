/** Makes tokens of key shares, for servers of this family. */
import {
  type ClusterAccess,
  del,
  fieldOf,
  get,
  isObject,
  isSuccess,
  objectsIn,
  post,
  type Reply,
} from '../../vocabulary/index.ts'
import { pgpPair } from './pgp-pair.ts'

export const said = (reply: Reply | undefined): string => (reply ? `status ${reply.status}` : 'no reply')

interface CeremonyOf {
  readonly path: string
  /** The cluster is in a state that this run has brought it to, so nobody else has begun one. */
  readonly isOurs: boolean
}
export const rootToken: CeremonyOf = { path: 'sys/generate-root', isOurs: false }
export const operationToken: CeremonyOf = {
  path: 'sys/replication/dr/secondary/generate-operation-token',
  isOurs: true,
}

/** A ceremony that makes a token of key shares: the root token's, or that of DR operation tokens. Gives the token, or a
 * sentence. */
export async function tokenBy(
  cluster: ClusterAccess,
  ceremony: CeremonyOf,
): Promise<{ token: string } | { blocked: string }> {
  const { path } = ceremony
  let blocked = 'the profile has no key shares of it'
  for (const shares of cluster.keyShares) {
    const started = await start(cluster, ceremony)
    if ('blocked' in started) return started
    const { encoded, last } = await supply(shares, started, path)
    if (encoded !== undefined) {
      cluster.fitted(shares)
      const token = await started.read(encoded)
      if (token === undefined)
        return { blocked: `${path} shows no one-time password, and does not encrypt with the PGP key` }
      cluster.learn(token)
      return { token }
    }
    blocked = `the ceremony ${path} is not complete with its key shares (${said(last)})`
    await started.cluster.send(del(`${path}/attempt`))
  }
  return { blocked }
}

/** A ceremony that waits for key shares. */
interface Started {
  readonly cluster: ClusterAccess
  readonly nonce: string
  /** Undefined where the encoded token cannot be read. */
  read(encoded: string): Promise<string | undefined>
}

async function start(cluster: ClusterAccess, ceremony: CeremonyOf): Promise<Started | { readonly blocked: string }> {
  const { path } = ceremony
  const { cluster: asking, started: first } = await beginAsAdmitted(cluster, ceremony)
  const otp = first && textIn(first, 'otp')
  // Where no one-time password is shown, the token is encrypted instead (readings of the documents, 68).
  const pair = first && isSuccess(first) && otp === undefined ? await pgpPair() : undefined
  const reply = pair ? await beginAnew(asking, ceremony, pair.publicKey) : first
  const nonce = reply && isSuccess(reply) ? await nonceOf(asking, path, reply) : undefined
  if (nonce === undefined) {
    const how = pair ? 'shows no one-time password and cannot be started with a PGP key' : 'cannot be started'
    return { blocked: `${path} ${how} (${said(reply)})` }
  }
  if (otp !== undefined) cluster.learn(otp)
  return {
    cluster: asking,
    nonce,
    read: async (encoded) => (otp === undefined ? pair?.read(encoded) : decoded(encoded, otp)),
  }
}

async function beginAnew(cluster: ClusterAccess, ceremony: CeremonyOf, pgpKey: string): Promise<Reply | undefined> {
  await cluster.send(del(`${ceremony.path}/attempt`))
  return begin(cluster, ceremony, { pgp_key: pgpKey })
}

/** Sends key shares until a reply shows the encoded token, or is no success. */
async function supply(shares: readonly string[], { cluster, nonce }: Started, path: string) {
  let last: Reply | undefined
  for (const key of shares) {
    last = await cluster.send(post(`${path}/update`, { key, nonce }))
    if (!last || !isSuccess(last)) break
    const encoded = encodedIn(last)
    if (encoded !== undefined) return { encoded, last }
  }
  return { last }
}

/** The encoded token of a reply. The documents do not show the name of its field. */
function encodedIn(reply: Reply): string | undefined {
  const known = textIn(reply, 'encoded_token')
  if (known !== undefined || !isObject(reply.json)) return known
  const names = objectsIn(reply.json).flatMap((part) => Object.keys(part))
  const isComplete = fieldOf(reply, 'complete') === true
  const others = names.filter((name) => /encoded.*token$/i.test(name) || (isComplete && /token$/i.test(name)))
  return others.map((name) => textIn(reply, name)).find((text) => text !== undefined)
}

/** The text of a field; undefined where it is empty or not a text. */
function textIn(reply: Reply, name: string): string | undefined {
  const value = fieldOf(reply, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Tells whether a client token was lacking (readings of the documents, 51). */
export const isDenied = (reply: Reply | undefined): boolean =>
  reply !== undefined && [400, 401, 403].includes(reply.status)

/** Key shares are what admits to a ceremony, and some servers want a token to begin one besides. */
async function beginAsAdmitted(cluster: ClusterAccess, ceremony: CeremonyOf) {
  let asking = cluster
  let started = await begin(asking, ceremony)
  for (const token of cluster.tokens) {
    if (!isDenied(started)) break
    asking = {
      ...cluster,
      // A copy of the number would be a deadline that never comes.
      get patienceMs() {
        return cluster.patienceMs
      },
      send: (exchange) => cluster.send(exchange, token),
    }
    started = await begin(asking, ceremony)
  }
  return { cluster: asking, started }
}

/** One attempt can run at a time. One that somebody else has begun is theirs, unless everything may be done here. */
async function begin(
  cluster: ClusterAccess,
  { path, isOurs }: CeremonyOf,
  body: { readonly pgp_key?: string } = {},
): Promise<Reply | undefined> {
  const first = await cluster.send(post(`${path}/attempt`, body))
  if ((first && isSuccess(first)) || !(isOurs || cluster.mayBeWiped)) return first
  await cluster.send(del(`${path}/attempt`))
  return cluster.send(post(`${path}/attempt`, body))
}

/** Reads the nonce of an attempt, since it is open what the reply to its start shows. */
async function nonceOf(cluster: ClusterAccess, path: string, start: Reply): Promise<string | undefined> {
  const read = async () => cluster.send(get(`${path}/attempt`))
  const nonce = fieldOf(start, 'nonce') ?? fieldOf((await read()) ?? start, 'nonce')
  return typeof nonce === 'string' && nonce !== '' ? nonce : undefined
}

/** Both are combined byte by byte; the password is as long as the token, which is in base64 or in hexadecimal. */
function decoded(encoded: string, otp: string): string {
  const password = Buffer.from(otp)
  const isHex = encoded.length === 2 * password.length && /^[0-9a-f]+$/i.test(encoded)
  return Buffer.from(
    Buffer.from(encoded, isHex ? 'hex' : 'base64').map((byte, at) => byte ^ (password[at % password.length] ?? 0)),
  ).toString()
}
