/** The endpoints `sys/rekey` replace the root key and its shares. Except for backups, they require no token, because
 * the key shares authorise the change. */
import { bytesOf, type PreparedKey } from '../../kernel/auth/seal.ts'
import { type Call, done, type Reply, type Route } from '../../kernel/contracts.ts'
import { flagField, listField, requiredText, textField } from '../../kernel/http/body-fields.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'
import type { StatePart } from '../../kernel/state/state-part.ts'
import { createTurns } from '../../kernel/turns.ts'
import { bare } from './health.ts'
import { sharesIn } from './sealing.ts'

interface Attempt {
  /** The digest of the root key that the attempt replaces. */
  readonly rootKey: string
  readonly nonce: string
  readonly shares: number
  readonly threshold: number
  readonly verifies: boolean
  given: readonly string[]
  /** The new key while verification is under way: it waits for its own shares, which prove that they arrived. */
  pending: { readonly key: PreparedKey; readonly nonce: string; readonly given: readonly string[] } | undefined
}

const hexOf = (share: string): string => Buffer.from(bytesOf(share)).toString('hex')
const shownShares = (shares: readonly string[]): object => ({
  keys: shares.map((share) => Buffer.from(share, 'base64').toString('hex')),
  keys_base64: shares,
})

export interface Rekey {
  readonly routes: readonly Route[]
  /** An attempt is not saved, so a restart cancels it. */
  readonly state: StatePart
}

/** The attempts to replace the root key: one at a time. */
function createAttempts({ clusterRole, extensions, keys, mint, seal }: Services) {
  const inTurn = createTurns()
  let attempt: Attempt | undefined

  /** Returns the current attempt, and discards it if the root key has changed since it started. */
  function present(): Attempt | undefined {
    if (attempt?.rootKey !== seal.digest) attempt = undefined
    return attempt
  }

  function status(): object {
    const now = present()
    return {
      nonce: now?.nonce ?? '',
      started: now !== undefined,
      t: now?.threshold ?? 0,
      n: now?.shares ?? 0,
      progress: now?.given.length ?? 0,
      required: seal.threshold,
      pgp_fingerprints: null,
      backup: false,
      verification_required: now?.verifies ?? false,
      ...(now?.pending ? { verification_nonce: now.pending.nonce } : {}),
    }
  }

  function start(call: Call): Reply {
    const { dr, performance } = clusterRole.modes
    if (dr !== 'disabled' || performance !== 'disabled')
      throw badRequest('this reference server replaces the root key of clusters without replication only')
    if (present()) throw badRequest('rekey already in progress')
    if ((listField(call.body, 'pgp_keys') ?? []).length > 0 || flagField(call.body, 'backup'))
      throw badRequest('pgp_keys, backup: this reference server returns new key shares without encryption only')
    attempt = {
      ...{ rootKey: seal.digest, nonce: mint.uuid(), ...sharesIn(call) },
      ...{ verifies: flagField(call.body, 'require_verification') ?? false, given: [], pending: undefined },
    }
    return bare(status())
  }

  function cancel(): Reply {
    attempt = undefined
    return done
  }

  function shareIn(call: Call, nonce: string): string {
    const share = hexOf(requiredText(call.body, 'key'))
    if (textField(call.body, 'nonce') !== nonce)
      throw badRequest(`incorrect nonce supplied; nonce for this rekey operation is "${nonce}"`)
    return share
  }
  const added = (given: readonly string[], share: string): readonly string[] => [...new Set([...given, share])]

  function install(key: PreparedKey): void {
    keys.replace(key)
    extensions.operationTokens?.end()
    attempt = undefined
  }

  /** Installs a key, or lets it wait for its verification. Returns what the reply says of the verification. */
  function settle(now: Attempt, key: PreparedKey): object {
    if (!now.verifies) {
      install(key)
      return {}
    }
    now.pending = { key, nonce: mint.uuid(), given: [] }
    return { verification_nonce: now.pending.nonce }
  }

  async function update(call: Call): Promise<Reply> {
    const now = present()
    if (!now) throw badRequest('no barrier rekey in progress')
    if (now.pending) throw badRequest('rekey operation already finished; verification must be performed')
    now.given = added(now.given, shareIn(call, now.nonce))
    if (now.given.length < seal.threshold) return bare(status())
    const isRight = await seal.proves(now.given)
    now.given = []
    if (!isRight) throw badRequest('the shares do not make the root key: all of them must be given again')
    const key = await seal.prepare(now.shares, now.threshold)
    const verification = settle(now, key)
    const common = { nonce: now.nonce, complete: true, ...shownShares(key.keyShares), pgp_fingerprints: null }
    return bare({ ...common, backup: false, verification_required: now.verifies, ...verification })
  }

  function pendingNow(): { readonly now: Attempt; readonly pending: NonNullable<Attempt['pending']> } {
    const now = present()
    if (!now?.pending) throw badRequest('no rekey verification in progress')
    return { now, pending: now.pending }
  }

  function verifyStatus(): Reply {
    const { now, pending } = pendingNow()
    const { threshold: t, shares: n } = now
    return bare({ nonce: pending.nonce, started: pending.given.length > 0, t, n, progress: pending.given.length })
  }

  function restartVerification(): Reply {
    const { now, pending } = pendingNow()
    now.pending = { key: pending.key, nonce: mint.uuid(), given: [] }
    return verifyStatus()
  }

  async function verify(call: Call): Promise<Reply> {
    const { now, pending } = pendingNow()
    const given = added(pending.given, shareIn(call, pending.nonce))
    now.pending = { ...pending, given }
    if (given.length < pending.key.threshold) return verifyStatus()
    now.pending = { ...pending, given: [] }
    if (!(await seal.proves(given, pending.key))) throw badRequest('the shares do not make the new root key')
    install(pending.key)
    return bare({ nonce: pending.nonce, complete: true })
  }

  return {
    start,
    cancel,
    status: () => bare(status()),
    update: (call: Call) => inTurn('rekey', () => update(call)),
    verifyStatus,
    restartVerification,
    verify: (call: Call) => inTurn('rekey', () => verify(call)),
  }
}

function noBackup(): never {
  throw badRequest('no backed-up keys found')
}

export function createRekey(services: Services): Rekey {
  const { start, cancel, status, update, verifyStatus, restartVerification, verify } = createAttempts(services)
  const routes = ['rekey', 'rotate/root'].flatMap((base): readonly Route[] => [
    { verb: 'GET', path: `${base}/init`, access: 'anyone', handle: status },
    { verb: 'POST', path: `${base}/init`, access: 'anyone', handle: start },
    { verb: 'DELETE', path: `${base}/init`, access: 'anyone', handle: cancel },
    { verb: 'POST', path: `${base}/update`, access: 'anyone', handle: update },
    { verb: 'GET', path: `${base}/verify`, access: 'anyone', handle: verifyStatus },
    { verb: 'POST', path: `${base}/verify`, access: 'anyone', handle: verify },
    { verb: 'DELETE', path: `${base}/verify`, access: 'anyone', handle: restartVerification },
    { verb: 'GET', path: `${base}/backup`, access: 'sudo', handle: noBackup },
    { verb: 'DELETE', path: `${base}/backup`, access: 'sudo', handle: () => done },
  ])
  const forget = (): void => void cancel()
  return { routes, state: { snapshot: () => null, restore: forget, reset: forget } }
}
