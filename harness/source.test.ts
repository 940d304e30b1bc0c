/** Checks types, lint and format of all code. It runs parallel to the other tests, because both tools are separate
 * processes; one of them at a time, and with one thread, because together they would need the most memory of all tests. */
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const bin = join(root, 'node_modules/.bin')

function outcomeOf(
  command: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(join(bin, command), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  // Other tests measure time, so these processes get a lower priority; with the lowest one they could outlast all others.
  if (child.pid !== undefined) setPriority(child.pid, 4)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', (code) => done({ code, output: code === 0 ? '' : output }))
  })
}

test.each([
  ['types', 'tsc', ['--noEmit', '--singleThreaded']],
  // `package.test.ts` builds what is packed, with its declarations.
  ['types of the page in the report', 'tsc', ['--project', 'reports/render/html/page', '--singleThreaded']],
  ['lint and format', 'biome', ['check', '--error-on-warnings', '--max-diagnostics=50', '.']],
] as const)('%s: no finding', async (_, command, args) => {
  expect(await outcomeOf(command, args)).toEqual({ code: 0, output: '' })
})
