/** Checks the examples that split a run over several machines against the schemas of GitLab and Kubernetes. actionlint
 * checks the workflow for GitHub. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { mergeCommand } from './commands/merge.ts'
import type { Terminal } from './commands/output/terminal.ts'
import { runCommand } from './commands/run.ts'
import { loadProfile } from './profile/profile.ts'
import { kubernetesSchema } from './whole-runs/kubernetes.test-bed.ts'

const root = resolve(import.meta.dirname, '..')
const textOf = (file: string): string => readFileSync(join(root, 'fixtures/examples', file), 'utf8')

const ajv = new Ajv({ strict: false, allErrors: true })
ajvFormats.default(ajv)
const isGitlab = ajv.compile(JSON.parse(readFileSync(join(root, 'reports/schemas/gitlab-ci.schema.json'), 'utf8')))
const isKubernetes = ajv.compile(kubernetesSchema)
const judged = (isValid: typeof isGitlab, value: unknown): unknown => (isValid(value) ? [] : isValid.errors)

interface Pod {
  readonly containers: readonly {
    readonly command: readonly string[]
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
  }[]
  readonly volumes: readonly { readonly name: string }[]
}

const objects = parseAllDocuments(textOf('kubernetes-job.yaml'), { version: '1.1' }).map((each) => each.toJS())
const pods: readonly Pod[] = objects.flatMap(({ spec }) => spec?.template?.spec ?? [])

test('the schema of GitLab accepts the pipeline, and rejects one with a wrong key', () => {
  const text = textOf('gitlab-ci.yml')
  expect(judged(isGitlab, parse(text))).toEqual([])
  expect(judged(isGitlab, parse(text.replace('codequality:', 'codquality:')))).not.toEqual([])
})

describe('for Kubernetes', () => {
  test('all objects are valid, without privileges and with a read-only root, and a field with a wrong name is rejected', () => {
    expect(objects).toHaveLength(4)
    for (const each of objects) expect(judged(isKubernetes, each)).toEqual([])
    const wrong = textOf('kubernetes-job.yaml').replace('readOnlyRootFilesystem', 'readonlyRootFilesystem')
    const [, , job] = parseAllDocuments(wrong, { version: '1.1' })
    expect(judged(isKubernetes, job?.toJS())).not.toEqual([])
  })

  test('each pod mounts the volumes that it defines, and there are as many shards as pods', () => {
    for (const { containers, volumes } of pods)
      expect(containers.flatMap(({ volumeMounts }) => volumeMounts.map(({ name }) => name)).sort()).toEqual(
        volumes.map(({ name }) => name).sort(),
      )
    const { completions, parallelism } = objects[2].spec
    expect([completions, parallelism]).toEqual([3, 3])
    expect(pods[0]?.containers[0]?.command.join()).toContain(`--shard "$shard/${completions}"`)
  })

  test('the token is in a file that the profile reads, and not in a command', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-examples-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const profile = objects[0].data['profile.yaml'].replace('/secret/token', join(folder, 'token'))
    writeFileSync(join(folder, 'token'), 's.0123456789\n')
    writeFileSync(join(folder, 'profile.yaml'), profile)
    expect(loadProfile(join(folder, 'profile.yaml'), {}).token).toBe('s.0123456789')
    for (const { containers } of pods) expect(JSON.stringify(containers)).not.toMatch(/token/i)
  })
})

/** Returns the calls of assay in a file, each as a list of words: `run --profile …`. */
const callsIn = (text: string): readonly (readonly string[])[] =>
  [...text.matchAll(/(?:npx assay|assay\.js) ((?:run|merge) .*)/g)].map(([, call = '']) =>
    call.replace(/ \|\| .*/, '').split(' '),
  )

test.each(['ci-gate.yml', 'github-shards.yml', 'gitlab-ci.yml', 'kubernetes-job.yaml'])(
  '%s uses only flags that exist',
  (file) => {
    const terminal = { env: {} } as unknown as Terminal
    const commands = [runCommand, mergeCommand].map((make) => make(terminal, () => {}))
    const calls = callsIn(textOf(file))
    expect(calls.length).toBeGreaterThan(0)
    for (const [name, ...words] of calls) {
      const known = commands.find((command) => command.name() === name)?.options.map(({ long }) => long)
      expect(known).toEqual(expect.arrayContaining(words.filter((word) => word.startsWith('--'))))
    }
  },
)
