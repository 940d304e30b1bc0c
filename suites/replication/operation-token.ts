/** Makes DR operation tokens: by the ceremony on a DR secondary, with shares of its root key. */
import { readPgpToken, testPgpKey } from '../../fixtures/replication/pgp.ts'
import type { Exchange, Reply, Scope } from '../../harness/vocabulary/index.ts'
import {
  del,
  fieldOf,
  get,
  isRefusal,
  isSuccess,
  mismatch,
  post,
  replyLacks,
  StepFailed,
} from '../../harness/vocabulary/index.ts'
import { booleanIn } from '../numbers.ts'
import { action } from '../records.ts'
import { decoded, encodedIn, namedEncodedIn } from './encoded-token.ts'
import { type Cluster, dr } from './kind.ts'
import { askWhenReady } from './readiness.ts'
import { operationTokenOf } from './roles.ts'

const ceremony = 'sys/replication/dr/secondary/generate-operation-token'
const by = (cluster: Cluster) => ({ cluster, as: 'nobody', orAs: 'operator' }) as const

export const attemptCancel = (cluster: Cluster = 'second'): Exchange => del(`${ceremony}/attempt`, by(cluster))
export const attemptRead = (cluster: Cluster = 'second'): Exchange => get(`${ceremony}/attempt`, by(cluster))
export const attemptStart = (cluster: Cluster = 'second', body: { pgp_key?: string } = {}): Exchange =>
  post(`${ceremony}/attempt`, body, by(cluster))
/** The templates name the supplied share and the nonce of its attempt. */
export const attemptUpdate = (cluster: Cluster = 'second', key = '{share}', nonce = '{nonce}'): Exchange =>
  post(`${ceremony}/update`, { key, nonce }, by(cluster))

interface Provided {
  readonly keyShares?: readonly string[]
}

/** Returns the sets of key shares that may belong to the cluster: a secondary may use the shares of its primary, which
 * may have changed, or its own. The documents do not say whose root key it is. */
export function shareSets(scope: Scope): readonly (readonly string[])[] {
  const main = scope.provided<readonly string[]>('key-shares')
  const others = scope.provided<readonly Provided[]>('clusters') ?? []
  return [main ?? [], ...others.map(({ keyShares = [] }) => keyShares)].filter((shares) => shares.length > 0)
}

const byKey = { pgp_key: testPgpKey.publicKey }

/** Starts an attempt. The documents do not say what a start does while another attempt exists: if it is refused because
 * of a complete one, or shows shares that were supplied to another one, that one is cancelled, and the start is sent
 * again. What is shown of shares after that was not cleared by the cancellation. */
export async function begin(scope: Scope, cluster: Cluster, body: { pgp_key?: string } = {}): Promise<Reply> {
  const start = attemptStart(cluster, body)
  const first = await askWhenReady(scope, start)
  if (!(isSuccess(first) ? hasShares(first) : await isWaiting(scope, cluster, first))) return first
  const cancelled = await askWhenReady(scope, attemptCancel(cluster))
  const again = await askWhenReady(scope, start)
  if (!isSuccess(cancelled) || !isSuccess(again) || !hasShares(again)) return again
  const seen = mismatch(again, 'progress', '0', String(fieldOf(again, 'progress')))
  throw replyLacks(again, 'an attempt without progress', cluster, {
    ...seen,
    requirement: dr.requirement('attempt.cancel-clears'),
  })
}

const hasShares = (reply: Reply): boolean => Number(fieldOf(reply, 'progress')) > 0

const isWaiting = async (scope: Scope, cluster: Cluster, refusal: Reply): Promise<boolean> =>
  isRefusal(refusal) && booleanIn(fieldOf(await askWhenReady(scope, attemptRead(cluster)), 'complete')) === true

/** Starts an attempt. If the reply has no one-time password, the attempt is started again with a PGP key, to which the
 * token is then encrypted (readings of the documents, 68). */
async function begun(scope: Scope, cluster: Cluster) {
  const plain = await begin(scope, cluster)
  const otp = fieldOf(plain, 'otp')
  const isTold = typeof otp === 'string' && otp !== ''
  if (isSuccess(plain) && !isTold) await askWhenReady(scope, attemptCancel(cluster))
  const start = isSuccess(plain) && !isTold ? await begin(scope, cluster, byKey) : plain
  const nonce = isSuccess(start) ? await nonceOf(scope, cluster, start) : undefined
  if (nonce === undefined) throw replyLacks(start, 'a nonce')
  const decode = async (encoded: string): Promise<string> =>
    isTold ? decoded(encoded, otp) : await readPgpToken(encoded).catch(() => unreadable(start))
  return { nonce, decode }
}

/** The documents do not define the reply to a start. If it has no nonce, the nonce is read from the attempt. */
export async function nonceOf(scope: Scope, cluster: Cluster, start: Reply): Promise<string | undefined> {
  const nonce = fieldOf(start, 'nonce') ?? fieldOf(await askWhenReady(scope, attemptRead(cluster)), 'nonce')
  return typeof nonce === 'string' && nonce !== '' ? nonce : undefined
}

function unreadable(start: Reply): never {
  throw replyLacks(start, 'a one-time password, and encrypts the token to no PGP key')
}

/** Returns the encoded token of a reply. A token in a field without "encoded" in its name counts only once the attempt
 * is complete. */
const givenIn = (reply: Reply): string | undefined =>
  namedEncodedIn(reply) ?? (booleanIn(fieldOf(reply, 'complete')) ? encodedIn(reply) : undefined)

async function madeOf(scope: Scope, cluster: Cluster, shares: readonly string[]): Promise<string | undefined> {
  const { nonce, decode } = await begun(scope, cluster)
  scope.save('nonce', nonce)
  for (const share of shares) {
    scope.save('share', share, { secret: true })
    const reply = await askWhenReady(scope, attemptUpdate(cluster))
    const encoded = isSuccess(reply) ? givenIn(reply) : undefined
    if (encoded !== undefined) return decode(encoded)
    if (!isSuccess(reply)) break
  }
  await askWhenReady(scope, attemptCancel(cluster))
  return undefined
}

/** The index of the set of shares that completes attempts on the secondary of main, by the facts about the target. */
const fitting = new WeakMap<object, number>()

/** Finds out, once in each run and by a ceremony, which shares complete an attempt on the secondary of main. */
export async function findShares(scope: Scope, cluster: Cluster): Promise<void> {
  const sets = shareSets(scope)
  if (fitting.has(scope.facts) || sets.length < 2) return
  for (const [at, shares] of sets.entries()) {
    if ((await madeOf(scope, cluster, shares)) === undefined) continue
    fitting.set(scope.facts, at)
    return
  }
}

export const sharesOf = (scope: Scope): readonly string[] => shareSets(scope)[fitting.get(scope.facts) ?? 0] ?? []

/** Makes `{secondOperation}`, which authorizes requests to the DR secondary `second`. */
export const operationToken = (cluster: Cluster = 'second') =>
  action(
    `\`${operationTokenOf(cluster)}\` is a DR operation token of ${cluster}`,
    {
      touches: [attemptStart, attemptRead, attemptUpdate, attemptCancel].map((ask) => ask(cluster)),
      provides: [operationTokenOf(cluster), 'nonce', 'share'],
    },
    async (scope) => {
      for (const shares of shareSets(scope)) {
        const token = await madeOf(scope, cluster, shares)
        if (token === undefined) continue
        scope.save(operationTokenOf(cluster), token, { secret: true })
        return
      }
      throw new StepFailed('shares-insufficient', { cluster, given: shareSets(scope).flat().length })
    },
  )
