/** Generates tokens with key shares on servers of this family. */
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

export const statusWords = (reply: Reply | undefined): string => (reply ? `status ${reply.status}` : 'no reply')

interface TokenCeremony {
  readonly path: string
  /** True if only this run can have started an attempt, because this run has brought the cluster into its state. */
  readonly isOurs: boolean
}
export const rootToken: TokenCeremony = { path: 'sys/generate-root', isOurs: false }
export const operationToken: TokenCeremony = {
  path: 'sys/replication/dr/secondary/generate-operation-token',
  isOurs: true,
}

/** Performs a ceremony that generates a root token or a DR operation token with key shares. Returns the token, or
 * why there is none. */
export async function tokenBy(
  cluster: ClusterAccess,
  ceremony: TokenCeremony,
): Promise<{ token: string } | { blocked: string }> {
  const { path } = ceremony
  let blocked = 'the profile has no key shares of this cluster'
  for (const shares of cluster.keyShares) {
    const started = await start(cluster, ceremony)
    if ('blocked' in started) return started
    const { encoded, last } = await supply(shares, started, path)
    if (encoded !== undefined) {
      cluster.fitted(shares)
      const token = await started.read(encoded)
      if (token === undefined)
        return { blocked: `${path} returns no one-time password, and does not encrypt with the PGP key` }
      cluster.learn(token)
      return { token }
    }
    blocked = `the ceremony ${path} is incomplete after all key shares of the cluster (${statusWords(last)})`
    await started.cluster.send(del(`${path}/attempt`))
  }
  return { blocked }
}

/** A ceremony that was started and waits for key shares. */
interface Started {
  readonly cluster: ClusterAccess
  readonly nonce: string
  /** Decodes the token. Returns undefined if that is not possible. */
  read(encoded: string): Promise<string | undefined>
}

async function start(cluster: ClusterAccess, ceremony: TokenCeremony): Promise<Started | { readonly blocked: string }> {
  const { path } = ceremony
  const { cluster: client, started: first } = await beginAuthorized(cluster, ceremony)
  const otp = first && textIn(first, 'otp')
  // If the reply has no one-time password, the token is encrypted with a PGP key instead (readings of the documents,
  // 68).
  const pair = first && isSuccess(first) && otp === undefined ? await pgpPair() : undefined
  const reply = pair ? await restart(client, ceremony, pair.publicKey) : first
  const nonce = reply && isSuccess(reply) ? await nonceOf(client, path, reply) : undefined
  if (nonce === undefined) {
    const how = pair ? 'returns no one-time password and cannot be started with a PGP key' : 'cannot be started'
    return { blocked: `${path} ${how} (${statusWords(reply)})` }
  }
  if (otp !== undefined) cluster.learn(otp)
  return {
    cluster: client,
    nonce,
    read: async (encoded) => (otp === undefined ? pair?.read(encoded) : decoded(encoded, otp)),
  }
}

async function restart(cluster: ClusterAccess, ceremony: TokenCeremony, pgpKey: string): Promise<Reply | undefined> {
  await cluster.send(del(`${ceremony.path}/attempt`))
  return begin(cluster, ceremony, { pgp_key: pgpKey })
}

/** Sends key shares until a reply has the encoded token or is not a success. */
async function supply(shares: readonly string[], { cluster, nonce }: Pick<Started, 'cluster' | 'nonce'>, path: string) {
  let last: Reply | undefined
  for (const key of shares) {
    last = await cluster.send(post(`${path}/update`, { key, nonce }))
    if (!last || !isSuccess(last)) break
    const encoded = encodedIn(last)
    if (encoded !== undefined) return { encoded, last }
  }
  return { last }
}

/** Returns the encoded token of a reply. The documents do not state the name of its field. */
function encodedIn(reply: Reply): string | undefined {
  const known = textIn(reply, 'encoded_token')
  if (known !== undefined || !isObject(reply.json)) return known
  const names = objectsIn(reply.json).flatMap((part) => Object.keys(part))
  const isComplete = fieldOf(reply, 'complete') === true
  const others = names.filter((name) => /encoded.{0,99}token$/i.test(name) || (isComplete && /token$/i.test(name)))
  return others.map((name) => textIn(reply, name)).find((text) => text !== undefined)
}

/** Returns the text of a field, or undefined if it is empty or not a string. */
function textIn(reply: Reply, name: string): string | undefined {
  const value = fieldOf(reply, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Tells whether a request was refused for lack of a client token (readings of the documents, 51). */
export const isDenied = (reply: Reply | undefined): boolean =>
  reply !== undefined && [400, 401, 403].includes(reply.status)

/** Starts a ceremony without a token, and with each token while that is refused: some servers require a client token
 * in addition to key shares. */
async function beginAuthorized(cluster: ClusterAccess, ceremony: TokenCeremony) {
  let client = cluster
  let started = await begin(client, ceremony)
  for (const token of cluster.tokens) {
    if (!isDenied(started)) break
    client = {
      ...cluster,
      // Spreading would copy the current number, and the time left would never decrease.
      get patienceMs() {
        return cluster.patienceMs
      },
      send: (exchange) => cluster.send(exchange, token),
    }
    started = await begin(client, ceremony)
  }
  return { cluster: client, started }
}

/** Starts an attempt. Only one can run at a time; an earlier one is cancelled only if this run must have started it,
 * or if the cluster may be wiped. One of this run that cannot be cancelled is completed. */
async function begin(
  cluster: ClusterAccess,
  { path, isOurs }: TokenCeremony,
  body: { readonly pgp_key?: string } = {},
): Promise<Reply | undefined> {
  const first = await cluster.send(post(`${path}/attempt`, body))
  if ((first && isSuccess(first)) || !(isOurs || cluster.mayBeWiped)) return first
  await cluster.send(del(`${path}/attempt`))
  const second = await cluster.send(post(`${path}/attempt`, body))
  if ((second && isSuccess(second)) || !isOurs || !(await isCompleted(cluster, path))) return second
  return cluster.send(post(`${path}/attempt`, body))
}

/** Completes the attempt in progress, whose token nobody can decode. */
async function isCompleted(cluster: ClusterAccess, path: string): Promise<boolean> {
  for (const shares of cluster.keyShares) {
    const nonce = nonceIn(await cluster.send(get(`${path}/attempt`)))
    if (nonce === undefined) return false
    if ((await supply(shares, { cluster, nonce }, path)).encoded !== undefined) return true
  }
  return false
}

/** Returns the nonce of an attempt. It is read if the reply to the start does not contain it, because the documents
 * leave that reply open. */
async function nonceOf(cluster: ClusterAccess, path: string, start: Reply): Promise<string | undefined> {
  return nonceIn(start) ?? nonceIn(await cluster.send(get(`${path}/attempt`)))
}

const nonceIn = (reply: Reply | undefined): string | undefined => reply && textIn(reply, 'nonce')

/** Decodes a token by XOR with the one-time password, which is as long as the token. The encoded token is in base64
 * or in hexadecimal. */
function decoded(encoded: string, otp: string): string {
  const password = Buffer.from(otp)
  const isHex = encoded.length === 2 * password.length && /^[0-9a-f]+$/i.test(encoded)
  return Buffer.from(
    Buffer.from(encoded, isHex ? 'hex' : 'base64').map((byte, at) => byte ^ (password[at % password.length] ?? 0)),
  ).toString()
}
