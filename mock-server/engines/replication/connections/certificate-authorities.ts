/** Reads the certificate authorities that a cluster trusts when it asks its future primary for credentials. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refuse } from '../../../kernel/http/refusal.ts'

function readPem(file: string): string {
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    refuse(`error reading CA file ${file}: ${(error as NodeJS.ErrnoException).code}`)
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----')) refuse(`no PEM certificate in ${file}`)
  return text
}

function readFolder(folder: string): readonly string[] {
  let names: readonly string[] = []
  try {
    names = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => name)
  } catch (error) {
    refuse(`error reading CA path ${folder}: ${(error as NodeJS.ErrnoException).code}`)
  }
  if (names.length === 0) refuse(`no file in CA path ${folder}`)
  return names.map((name) => readPem(join(folder, name)))
}

/** Returns the certificate authorities as PEM, or undefined to use those of the system. */
export function readAuthorities(given: {
  readonly file: string
  readonly path: string
}): readonly string[] | undefined {
  if (given.file === '' && given.path === '') return undefined
  return [...(given.file === '' ? [] : [readPem(given.file)]), ...(given.path === '' ? [] : readFolder(given.path))]
}

export function systemRoots(): string[] {
  const { getCACertificates } = process.getBuiltinModule('node:tls')
  return [...getCACertificates('default'), ...getCACertificates('system')]
}
