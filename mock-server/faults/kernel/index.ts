/** Faults of what is done with every request. */
import type { Acl } from '../../kernel/acl/compile.ts'
import type { Call, Route } from '../../kernel/contracts.ts'
import { Refusal } from '../../kernel/http/refusal.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { faultsOf } from '../fault.ts'

const { faults, stored } = faultsOf<Kernel>('kernel', 'kernel')

/** Returns whether it is an ACL. An ACL that was saved as JSON has lost its functions. */
export const isAcl = (value: unknown): value is Acl => typeof (value as Acl | undefined)?.check === 'function'

/** Does what a request asks for. The caller does not learn what the handler returns or refuses. */
export async function carryOut(call: Call & { readonly route?: Route | undefined }): Promise<void> {
  try {
    await call.route?.handle(call)
  } catch {}
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Reads the method LIST as another method. `GET` with `?list=true` still lists. */
const listMethod = (method: string) =>
  stored(
    'stages',
    'readRequest',
    ([request, kernel], next) => {
      Object.assign(request, { incoming: { ...request.incoming, method } })
      return next?.(request, kernel)
    },
    ([{ method: sent }]) => sent === 'LIST',
  )

export const kernelFaults = faults({
  'token-freezes-its-acl':
    'The ACL of a token is compiled at its first use and never again: later changes of policies do not reach it.',
  'denied-requests-act': 'A request that its token is not allowed is answered with a denial, and done all the same.',
  'cut-json-is-completed': 'A JSON body that lacks its last brace is read as if it had it.',
  'list-method-is-unknown': 'The method LIST is refused; GET with `?list=true` lists.',
  'list-method-reads': 'The method LIST does what GET does; GET with `?list=true` lists.',
}).by({
  'token-freezes-its-acl': stored('access', 'aclOf', ([token], next, { memory }) => {
    const first = memory.get(token.id)
    const acl = isAcl(first) ? first : next(token)
    memory.set(token.id, acl)
    return acl
  }),
  'denied-requests-act': stored('stages', 'authorize', async ([request, kernel], next) => {
    try {
      await next?.(request, kernel)
    } catch (denial) {
      if (denial instanceof Refusal && denial.code === 'permission-denied') await carryOut(request)
      throw denial
    }
  }),
  'cut-json-is-completed': stored(
    'stages',
    'readRequest',
    ([request, kernel], next) => {
      const { body, ...incoming } = request.incoming
      if (body) Object.assign(request, { incoming: { ...incoming, body: Buffer.concat([body, Buffer.from('}')]) } })
      return next?.(request, kernel)
    },
    ([{ incoming }]) => incoming.body !== undefined && !isJson(String(incoming.body)),
  ),
  'list-method-is-unknown': listMethod('NONE'),
  'list-method-reads': listMethod('HEAD'),
})
