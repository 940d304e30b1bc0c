/** Makes a folder with valid plugins, and with links that an attacker may place there. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const content = '#!/bin/sh\nexit 0\n'
export const sha256 = createHash('sha256').update(content).digest('hex')

export function makePluginFolder(): { readonly path: string; remove(): void } {
  const base = mkdtempSync(join(tmpdir(), 'assay-plugins-test-'))
  const path = join(base, 'plugins')
  mkdirSync(join(path, 'folder'), { recursive: true })
  mkdirSync(join(base, 'plugins-beside'))
  writeFileSync(join(path, 'good'), content)
  writeFileSync(join(path, 'folder', 'inner'), content)
  writeFileSync(join(base, 'outside'), content)
  writeFileSync(join(base, 'plugins-beside', 'near'), content)
  symlinkSync('good', join(path, 'link-in'))
  symlinkSync('../outside', join(path, 'link-out'))
  symlinkSync('../plugins-beside', join(path, 'folder-out'))
  symlinkSync('loop', join(path, 'loop'))
  return { path, remove: () => rmSync(base, { recursive: true }) }
}
