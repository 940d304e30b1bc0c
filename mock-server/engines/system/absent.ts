/** The endpoints of audit devices and quotas. This server has neither, so reads are empty, and creating one is
 * refused. */
import { done, type Reply, type Route } from '../../kernel/contracts.ts'
import { badRequest } from '../../kernel/http/refusal.ts'

const nothing = (): Reply => ({ kind: 'data', data: {}, verbatim: true })
const noKeys = (): Reply => ({ kind: 'data', data: { keys: [] } })

export const absences = (): readonly Route[] => [
  { verb: 'GET', path: 'audit', access: 'sudo', handle: nothing },
  { verb: 'DELETE', path: 'audit/:path*', access: 'sudo', handle: () => done },
  {
    ...{ verb: 'POST', path: 'audit-hash/:path*', access: 'token' },
    handle: ({ params }) => {
      throw badRequest(`unknown audit backend "${params.path}/"`)
    },
  },
  { verb: 'LIST', path: 'quotas/rate-limit', access: 'token', handle: noKeys },
  { verb: 'LIST', path: 'quotas/lease-count', access: 'token', handle: noKeys },
]
