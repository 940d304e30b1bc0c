/** Runs the script of the composite action as GitHub would, on the embedded reference server. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { patient } from './whole-runs/patience.test-bed.ts'

const root = resolve(import.meta.dirname, '..')
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))

interface Step {
  readonly id?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}
const steps: readonly Step[] = action.runs.steps
const judge = steps.find(({ id }) => id === 'judge')

function workspace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-action-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Runs the judging step with these inputs, and returns its exit code and its outputs. */
function judged(inputs: Readonly<Record<string, string>>, folder = workspace()) {
  const values: Record<string, string | undefined> = { ...inputs, out: join(folder, 'report') }
  const variables = Object.entries(judge?.env ?? {}).map(([name, value]) => {
    const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value) ?? []
    expect(Object.keys(action.inputs)).toContain(input)
    return [name, values[input] ?? ''] as const
  })
  const [outputs, summary] = ['outputs', 'summary'].map((name) => join(folder, name)) as [string, string]
  for (const file of [outputs, summary]) writeFileSync(file, '')
  const env = { ...Object.fromEntries(variables), PATH: process.env.PATH, GITHUB_ACTION_PATH: root }
  const files = { GITHUB_OUTPUT: outputs, GITHUB_STEP_SUMMARY: summary, ASSAY_STATE_DIR: join(folder, 'state') }
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', judge?.run ?? ''], {
    ...{ cwd: folder, env: { ...env, ...files }, encoding: 'utf8' as const, timeout: patient(60_000) },
  })
  const read = (file: string) => readFileSync(file, 'utf8')
  return {
    status,
    stdout,
    stderr,
    outputs: read(outputs),
    summary: read(summary),
    files: existsSync(join(folder, 'report')),
  }
}

const one = 'policies/errors/acl-create-without-policy-is-refused'

test('a run writes verdict, exit code, summary and reports', () => {
  const { status, outputs, summary, files } = judged({
    target: 'embedded',
    area: 'policies',
    arguments: `--check ${one} --jobs 1`,
  })
  expect([status, outputs, files]).toEqual([0, 'exit-code=0\nverdict=conformant\n', true])
  expect(summary).toMatch(/conformant/i)
})

test('without a target and a profile, as where a secret is missing, nothing is judged', () => {
  const { status, stderr, outputs } = judged({ area: 'policies' })
  expect([status, outputs]).toEqual([2, 'exit-code=2\n'])
  expect(stderr).toContain('the address is empty')
})

test('an input cannot end the script, and a wrong one fails the step', () => {
  const { status, stdout, outputs } = judged({ target: 'embedded', area: '"; echo taken; #' })
  expect([status, outputs]).toEqual([2, 'exit-code=2\n'])
  expect(stdout).not.toMatch(/^taken$/m)
})

test('a run that cannot judge publishes nothing of an earlier run in the same folder', () => {
  const folder = workspace()
  mkdirSync(join(folder, 'report'))
  for (const name of ['result.json', 'annotations.txt', 'summary.md']) writeFileSync(join(folder, 'report', name), '{}')
  const { status, stdout, outputs, summary } = judged({ target: 'embedded', accept: 'none.yaml' }, folder)
  expect([status, outputs, summary]).toEqual([2, 'exit-code=2\nearlier=true\n', ''])
  expect(stdout).not.toContain('{}')
  const [upload] = action.runs.steps.filter(({ uses = '' }: { uses?: string }) => uses.includes('upload-artifact'))
  expect(upload.if).toContain("steps.judge.outputs.earlier != 'true'")
})
