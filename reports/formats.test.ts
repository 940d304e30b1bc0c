import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Disk } from '../harness/safety/files.ts'
import { validateResult, writeReports } from './formats.ts'
import { sampleDocument } from './render/sample/document.ts'

/** Returns a disk that fills up while the draft of this file is written. */
const diskFullAt = (name: string): Disk => ({
  async open(...args) {
    const handle = await open(...args)
    if (path.basename(String(args[0])).startsWith(name))
      handle.writeFile = async () => {
        await handle.write('half')
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: 'write' })
      }
    return handle
  },
})

describe('writing reports', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'assay-formats-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('writes each format once, in the requested order, into a new folder', async () => {
    const out = path.join(folder, 'a', 'b')
    const paths = await writeReports(
      sampleDocument(),
      ['badge', 'json', 'html', 'junit', 'markdown', 'sarif', 'codequality', 'github', 'json'],
      out,
    )
    const names = ['badge.svg', 'result.json', 'report.html', 'junit.xml', 'summary.md', 'assay.sarif']
    names.push('gl-code-quality-report.json', 'annotations.txt')
    expect(paths).toEqual(names.map((name) => path.join(out, name)))
    expect(readdirSync(out).sort()).toEqual(names.sort())
    expect(validateResult(JSON.parse(readFileSync(path.join(out, 'result.json'), 'utf8')))).toEqual([])
  })

  it('replaces an earlier report, and leaves no draft behind if it cannot', async () => {
    writeFileSync(path.join(folder, 'junit.xml'), 'earlier')
    mkdirSync(path.join(folder, 'summary.md'))
    await writeReports(sampleDocument(), ['junit'], folder)
    expect(readFileSync(path.join(folder, 'junit.xml'), 'utf8')).toMatch(/^<\?xml/)
    await expect(writeReports(sampleDocument(), ['markdown'], folder)).rejects.toThrow(/EISDIR|directory/)
    expect(readdirSync(folder).sort()).toEqual(['junit.xml', 'summary.md'])
  })

  it('keeps all reports of an earlier run if the disk fills up while the new ones are written', async () => {
    for (const name of ['result.json', 'report.html']) writeFileSync(path.join(folder, name), 'earlier')
    const disk = diskFullAt('report.html')
    await expect(writeReports(sampleDocument(), ['json', 'html'], folder, { disk })).rejects.toThrow('ENOSPC')
    expect(readdirSync(folder).sort()).toEqual(['report.html', 'result.json'])
    for (const name of readdirSync(folder)) expect(readFileSync(path.join(folder, name), 'utf8')).toBe('earlier')
  })

  it('writes files that only the current account can read', async () => {
    const out = path.join(folder, 'out')
    await writeReports(sampleDocument({ checks: 2 }), ['json', 'html', 'sarif'], out)
    for (const name of readdirSync(out)) expect(modeOf(path.join(out, name))).toBe('600')
    expect(modeOf(out)).toBe('700')
  })
})

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8)
