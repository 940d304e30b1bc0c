/** Reads keys from files, and writes attestations to files. */
import type { KeyObject } from 'node:crypto'
import { basename } from 'node:path'
import { signed, statementOf } from '../../attestation/statement.ts'
import { readText, replaceFile } from '../../safety/files.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { type ResultDocument, sizeBounds } from '../../vocabulary/index.ts'
import { bytesOfResult } from './result-file.ts'

/** The default file name of an attestation. */
export const attestationFile = 'result.intoto.json'

/** Throws `UsageError` if the file does not contain an Ed25519 key. */
export function keyIn(file: string, read: (pem: string) => KeyObject): KeyObject {
  const what = 'an Ed25519 key in PEM form'
  const text = readText(file, { what, most: sizeBounds.namedFile.value, mend: 'give another file' })
  let key: KeyObject | undefined
  try {
    key = read(text)
  } catch {}
  if (key?.asymmetricKeyType === 'ed25519') return key
  throw new UsageError(`${file} is not ${what}: give another file`)
}

/** Reads the result again from its file, because the attestation is about the bytes of that file. */
export function writeAttestation(document: ResultDocument, result: string, out: string, key?: KeyObject): void {
  const statement = statementOf(document, bytesOfResult(result), basename(result))
  replaceFile(out, `${JSON.stringify(key ? signed(statement, key) : statement)}\n`, 0o644)
}
