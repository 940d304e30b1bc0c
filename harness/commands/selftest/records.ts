/** Writes what proofs found into the files of this repository that reports and checks read. */
import { join } from 'node:path'
import { killMatrix } from '../../../suites/kill-matrix.ts'
import type { Proof } from '../../faults/proof.ts'
import { withProof } from '../../faults/proof-record.ts'
import { type Matrix, withNoticed } from '../../mutation/kill-matrix.ts'
import { replaceFile } from '../../safety/files.ts'
import { knownMutants } from '../../targets/mock.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { addressOf, type ProofRecord } from '../../vocabulary/index.ts'
import { loadCatalog } from '../catalog.ts'
import type { Terminal } from '../output/terminal.ts'
import { systemWords } from '../output/written-reports.ts'
import { packageRoot } from '../version.ts'

function write(path: string, content: object, terminal: Terminal): void {
  const file = join(packageRoot, path)
  try {
    replaceFile(file, `${JSON.stringify(content, null, 2)}\n`, 0o644)
  } catch (error) {
    throw new UsageError(`${file} cannot be written (${systemWords(error)}): use --update in a checkout of the project`)
  }
  terminal.say(file)
}

/** Records which check noticed which fault on the wire. */
export async function updateProofs(record: ProofRecord, { rows }: Proof, terminal: Terminal): Promise<void> {
  write('suites/proofs.json', withProof(record, rows, await knownMutants()), terminal)
}

/** Records which mutants each judged check noticed. What is recorded of other checks stays. */
export async function updateKillMatrix(matrix: Matrix, terminal: Terminal): Promise<void> {
  const { topics } = await loadCatalog()
  const addresses = topics.flatMap(({ topic }) => topic.checks.map((check) => addressOf(topic, check)))
  write('suites/kill-matrix.json', withNoticed(killMatrix, matrix, addresses), terminal)
}
