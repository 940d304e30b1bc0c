/** A refused request does nothing at the provider, unless a mutant is loaded. */
import type { Call, Reply } from '../../kernel/contracts.ts'
import { textField } from '../../kernel/http/body-fields.ts'
import { type Context, rootOf } from './context.ts'
import { keysOf } from './provider/users.ts'

type Handler = (call: Call, context: Context) => Reply | Promise<Reply>
type SideEffect = (call: Call, context: Context) => Promise<unknown>

const makesUser: SideEffect = (_call, context) => context.provider().iam('CreateUser', { UserName: 'refused' })

const sideEffects: Readonly<Record<string, SideEffect>> = {
  'creds/:name': makesUser,
  'sts/:name': (_call, context) => context.provider().sts('GetSessionToken', {}),
  'static-creds/:name': makesUser,
  'static-roles/:name': (call, context) => {
    const UserName = textField(call.body, 'username') || 'adopted'
    return context
      .provider()
      .iam('CreateAccessKey', { UserName })
      .catch(() => makesUser(call, context))
  },
  async 'config/rotate-root'(_call, context) {
    const provider = context.provider()
    const UserName = (await provider.iam('GetUser', {})).User?.UserName ?? ''
    const own = rootOf(context).access_key
    for (const { id } of (await keysOf(provider, UserName)).filter((key) => key.id !== own))
      await provider.iam('DeleteAccessKey', { UserName, AccessKeyId: id })
  },
}

export async function orCall(path: string, handle: Handler, call: Call, context: Context): Promise<Reply> {
  try {
    return await handle(call, context)
  } catch (refusal) {
    // The provider may refuse the request, too, or not be configured.
    await Promise.resolve(call)
      .then(() => sideEffects[path]?.(call, context))
      .catch(() => {})
    throw refusal
  }
}
