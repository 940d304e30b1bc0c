import type { Context } from '../context.ts'
import type { AccessKey } from '../store.ts'
import { isCertain } from './failures.ts'
import { discard } from './pending-removals.ts'
import type { Provider } from './provider.ts'
import { makeKey } from './users.ts'

/** Makes a key for a user. If the response is lost, a key that the provider nevertheless made is deleted. */
export async function makeKeyOrNone(
  context: Context,
  provider: Provider,
  username: string,
  known: readonly string[],
): Promise<AccessKey> {
  return makeKey(provider, username).catch(async (error) => {
    if (!isCertain(error)) await discard(context, { kind: 'keys-beside', username, known })
    throw error
  })
}
