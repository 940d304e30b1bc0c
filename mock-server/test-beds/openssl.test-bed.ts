/** Runs the `openssl` command, as an independent judge of certificates. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Judgement {
  readonly ok: boolean
  readonly text: string
}

/** Runs `openssl` with the arguments. An argument `@name` is replaced by the path of a file with the content of `name`
 * in `files`. */
export function openssl(args: readonly string[], files: Readonly<Record<string, string | Buffer>> = {}): Judgement {
  const folder = mkdtempSync(join(tmpdir(), 'pki-judge-'))
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    const named = args.map((arg) => (arg.startsWith('@') ? join(folder, arg.slice(1)) : arg))
    const { status, stdout, stderr } = spawnSync('openssl', named, { encoding: 'utf8' })
    return { ok: status === 0, text: `${stdout}${stderr}` }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
