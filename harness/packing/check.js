/** `npm run check:package`: packs, and has two linters of packages judge what came of it. It is no TypeScript, since their types
 * would be asked for wherever the project is compiled. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'

const root = resolve(import.meta.dirname, '../..')

/** The package has ES modules only, and `exports`, which Node 10 did not know. */
const meant = new Set(['NoResolution node10', 'CJSResolvesToESM node16-cjs'])

const folder = mkdtempSync(join(tmpdir(), 'assay-pack-'))
try {
  const packing = ['pack', '--json', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(execFileSync('npm', packing, { cwd: root, encoding: 'utf8' }))
  const packed = readFileSync(join(folder, filename))
  const tarball = packed.buffer.slice(packed.byteOffset, packed.byteOffset + packed.byteLength)
  const { messages } = await publint({ pack: { tarball } })
  const types = await checkPackage(createPackageFromTarballData(new Uint8Array(packed)))
  const problems = types.types === false ? [{ kind: 'no types' }] : types.problems
  const found = [
    ...messages.map(({ code, path }) => `publint: ${code} at ${path.join('.')}`),
    ...problems
      .filter((one) => !meant.has(`${one.kind} ${'resolutionKind' in one ? one.resolutionKind : ''}`))
      .map((one) => `types: ${JSON.stringify(one)}`),
  ]
  for (const line of found) process.stdout.write(`${line}\n`)
  process.stdout.write(`${filename}: ${found.length === 0 ? 'nothing found' : `${found.length} found`}\n`)
  process.exitCode = found.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
