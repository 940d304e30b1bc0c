import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reportFormats, writeReports } from './formats.ts'
import { sampleDocument } from './render/sample-document.ts'
import { removeStale } from './stale.ts'

/** It is no report, and what it knows would be lost. */
const historyFile = 'allure-history.jsonl'

describe('reports of an earlier run', { timeout: 30_000 }, () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'assay-stale-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('go, in every format that is not written anew', async () => {
    await writeReports(sampleDocument(), reportFormats, folder)
    const { removed, left } = await removeStale(folder, ['json', 'junit'])
    expect(left).toEqual([])
    expect([...removed].sort()).toEqual([
      'allure',
      'badge',
      'codequality',
      'coverage',
      'github',
      'html',
      'markdown',
      'sarif',
    ])
    expect(readdirSync(folder).sort()).toEqual([historyFile, 'junit.xml', 'result.json'])
  })

  it('go, whatever the target is called', async () => {
    const document = sampleDocument()
    await writeReports({ ...document, target: { ...document.target, name: 'ä&<'.repeat(500) } }, reportFormats, folder)
    expect((await removeStale(folder, ['json'])).left).toEqual([])
    expect(readdirSync(folder).sort()).toEqual([historyFile, 'result.json'])
  })

  it('stay where they may be someone else’s, which is said', async () => {
    for (const name of ['summary.md', 'badge.svg', 'allure-report.html', 'own.txt'])
      writeFileSync(path.join(folder, name), 'own')
    mkdirSync(path.join(folder, 'junit.xml'))
    const { removed, left } = await removeStale(folder, ['json'])
    expect(removed).toEqual([])
    expect(left.map((file) => path.basename(file)).sort()).toEqual([
      'allure-report.html',
      'badge.svg',
      'junit.xml',
      'summary.md',
    ])
    expect(existsSync(path.join(folder, 'summary.md'))).toBe(true)
  })

  it('are none in a folder that is empty, or that is not there', async () => {
    expect(await removeStale(folder, [])).toEqual({ removed: [], left: [] })
    expect(await removeStale(path.join(folder, 'none'), [])).toEqual({ removed: [], left: [] })
  })
})
