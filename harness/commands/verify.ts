import { createPrivateKey, createPublicKey } from 'node:crypto'
import { Command } from 'commander'
import { readText } from '../safety/files.ts'
import { UsageError } from '../targets/usage-error.ts'
import { exitCodes, sizeBounds } from '../vocabulary/index.ts'
import { attestationFile, bytesOfResult, keyIn, writeAttestation } from './attestation-file.ts'
import { notEmpty } from './options.ts'
import { readResult } from './result-file.ts'
import type { Terminal } from './terminal.ts'
import { systemWords } from './written-reports.ts'

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

export const attestCommand = (terminal: Terminal, settle: (code: number) => void): Command =>
  new Command('attest')
    .description('write an in-toto attestation of a result, signed if a key is given')
    .argument('<result>', 'a result.json')
    .option('--sign <key-file>', 'an Ed25519 private key in PEM form', notEmpty)
    .option('--out <file>', 'file to write', notEmpty, attestationFile)
    .addHelpText('after', attestExamples)
    .action(async (file: string, { sign, out }: { readonly sign?: string; readonly out: string }) => {
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

export const verifyCommand = (terminal: Terminal, settle: (code: number) => void): Command =>
  new Command('verify')
    .description('check that a result is unchanged: its hashes, its counts, its attestation')
    .argument('<result>', 'a result.json')
    .option('--attestation <file>', 'the attestation that "assay attest" wrote', notEmpty)
    .option('--key <file>', 'the public key in PEM form; the attestation must be signed with its private key', notEmpty)
    .addHelpText('after', verifyExamples)
    .action(async (file: string, flags: VerifyFlags) => {
      if (flags.key !== undefined && flags.attestation === undefined)
        throw new UsageError('--key needs a signed attestation: add --attestation')
      const faults = await faultsOf(file, flags)
      for (const fault of faults) terminal.out(`${file}: ${fault}`)
      if (faults.length === 0)
        terminal.out(`${file} is unchanged${flags.key === undefined ? '' : ', and signed with this key'}`)
      settle(faults.length === 0 ? exitCodes.conformant : exitCodes.nonConformant)
    })

async function faultsOf(file: string, { attestation, key }: VerifyFlags): Promise<readonly string[]> {
  const document = await readResult(file)
  const { faultsIn } = await import('../attestation/faults.ts')
  return faultsIn(
    document,
    bytesOfResult(file),
    attestation === undefined ? undefined : jsonIn(attestation),
    key === undefined ? undefined : keyIn(key, createPublicKey),
  )
}

function jsonIn(file: string): unknown {
  const mend = 'give one that "assay attest" wrote'
  const text = readText(file, { what: 'an attestation', most: sizeBounds.resultFile.value, mend })
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${file} is not an attestation: ${mend}`)
  }
}
