import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { openTerminal } from './terminal.ts'

function opened(isTTY: boolean) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  Object.assign(stderr, { isTTY, columns: 20 })
  const streams = { stdout, stderr } as unknown as Parameters<typeof openTerminal>[0]
  const terminal = openTerminal(streams, {}, new AbortController().signal)
  return { terminal, said: () => String(stderr.read() ?? ''), told: () => String(stdout.read() ?? '') }
}

const hostile = '1.0\n::error::forged\r\u001b[2K\u001b[32mpass\u202e\u2028##[error]x'
const inert = '1.0\\n::error::forged\\r\\u001b[2K\\u001b[32mpass\\u202e\\u2028\\u0023#[error]x'

describe('what a target says', () => {
  test('stays on its line and cannot steer the terminal, on each way out', () => {
    const { terminal, said, told } = opened(true)
    terminal.out(hostile)
    terminal.painted(hostile.replace('\u001b[32m', ''))
    expect(told()).toBe(`${inert}\n${inert.replace('\\u001b[32m', '')}\n`)
    terminal.say(hostile)
    expect(said()).toBe(`${inert}\n`)
    terminal.live('a\nb\u202e')
    expect(said()).toBe('a\\nb\\u202e')
  })

  test('is the same value for whoever parses the JSON, and harmless to read', () => {
    const { terminal, told } = opened(true)
    terminal.json({ version: hostile, tag: '\u{e0041}\u009b' })
    const text = told()
    expect(JSON.parse(text)).toEqual({ version: hostile, tag: '\u{e0041}\u009b' })
    expect(text).toMatch(/^[\x20-\x7e]+\n$/)
    expect(text).not.toContain('##[')
  })
})

test('our own colours reach the terminal where they are asked for', () => {
  const { terminal, told } = opened(true)
  terminal.painted('\u001b[1m\u001b[31mnon-conformant\u001b[39m\u001b[22m  x\u001b[5m')
  expect(told()).toBe('\u001b[1m\u001b[31mnon-conformant\u001b[39m\u001b[22m  x\\u001b[5m\n')
})

test('our own texts keep their lines', () => {
  const { terminal, told } = opened(true)
  terminal.ownText('Usage:\n  assay')
  expect(told()).toBe('Usage:\n  assay\n')
})

test('the moving line is cut to the terminal and wiped before anything else is written', () => {
  const { terminal, said, told } = opened(true)
  terminal.live('twenty-five characters, no')
  terminal.say('done')
  terminal.out('result')
  expect(said()).toBe('twenty-five charact\r\u001b[2Kdone\n')
  expect(told()).toBe('result\n')
})

test('the result is as wide as the terminal, or as it likes in a file', () => {
  const streams = { stdout: Object.assign(new PassThrough(), { isTTY: true, columns: 40 }), stderr: new PassThrough() }
  const signal = new AbortController().signal
  expect(openTerminal(streams as unknown as Parameters<typeof openTerminal>[0], {}, signal).width).toBe(40)
  expect(opened(true).terminal.width).toBe(Number.POSITIVE_INFINITY)
})

test('a log gets no moving line', () => {
  const { terminal, said } = opened(false)
  terminal.live('moving')
  expect(said()).toBe('')
})
