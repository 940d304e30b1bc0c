/** The entry point of a lane's thread. It proves the parts that the main thread sends, one after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import { startProvider } from '../../../fixtures/servers/provider/index.ts'
import { differences } from '../../../suites/differences/index.ts'
import { drawnExcuses, drawnFaults, faultExcuses, wireFaults } from '../../../suites/faults.ts'
import { lists, requirements, spellings, topics } from '../../../suites/index.ts'
import { proofs } from '../../../suites/proofs.ts'
import { wideFaults } from '../../../suites/wide-faults.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { partsOf } from './parts.ts'

const stopped = new AbortController()
const { iam, sts, control } = await startProvider()
const seed = workerData as number | undefined
const parts = partsOf({
  // The record tells which check notices a fault where requests are spelled by the usual seed.
  ...(seed === undefined ? { record: proofs } : { spellingSeed: seed }),
  ...{
    requirements,
    lists,
    spellings,
    differences,
    faults: wireFaults(),
    excuses: faultExcuses,
    drawnExcuses,
    draw: drawnFaults,
    wide: wideFaults,
  },
  topics: topics.map(({ topic }) => topic),
  provides: { provider: { iam, sts, control } },
})
const send = (message: FromWorker): void => parentPort?.postMessage(message)

parentPort?.on('message', (message: ToWorker) => {
  if (message === 'stop') return stopped.abort()
  parts[message.part](message.area, stopped.signal, (said) => send({ said })).then(
    (outcome) => send({ outcome }),
    (error: unknown) => send({ broke: error instanceof Error ? error.message : String(error) }),
  )
})
