/** Faults of what is done with every request. */
import type { Acl } from '../../kernel/acl/compile.ts'
import type { Call, Route } from '../../kernel/contracts.ts'
import { Refusal } from '../../kernel/http/refusal.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { faultsOf } from '../fault.ts'

const { fault, stored } = faultsOf<Kernel>('kernel', 'kernel')

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
    (next) => (request, kernel) => {
      Object.assign(request, { incoming: { ...request.incoming, method } })
      return next?.(request, kernel)
    },
    ([{ method: sent }]) => sent === 'LIST',
  )

export const kernelFaults = [
  fault(
    'token-freezes-its-acl',
    'The ACL of a token is compiled at its first use and never again: later changes of policies do not reach it.',
    stored('access', 'aclOf', (next, { memory }) => (token) => {
      const first = memory.get(token.id)
      const acl = isAcl(first) ? first : next(token)
      memory.set(token.id, acl)
      return acl
    }),
  ),
  fault(
    'denied-requests-act',
    'A request that its token is not allowed is answered with a denial, and done all the same.',
    stored('stages', 'authorize', (next) => async (request, kernel) => {
      try {
        await next?.(request, kernel)
      } catch (denial) {
        if (denial instanceof Refusal && denial.code === 'permission-denied') await carryOut(request)
        throw denial
      }
    }),
  ),
  fault(
    'cut-json-is-completed',
    'A JSON body that lacks its last brace is read as if it had it.',
    stored(
      'stages',
      'readRequest',
      (next) => (request, kernel) => {
        const { body, ...incoming } = request.incoming
        if (body) Object.assign(request, { incoming: { ...incoming, body: Buffer.concat([body, Buffer.from('}')]) } })
        return next?.(request, kernel)
      },
      ([{ incoming }]) => incoming.body !== undefined && !isJson(String(incoming.body)),
    ),
  ),
  fault('list-method-is-unknown', 'The method LIST is refused; GET with `?list=true` lists.', listMethod('NONE')),
  fault(
    'list-method-reads',
    'The method LIST does what GET does; GET with `?list=true` lists.',
    // HEAD is read as GET, and ignores `?list=true`.
    listMethod('HEAD'),
  ),
]
