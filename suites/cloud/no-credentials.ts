/** Requests for credentials that do not exist. */
import { type Expectation, isSuccess, mismatch, shown, unchanged } from '../../harness/vocabulary/index.ts'
import { seenAccount } from './provider.ts'
import { accountStays } from './witnesses.ts'

/** Returns whether a JSON text has a field that is named like a credential and is not empty. */
const namesCredential = (text: string): boolean =>
  [...text.matchAll(/"([^"]*)":"[^"]/g)].some(([, name = '']) => /secret|key/i.test(name))

/** The request is refused, or succeeds without credentials (reading 55), and nothing changes at the provider. A field
 * for a key that is empty shows nothing. */
export const givesNothing: Expectation = {
  ...unchanged(accountStays),
  words: 'the reply has no key of any user, and the provider is unchanged',
  async judge(seen, before) {
    const text = shown(seen.reply.json, 1e6)
    const keys = (await seenAccount(seen.scope)).users.flatMap((user) => user.keys)
    const given = isSuccess(seen.reply) ? keys.find(({ secret }) => text.includes(secret)) : undefined
    if (given) return mismatch(seen.reply, 'body', 'no key', given.id)
    if (isSuccess(seen.reply) && namesCredential(text)) return mismatch(seen.reply, 'body', 'no key', text)
    return unchanged(accountStays).judge(seen, before)
  },
}
