/** A thread that proves one part after the other, as it is told. */
import { parentPort } from 'node:worker_threads'
import { startProvider } from '../../fixtures/provider/index.ts'
import { differences } from '../../suites/differences/index.ts'
import { faultExcuses, wireFaults } from '../../suites/faults.ts'
import { lists, requirements, topics } from '../../suites/index.ts'
import { proofs } from '../../suites/proofs.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { partsOf } from './parts.ts'

const stopped = new AbortController()
const { iam, sts, control } = await startProvider()
const parts = partsOf({
  ...{ requirements, lists, differences, faults: wireFaults(), excuses: faultExcuses, record: proofs },
  topics: topics.map(({ topic }) => topic),
  provides: { provider: { iam, sts, control } },
})
const tell = (message: FromWorker): void => parentPort?.postMessage(message)

parentPort?.on('message', (told: ToWorker) => {
  if (told === 'stop') return stopped.abort()
  parts[told.part](told.area, stopped.signal, (said) => tell({ said })).then(
    (outcome) => tell({ outcome }),
    (error: unknown) => tell({ broke: error instanceof Error ? error.message : String(error) }),
  )
})
