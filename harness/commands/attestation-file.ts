/** Keys are read from files, and attestations written to files. */
import type { KeyObject } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { signed, statementOf } from '../attestation/statement.ts'
import { UsageError } from '../targets/usage-error.ts'
import type { ResultDocument } from '../vocabulary/index.ts'

/** The name of an attestation beside its result. */
export const attestationFile = 'result.intoto.json'

/** Throws `UsageError` where there is no Ed25519 key. */
export function keyIn(file: string, read: (pem: string) => KeyObject): KeyObject {
  let key: KeyObject | undefined
  try {
    key = read(readFileSync(file, 'utf8'))
  } catch {}
  if (key?.asymmetricKeyType === 'ed25519') return key
  throw new UsageError(`${file} is not an Ed25519 key in PEM form, or cannot be read: give another file`)
}

/** The result is read as it lies there, since its bytes are what is attested. */
export function writeAttestation(document: ResultDocument, result: string, out: string, key?: KeyObject): void {
  const statement = statementOf(document, readFileSync(result), basename(result))
  writeFileSync(out, `${JSON.stringify(key ? signed(statement, key) : statement)}\n`, { mode: 0o644 })
}
