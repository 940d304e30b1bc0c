/** The signing of CSRs under a role. Document 2 names it without a path, so the dialect provides the path, and a target
 * need not serve it (reading 56). */
import type { JsonObject, Operation, Step } from '../../../harness/vocabulary/index.ts'
import { DoesNotApply, isSuccess, post } from '../../../harness/vocabulary/index.ts'
import { action } from '../../records.ts'
import { leafName } from './given.ts'

export const signPath = (role: string): Operation => ({
  kind: 'operation',
  operation: 'signPath',
  args: { role: `{use}${role}`, as: role },
  words: `\`${role}\` is where, below the mount, CSRs are signed under the role ${role}`,
  provides: [role],
})

export const sign = (fields: JsonObject = {}, role = 'leaf') =>
  post(`{mount}/{${role}}`, { csr: '{csr}', common_name: leafName, ...fields })

/** Shows that the target signs `csr` under this role. The role must exist: otherwise a 404 would not show that the path
 * is missing. */
export const signingIsServed = (role: string): readonly Step[] => [
  signPath(role),
  action('CSRs are signed under a role', { touches: [sign({}, role)] }, async (scope) => {
    const reply = await scope.send(sign({}, role))
    if (isSuccess(reply)) return
    throw DoesNotApply.unserved(reply, `${reply.asked} answered ${reply.status}: the target signs no CSRs at that path`)
  }),
]
