import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reportFormats, writeReports } from './formats.ts'
import { sampleDocument } from './render/sample/document.ts'
import { removeStale } from './stale.ts'

/** This file is not a report and must stay: it holds the history of earlier runs. */
const historyFile = 'allure-history.jsonl'

describe('reports of an earlier run', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'assay-stale-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('are removed, in every format that is not written again, whatever the name of the target is', async () => {
    const document = sampleDocument()
    await writeReports({ ...document, target: { ...document.target, name: 'ä&<'.repeat(500) } }, reportFormats, folder)
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
      'openmetrics',
      'sarif',
    ])
    expect(readdirSync(folder).sort()).toEqual([historyFile, 'junit.xml', 'result.json'])
  })

  it('stay if they may belong to someone else, and are reported as left', async () => {
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

  it('are not found in a folder that is empty or does not exist', async () => {
    expect(await removeStale(folder, [])).toEqual({ removed: [], left: [] })
    expect(await removeStale(path.join(folder, 'none'), [])).toEqual({ removed: [], left: [] })
  })
})
