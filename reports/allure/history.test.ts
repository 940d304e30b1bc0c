import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sampleDocument } from '../render/sample/document.ts'
import { copyHistory, nameRun } from './history.ts'

const folderOf = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-allure-history-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
const point = (uuid: string): string => JSON.stringify({ uuid, testResults: {} })
const document = sampleDocument({ checks: 0 })

test('the lines of other runs are copied, and a damaged line is left out', () => {
  const folder = folderOf()
  const from = join(folder, 'from')
  writeFileSync(from, [point('a'), '{"uuid": "cut off', point(document.run.id), 'null', '1', '', point('b')].join('\n'))
  copyHistory(from, join(folder, 'to'), document)
  expect(readFileSync(join(folder, 'to'), 'utf8')).toBe(`${point('a')}\n${point('b')}\n`)
})

test('a folder without a history starts with an empty one', () => {
  const folder = folderOf()
  const to = join(folder, 'to')
  copyHistory(join(folder, 'none'), to, document)
  expect(readFileSync(to, 'utf8')).toBe('')
  nameRun(to, document)
  expect(readFileSync(to, 'utf8')).toBe('')
})

test('a named pipe in place of the history hangs nothing, and a new history begins', () => {
  const folder = folderOf()
  const from = join(folder, 'from')
  execFileSync('mkfifo', [from])
  copyHistory(from, join(folder, 'to'), document)
  expect(readFileSync(join(folder, 'to'), 'utf8')).toBe('')
})
