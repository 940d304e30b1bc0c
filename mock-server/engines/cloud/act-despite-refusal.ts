/** A refused request does nothing at the provider, unless a mutant is loaded. */
import type { Call, Reply } from '../../kernel/contracts.ts'
import { textField } from '../../kernel/http/body-fields.ts'
import { type Context, rootOf } from './context.ts'
import { keysOf } from './provider/users.ts'

type Handler = (context: Context, call: Call) => Reply | Promise<Reply>
type SideEffect = (context: Context, call: Call) => Promise<unknown>

const makesUser: SideEffect = (context) => context.provider().iam('CreateUser', { UserName: 'refused' })

const sideEffects: Readonly<Record<string, SideEffect>> = {
  'creds/:name': makesUser,
  'sts/:name': (context) => context.provider().sts('GetSessionToken', {}),
  'static-creds/:name': makesUser,
  'static-roles/:name': (context, { body }) => {
    const UserName = textField(body, 'username') || 'adopted'
    return context
      .provider()
      .iam('CreateAccessKey', { UserName })
      .catch(() => makesUser(context, {} as Call))
  },
  async 'config/rotate-root'(context) {
    const provider = context.provider()
    const UserName = (await provider.iam('GetUser', {})).User?.UserName ?? ''
    const own = rootOf(context).access_key
    for (const { id } of (await keysOf(provider, UserName)).filter((key) => key.id !== own))
      await provider.iam('DeleteAccessKey', { UserName, AccessKeyId: id })
  },
}

export async function orCall(path: string, handle: Handler, context: Context, call: Call): Promise<Reply> {
  try {
    return await handle(context, call)
  } catch (refusal) {
    // The provider may refuse the request, too, or not be configured.
    await Promise.resolve(call)
      .then(() => sideEffects[path]?.(context, call))
      .catch(() => {})
    throw refusal
  }
}
