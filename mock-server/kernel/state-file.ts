import { createHash } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

const schema = 'assay/state/1'

interface StateFile {
  readonly schema: typeof schema
  /** SHA-256 of the JSON of `state`: a file that was cut or edited is refused as a whole. */
  readonly sum: string
  readonly state: Readonly<Record<string, unknown>>
}

const sumOf = (json: string): string => createHash('sha256').update(json).digest('hex')

const isStateFile = (value: unknown): value is StateFile =>
  typeof value === 'object' && value !== null && 'schema' in value && value.schema === schema && 'state' in value

function refuse(file: string, reason: string): never {
  throw new Error(`state file ${file} ${reason}; move it away, or name another file`)
}

/** The state kept in a file; undefined where there is no such file. Throws one error that names a file it cannot use. */
export function readState(file: string): StateFile['state'] | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return refuse(file, `cannot be read (${(error as Error).message})`)
  }
  let kept: unknown
  try {
    kept = JSON.parse(text)
  } catch {
    return refuse(file, 'is corrupt: it is no JSON')
  }
  if (!isStateFile(kept)) return refuse(file, `is no state of this server (${schema})`)
  if (sumOf(JSON.stringify(kept.state)) !== kept.sum) return refuse(file, 'is corrupt: its checksum does not fit')
  return kept.state
}

/** Writes the whole file beside the old one and puts it in its place: a crash leaves the one or the other. */
export function writeState(file: string, state: StateFile['state']): void {
  const json = JSON.stringify(state)
  const beside = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(beside, `{"schema":"${schema}","sum":"${sumOf(json)}","state":${json}}\n`, {
      mode: 0o600,
      flush: true,
    })
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw new Error(`state file ${file} cannot be written: ${(error as Error).message}`)
  }
}
