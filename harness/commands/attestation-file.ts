/** Reads keys from files, and writes attestations to files. */
import type { KeyObject } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { signed, statementOf } from '../attestation/statement.ts'
import { UsageError } from '../targets/usage-error.ts'
import type { ResultDocument } from '../vocabulary/index.ts'

/** The default file name of an attestation. */
export const attestationFile = 'result.intoto.json'

/** Throws `UsageError` if the file does not contain an Ed25519 key. */
export function keyIn(file: string, read: (pem: string) => KeyObject): KeyObject {
  let key: KeyObject | undefined
  try {
    key = read(readFileSync(file, 'utf8'))
  } catch {}
  if (key?.asymmetricKeyType === 'ed25519') return key
  throw new UsageError(`${file} is not an Ed25519 key in PEM form, or cannot be read: give another file`)
}

/** Reads the result again from its file, because the attestation is about the bytes of that file. */
export function writeAttestation(document: ResultDocument, result: string, out: string, key?: KeyObject): void {
  const statement = statementOf(document, readFileSync(result), basename(result))
  writeFileSync(out, `${JSON.stringify(key ? signed(statement, key) : statement)}\n`, { mode: 0o644 })
}
