/** Endpoints below `sys/` that this server does not have, or has nothing to show at. */
import type { Reply, Route } from '../../kernel/contracts.ts'
import { done } from '../../kernel/contracts.ts'
import { absentRoutes } from '../../kernel/http/absent.ts'
import { badRequest } from '../../kernel/http/refusal.ts'

const nothing = (): Reply => ({ kind: 'data', data: {}, verbatim: true })
const noKeys = (): Reply => ({ kind: 'data', data: { keys: [] } })
const writes = ['POST', 'PATCH'] as const

const audit: readonly Route[] = [
  { verb: 'GET', path: 'audit', access: 'sudo', handle: nothing },
  { verb: 'DELETE', path: 'audit/:path*', access: 'sudo', handle: () => done },
  ...absentRoutes('audit/:path*', 'no audit devices; createMockServer keeps the requests it got', writes),
  {
    ...{ verb: 'POST', path: 'audit-hash/:path*', access: 'token' },
    handle: ({ params }) => {
      throw badRequest(`unknown audit backend "${params.path}/"`)
    },
  },
]

const quotas: readonly Route[] = ['rate-limit', 'lease-count'].flatMap((type): readonly Route[] => [
  { verb: 'LIST', path: `quotas/${type}`, access: 'token', handle: noKeys },
  ...absentRoutes(`quotas/${type}/:name`, 'no quotas; a fault `throttle` answers as one would'),
])

const others: Readonly<Record<string, string>> = {
  'quotas/config': 'no quotas',
  'host-info': 'no host to describe',
  metrics: 'no metrics',
  'pprof/:path*': 'no profiles of itself',
  'loggers/:path*': 'no loggers',
  monitor: 'no log to follow',
  'raw/:path*': 'no raw storage',
  'storage/:path*': 'no storage backends',
  'config/:path*': 'no settings to change while it runs',
  'internal/counters/:path*': 'no counters',
  'license/:path*': 'no licence',
  'rekey-recovery-key/:path*': 'no recovery keys, since its seal is opened with key shares',
  'rotate/recovery/:path*': 'no recovery keys, since its seal is opened with key shares',
  'rekey/recovery-key-backup': 'no recovery keys, since its seal is opened with key shares',
}

export const absences = (): readonly Route[] => [
  ...audit,
  ...quotas,
  ...Object.entries(others).flatMap(([path, what]) => absentRoutes(path, what)),
]
