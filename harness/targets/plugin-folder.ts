/** A plugin folder for a reference server: what an operator would place on a server of their own. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface PluginFile {
  /** Relative to the folder. */
  readonly command: string
  /** In hexadecimal. */
  readonly sha256: string
  readonly type?: 'auth' | 'database' | 'secret'
  readonly version?: string
  /** A path below a mount of the plugin that it answers when read: shows that it runs. */
  readonly reads?: string
}

export interface PluginFolder {
  readonly path: string
  readonly files: readonly PluginFile[]
  remove(): void
}

/** The reference server never starts it: it is in the place of a plugin, and has a digest. */
const executable = '#!/bin/sh\n# stands for a plugin of the reference server\nexit 0\n'

/** Made anew for each server, since a server of one's own may be given other files. */
export function makePluginFolder(): PluginFolder {
  const path = mkdtempSync(join(tmpdir(), 'assay-plugins-'))
  const command = 'assay-plugin'
  writeFileSync(join(path, command), executable, { mode: 0o755 })
  const sha256 = createHash('sha256').update(executable).digest('hex')
  return {
    path,
    files: [{ command, sha256, type: 'secret', reads: 'status' }],
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
