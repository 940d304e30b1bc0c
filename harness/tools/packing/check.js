/** `npm run check:package` packs the package and checks it with two linters. It is not TypeScript, because then
 * every compilation of the project would need the types of the linters. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'

const root = resolve(import.meta.dirname, '../../..')

/** Problems that are intended: the package has only ES modules, and `exports`, which Node 10 does not support. */
const intended = new Set(['NoResolution node10', 'CJSResolvesToESM node16-cjs'])

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
      .filter((one) => !intended.has(`${one.kind} ${'resolutionKind' in one ? one.resolutionKind : ''}`))
      .map((one) => `types: ${JSON.stringify(one)}`),
  ]
  for (const line of found) process.stdout.write(`${line}\n`)
  process.stdout.write(`${filename}: ${found.length === 0 ? 'no problems' : `${found.length} problems`}\n`)
  process.exitCode = found.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
