import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeReports } from '../../../reports/formats.ts'
import { checkResult, sampleResult } from './sample-results.test-bed.ts'
import type { Terminal } from './terminal.ts'
import { writeAnew } from './written-reports.ts'

const document = sampleResult({ checks: [checkResult('a', 'pass')] })
let place: string
let messages: string[]
const terminal = { say: (line: string) => void messages.push(line) } as unknown as Terminal
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'assay-written-'))
  messages = []
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

const fault = (code: string) => Object.assign(new Error(code), { code, syscall: 'write' })

test.each(['ENOSPC', 'EROFS', 'EDQUOT'])('if the folder fails with %s, reports go to a temporary one', async (code) => {
  writeFileSync(join(place, 'result.json'), '{}')
  const paths = await writeAnew(document, ['junit'], place, terminal, {
    async write(...args) {
      if (args[2] === place) throw fault(code)
      return writeReports(...args)
    },
  })
  const folder = dirname(paths[0] ?? '')
  try {
    expect(messages).toEqual([
      `WARNING: the reports cannot be written to ${place} (${code})`,
      `WARNING: the reports of this run are in ${folder}`,
    ])
    expect(readdirSync(folder).sort()).toEqual(['junit.xml', 'result.json'])
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('Allure is written last, and each report is named as soon as it is written', async () => {
  const told: string[] = []
  await writeAnew(document, ['allure', 'junit'], place, terminal, {
    written: (file) => void told.push(file),
    slowBegins: (formats) => void told.push(`begins: ${formats}`),
    async write(_, formats, folder, { written } = {}) {
      for (const format of formats) written?.(format)
      return formats.map((format) => join(folder, format))
    },
  })
  expect(told).toEqual(['json', 'junit', 'begins: allure', 'allure'])
})

test('the result is written first, and stays if another report cannot be written', async () => {
  const asked: (readonly string[])[] = []
  const paths = await writeAnew(document, ['junit'], place, terminal, {
    async write(...args) {
      asked.push(args[1])
      if (args[2] === place && args[1].includes('junit')) throw fault('ENOSPC')
      return writeReports(...args)
    },
  })
  const [result, junit = ''] = paths
  try {
    expect(asked).toEqual([['json'], ['junit'], ['junit']])
    expect([result, readdirSync(place)]).toEqual([join(place, 'result.json'), ['result.json']])
    expect(readdirSync(dirname(junit))).toEqual(['junit.xml'])
    expect(messages.some((message) => message.includes('from an earlier run'))).toBe(false)
  } finally {
    rmSync(dirname(junit), { recursive: true })
  }
})

test('returns no paths if nothing can be written', async () => {
  const paths = await writeAnew(document, [], place, terminal, {
    async write() {
      throw fault('ENOSPC')
    },
  })
  expect(paths).toEqual([])
  expect(messages.at(-1)).toBe(
    `WARNING: the reports cannot be written below ${tmpdir()} either (ENOSPC): they are lost`,
  )
})

test('a defect of a renderer is not hidden', async () => {
  const defect = writeAnew(document, [], place, terminal, {
    async write() {
      throw new TypeError('no such field')
    },
  })
  await expect(defect).rejects.toThrow('no such field')
})
