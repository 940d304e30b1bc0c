import { describe, expect, it } from 'vitest'
import type { CheckResult, ResultDocument } from '../../harness/vocabulary/index.ts'
import { curlCommand, runCommand } from './repeat.ts'
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

describe('the request as curl', () => {
  it('is the request that contradicts the documents, without its token', () => {
    expect(curlCommand(document, failed)).toMatch(/^curl -sS -i[\s\S]+'x-vault-token: '"\$ASSAY_TOKEN/)
  })

  it('is not shown if it was not recorded, or if a page would change its bytes', () => {
    const [mismatch] = failed.mismatches
    if (!mismatch) throw new Error('a failed check has a mismatch')
    const { exchange: _, ...unrecorded } = mismatch
    expect(curlCommand(document, { ...failed, mismatches: [unrecorded] })).toBeUndefined()
    const exchanges = failed.exchanges.map((one) => ({ ...one, requestBody: 'a\u202Eb' }))
    expect(curlCommand(document, { ...failed, exchanges })).toBeUndefined()
  })
})
