import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { validateResult, writeReports } from './formats.ts'
import { sampleDocument } from './render/sample-document.ts'

describe('writing reports', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'assay-formats-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('writes each format once, in the order asked for, into a new folder', async () => {
    const out = path.join(folder, 'a', 'b')
    const paths = await writeReports(
      sampleDocument(),
      ['badge', 'json', 'html', 'junit', 'markdown', 'sarif', 'json'],
      out,
    )
    const names = ['badge.svg', 'result.json', 'report.html', 'junit.xml', 'summary.md', 'assay.sarif']
    expect(paths).toEqual(names.map((name) => path.join(out, name)))
    expect(readdirSync(out).sort()).toEqual(names.sort())
    expect(validateResult(JSON.parse(readFileSync(path.join(out, 'result.json'), 'utf8')))).toEqual([])
  })

  it('replaces an earlier report and leaves no draft where it cannot', async () => {
    writeFileSync(path.join(folder, 'junit.xml'), 'earlier')
    mkdirSync(path.join(folder, 'summary.md'))
    await writeReports(sampleDocument(), ['junit'], folder)
    expect(readFileSync(path.join(folder, 'junit.xml'), 'utf8')).toMatch(/^<\?xml/)
    await expect(writeReports(sampleDocument(), ['markdown'], folder)).rejects.toThrow(/EISDIR|directory/)
    expect(readdirSync(folder).sort()).toEqual(['junit.xml', 'summary.md'])
  })
})
