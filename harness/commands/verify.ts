import { createPrivateKey, createPublicKey } from 'node:crypto'
import { UsageError } from '../targets/usage-error.ts'
import { exitCodes } from '../vocabulary/index.ts'
import { type CommandTable, commandOf, type TabledCommand } from './options/flag.ts'
import { attestationFile, keyIn, writeAttestation } from './output/attestation-file.ts'
import { bytesOfResult, parsedFile, readResult, resultIn } from './output/result-file.ts'
import type { Terminal } from './output/terminal.ts'
import { systemWords } from './output/written-reports.ts'

interface VerifyFlags {
  readonly attestation?: string
  readonly key?: string
}

const attestExamples = `
The attestation is an in-toto statement with the test-result predicate; signed, it is a DSSE envelope. The key is an
Ed25519 private key in PEM form: openssl genpkey -algorithm ed25519 -out key.pem

Examples:
  assay attest assay-report/result.json --sign key.pem --out assay-report/result.intoto.json`

const verifyExamples = `
The exit code is 1 if something does not match.

Examples:
  assay verify assay-report/result.json
  assay verify assay-report/result.json --attestation assay-report/result.intoto.json --key public.pem`

const attestTable: CommandTable = {
  name: 'attest',
  says: 'write an in-toto attestation of a result, signed if a key is given',
  words: { form: '<result>', says: 'a result.json', values: 'files' },
  flags: {
    output: [
      { flag: '--sign <key-file>', says: 'an Ed25519 private key in PEM form', values: 'files' },
      { flag: '--out <file>', says: 'file to write', values: 'files', default: attestationFile },
    ],
  },
  more: attestExamples,
}

export const attestCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<{ readonly sign?: string; readonly out: string }>(attestTable, async ({ sign, out }, [file = '']) => {
    const document = await readResult(file)
    const key = sign === undefined ? undefined : keyIn(sign, createPrivateKey)
    try {
      writeAttestation(document, file, out, key)
    } catch (error) {
      throw new UsageError(`${out} cannot be written (${systemWords(error)}): name another file with --out`)
    }
    terminal.out(out)
    settle(exitCodes.conformant)
  })

const verifyTable: CommandTable = {
  name: 'verify',
  says: 'check that a result is unchanged: its hashes, its counts, its attestation',
  words: { form: '<result>', says: 'a result.json', values: 'files' },
  flags: {
    gate: [
      { flag: '--attestation <file>', says: 'the attestation that "assay attest" wrote', values: 'files' },
      {
        flag: '--key <file>',
        says: 'the public key in PEM form; the attestation must be signed with its private key',
        values: 'files',
      },
    ],
  },
  more: verifyExamples,
}

export const verifyCommand = (terminal: Terminal, settle: (code: number) => void): TabledCommand =>
  commandOf<VerifyFlags>(verifyTable, async (flags, [file = '']) => {
    if (flags.key !== undefined && flags.attestation === undefined)
      throw new UsageError('--key needs a signed attestation: add --attestation')
    const faults = await faultsOf(file, flags)
    for (const fault of faults) terminal.out(`${file}: ${fault}`)
    if (faults.length === 0)
      terminal.out(`${file} is unchanged${flags.key === undefined ? '' : ', and signed with this key'}`)
    settle(faults.length === 0 ? exitCodes.conformant : exitCodes.nonConformant)
  })

async function faultsOf(file: string, { attestation, key }: VerifyFlags): Promise<readonly string[]> {
  const bytes = bytesOfResult(file)
  const document = await resultIn(bytes, file)
  const { faultsIn } = await import('../attestation/faults.ts')
  return faultsIn(
    document,
    bytes,
    attestation === undefined
      ? undefined
      : parsedFile(attestation, 'an attestation', 'give one that "assay attest" wrote', (text): unknown =>
          JSON.parse(text),
        ),
    key === undefined ? undefined : keyIn(key, createPublicKey),
  )
}
