/** The probe of a run, with its exchanges on record. */
import type { Session } from '../../run/session.ts'
import { exchangeRecorded } from '../../run/trace.ts'
import { samplePath } from '../../targets/capabilities.ts'
import { leastPolicy } from '../../targets/least-policy.ts'
import { type Probe, probe } from '../../targets/probe.ts'
import { touchesOf } from '../../targets/touches.ts'
import type { Unreachable } from '../../targets/unreachable.ts'
import type { RecordedExchange } from '../../vocabulary/index.ts'
import { headersFor, nobody, operatorOf } from '../../wire/ask.ts'
import type { Chosen } from '../catalog.ts'

export interface Probed {
  readonly seen: Probe | Unreachable
  readonly exchanges: readonly RecordedExchange[]
}

export async function probeTarget(session: Session, chosen: readonly Chosen[]): Promise<Probed> {
  const { dialect, redactor } = session
  const { target } = session.plan
  const client = session.client('main')
  const exchanges: RecordedExchange[] = []
  const touches = chosen.flatMap(({ topic, check }) => touchesOf(topic, check, dialect))
  const wanted = leastPolicy(touches, dialect).map(({ path, capabilities }) => ({
    path: samplePath(path),
    capabilities,
  }))
  const seen = await probe({
    target,
    dialect,
    client,
    wanted,
    record({ method, body, as = 'operator' }, { url, attempts }) {
      const who = as === 'nobody' ? nobody : operatorOf(client)
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = headersFor(client, dialect, who, { body: text !== undefined })
      const raw = { phase: 'probe', method, url, headers, as, attempts } as const
      exchanges.push(exchangeRecorded(text === undefined ? raw : { ...raw, body: text }, redactor))
    },
  })
  return { seen, exchanges }
}
