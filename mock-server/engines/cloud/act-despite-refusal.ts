/** What a refused request does at the provider: nothing, but under one fault. */
import type { Call, Reply } from '../../kernel/contracts.ts'
import { type Mounted, rootOf } from './context.ts'
import { text } from './fields.ts'
import { keysOf } from './users.ts'

type Run = (mounted: Mounted, call: Call) => Reply | Promise<Reply>
type Deed = (mounted: Mounted, call: Call) => Promise<unknown>

const makesUser: Deed = (mounted) => mounted.provider().iam('CreateUser', { UserName: 'refused' })

const deeds: Readonly<Record<string, Deed>> = {
  'creds/:name': makesUser,
  'sts/:name': (mounted) => mounted.provider().sts('GetSessionToken', {}),
  'static-creds/:name': makesUser,
  'static-roles/:name': (mounted, { body }) => {
    const UserName = text(body, 'username') || 'adopted'
    return mounted
      .provider()
      .iam('CreateAccessKey', { UserName })
      .catch(() => makesUser(mounted, {} as Call))
  },
  async 'config/rotate-root'(mounted) {
    const provider = mounted.provider()
    const UserName = (await provider.iam('GetUser', {})).User?.UserName ?? ''
    const own = rootOf(mounted).access_key
    for (const { id } of (await keysOf(provider, UserName)).filter((key) => key.id !== own))
      await provider.iam('DeleteAccessKey', { UserName, AccessKeyId: id })
  },
}

export async function orCall(path: string, run: Run, mounted: Mounted, call: Call): Promise<Reply> {
  try {
    return await run(mounted, call)
  } catch (refusal) {
    // The provider may refuse it, too, or not be configured.
    await Promise.resolve(call)
      .then(() => deeds[path]?.(mounted, call))
      .catch(() => {})
    throw refusal
  }
}
