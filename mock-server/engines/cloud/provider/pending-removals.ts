/** Remembers users and keys that could not be removed at the provider in time, and retries until they are gone. */
import { type Context, providerOf } from '../context.ts'
import type { Leftover, Pending } from '../store.ts'
import { isCode } from './failures.ts'
import type { Provider } from './provider.ts'
import { keysOf, removeUser } from './users.ts'

/** Returns the milliseconds until the next attempt, given the number of attempts so far. */
const pause = (attempts: number): number => Math.min(10_000 * 2 ** attempts, 6 * 3_600_000)

const nameOf = (leftover: Leftover): string =>
  `${leftover.kind} ${leftover.username}${leftover.kind === 'key' ? ` ${leftover.key}` : ''}`

/** Returns the keys that are in use now, which must not be deleted. */
const heldBy = ({ store }: Context): ReadonlySet<string> =>
  new Set([store.root?.access_key ?? '', ...[...store.staticRoles.values()].map(({ key }) => key.id)])

async function remove(context: Context, provider: Provider, leftover: Leftover): Promise<void> {
  const { username: UserName } = leftover
  if (leftover.kind === 'user') return removeUser(provider, UserName)
  if (leftover.kind === 'bare-user') {
    await provider.iam('DeleteUser', { UserName })
    return
  }
  const keys =
    leftover.kind === 'key'
      ? [leftover.key]
      : (await keysOf(provider, UserName)).map(({ id }) => id).filter((id) => !leftover.known.includes(id))
  const held = heldBy(context)
  for (const AccessKeyId of keys.filter((id) => !held.has(id)))
    await provider.iam('DeleteAccessKey', { UserName, AccessKeyId })
}

/** Returns whether there is nothing left to remove. A user with policies or keys was made by someone else. */
const isOver = (error: unknown, { kind }: Leftover): boolean =>
  isCode(error, 'NoSuchEntity') || (kind === 'bare-user' && isCode(error, 'DeleteConflict'))

function retry(context: Context, name: string, { leftover, attempts, nextAt }: Pending): void {
  context.alarms.set(name, nextAt, () => context.inTurn('keys', () => discard(context, leftover, attempts + 1)))
}

/** Removes a leftover now, or retries later. */
export async function discard(context: Context, leftover: Leftover, attempts = 0): Promise<void> {
  const { pending } = context.store
  const name = nameOf(leftover)
  try {
    await remove(context, providerOf(context), leftover)
    pending.delete(name)
  } catch (error) {
    pending.delete(name)
    if (isOver(error, leftover)) return
    const waiting: Pending = { leftover, attempts, nextAt: context.clock.now() + pause(attempts) }
    pending.set(name, waiting)
    retry(context, name, waiting)
  }
}

/** Restores the timers after a restart from a state file. */
export function resume(context: Context): void {
  for (const [name, waiting] of context.store.pending) retry(context, name, waiting)
}
