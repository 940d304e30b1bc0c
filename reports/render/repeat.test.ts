import { describe, expect, it } from 'vitest'
import type { CheckResult, ResultDocument } from '../../harness/vocabulary/index.ts'
import { curlCommands, runCommand } from './repeat.ts'
import { sampleDocument } from './sample/document.ts'

const document = sampleDocument()
const failed = document.checks.find(({ verdict }) => verdict === 'fail') as CheckResult
const at = (target: Partial<ResultDocument['target']>): ResultDocument => ({
  ...document,
  target: { ...document.target, ...target },
})

describe('the command that judges a check again', () => {
  const ranBy = (command: string): ResultDocument => {
    const conditions = { command } as ResultDocument['run']['conditions']
    return { ...document, run: { ...document.run, conditions } as ResultDocument['run'] }
  }
  const given = '--target https://secrets.staging.example:8200'

  it('names the check, and what described the target of the run, so that headers and certificates are the same', () => {
    const profile = "--profile 'my profile.yaml' --insecure"
    const command = (words: string): string => `npx assay run ${words} --area pki --level should --seed 1`
    expect(runCommand(ranBy(command(profile)), failed)).toBe(`npx assay run ${profile} --check ${failed.id}`)
    const evaluated = command("--profile $(id) --ca-cert 'a'$(id)'b'")
    expect(runCommand(ranBy(evaluated), failed)).toBe(`npx assay run ${given} --check ${failed.id}`)
  })

  it('names the embedded server by its word, which needs no permission for disruptive checks', () => {
    expect(runCommand(at({ name: 'reference server' }), { ...failed, safety: 'disruptive' })).toBe(
      `npx assay run embedded --check ${failed.id}`,
    )
  })

  it('quotes each value for any shell, and includes the flags that the run needed', () => {
    const target = { ...document.target, url: "https://x/$(id)'", insecure: true }
    const command = runCommand({ ...ranBy(''), target }, { ...failed, safety: 'disruptive' })
    expect(command).toMatch(/--target 'https:\/\/x\/\$\(id\)'\\''' --insecure --check .* --safety disruptive/)
  })
})

describe('the requests as curl', () => {
  it('end with the one that contradicts the documents, without a token', () => {
    const commands = curlCommands(document, failed)
    const last = failed.exchanges[failed.mismatches[0]?.exchange ?? -1]
    expect(commands).toMatch(/^curl -sS -i[\s\S]+'x-vault-token: '"\$ASSAY_TOKEN/)
    expect(commands?.split(/^curl/m).at(-1)).toContain(`'${last?.url}'`)
  })

  it('are all that the check sent until then, and none that took back what it made', () => {
    const [first] = failed.exchanges
    if (!first) throw new Error('a failed check has sent something')
    const exchanges = (['given', 'when', 'then', 'undo'] as const).map((phase) => ({
      ...{ ...first, phase, url: `https://x/${phase}` },
    }))
    const mismatches = failed.mismatches.slice(0, 1).map((one) => ({ ...one, exchange: 2 }))
    const found = (curlCommands(document, { ...failed, exchanges, mismatches }) ?? '').matchAll(/https:\/\/x\/(\w+)/g)
    expect([...found].map(([, phase]) => phase)).toEqual(['given', 'when', 'then'])
    const long = exchanges.map((one) => ({ ...one, url: `${one.url}?${'a'.repeat(2000)}` }))
    expect(curlCommands(document, { ...failed, exchanges: long, mismatches })).toMatch(/^curl.*https:\/\/x\/then/s)
  })

  it('are not shown if they were not recorded, or if a page would change its bytes', () => {
    const [mismatch] = failed.mismatches
    if (!mismatch) throw new Error('a failed check has a mismatch')
    const { exchange: _, ...unrecorded } = mismatch
    expect(curlCommands(document, { ...failed, mismatches: [unrecorded] })).toBeUndefined()
    const exchanges = failed.exchanges.map((one) => ({ ...one, requestBody: 'a\u202Eb' }))
    expect(curlCommands(document, { ...failed, exchanges })).toBeUndefined()
  })
})
