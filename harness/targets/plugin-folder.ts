/** Creates a plugin folder for a reference server, as an operator would on a real server. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface PluginFile {
  /** The path of the executable, relative to the folder. */
  readonly command: string
  /** The digest in hexadecimal. */
  readonly sha256: string
  readonly type?: 'auth' | 'database' | 'secret'
  readonly version?: string
  /** A path below a mount of the plugin. A successful read of it shows that the plugin runs. */
  readonly reads?: string
}

export interface PluginFolder {
  readonly path: string
  readonly files: readonly PluginFile[]
  remove(): void
}

/** A placeholder for a plugin. The reference server never starts it and only needs its digest. */
const executable = (type: string) => `#!/bin/sh\n# stands for a ${type} plugin of the reference server\nexit 0\n`

/** Creates a new folder for each server. The caller has to remove it. */
export function makePluginFolder(): PluginFolder {
  const path = mkdtempSync(join(tmpdir(), 'assay-plugins-'))
  const files = (['secret', 'auth', 'database'] as const).map((type): PluginFile => {
    const command = `assay-plugin-${type}`
    const text = executable(type)
    writeFileSync(join(path, command), text, { mode: 0o755 })
    const sha256 = createHash('sha256').update(text).digest('hex')
    return { command, sha256, type, ...(type === 'secret' ? { reads: 'status' } : {}) }
  })
  return { path, files, remove: () => rmSync(path, { recursive: true, force: true }) }
}
