import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { openTerminal } from './terminal.ts'

function opened(isTTY: boolean) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  Object.assign(stderr, { isTTY, columns: 20 })
  const streams = { stdout, stderr } as unknown as Parameters<typeof openTerminal>[0]
  const terminal = openTerminal(streams, {}, new AbortController().signal)
  return { terminal, logged: () => String(stderr.read() ?? ''), printed: () => String(stdout.read() ?? '') }
}

const hostile = '1.0\n::error::forged\r\u001b[2K\u001b[32mpass\u202e\u2028##[error]x'
const inert = '1.0\\n::error::forged\\r\\u001b[2K\\u001b[32mpass\\u202e\\u2028\\u0023#[error]x'

describe('a text from a target', () => {
  test('stays on its line and cannot steer the terminal, whichever method writes it', () => {
    const { terminal, logged, printed } = opened(true)
    terminal.out(hostile)
    terminal.painted(hostile.replace('\u001b[32m', ''))
    expect(printed()).toBe(`${inert}\n${inert.replace('\\u001b[32m', '')}\n`)
    terminal.say(hostile)
    expect(logged()).toBe(`${inert}\n`)
    terminal.live('a\nb\u202e')
    expect(logged()).toBe('a\\nb\\u202e')
  })

  test('is harmless as JSON, and parses to the same value', () => {
    const { terminal, printed } = opened(true)
    terminal.json({ version: hostile, tag: '\u{e0041}\u009b' })
    const text = printed()
    expect(JSON.parse(text)).toEqual({ version: hostile, tag: '\u{e0041}\u009b' })
    expect(text).toMatch(/^[\x20-\x7e]+\n$/)
    expect(text).not.toContain('##[')
  })
})

test('our own colours reach the terminal', () => {
  const { terminal, printed } = opened(true)
  terminal.painted('\u001b[1m\u001b[31mnon-conformant\u001b[39m\u001b[22m  x\u001b[5m')
  expect(printed()).toBe('\u001b[1m\u001b[31mnon-conformant\u001b[39m\u001b[22m  x\\u001b[5m\n')
})

test('our own texts keep their line breaks', () => {
  const { terminal, printed } = opened(true)
  terminal.ownText('Usage:\n  assay')
  expect(printed()).toBe('Usage:\n  assay\n')
})

test('the progress line is truncated to the width of the terminal and cleared before anything else is written', () => {
  const { terminal, logged, printed } = opened(true)
  terminal.live('twenty-five characters, no')
  terminal.say('done')
  terminal.out('result')
  expect(logged()).toBe('twenty-five charact\r\u001b[2Kdone\n')
  expect(printed()).toBe('result\n')
})

test('the width is that of the terminal, and unlimited in a file', () => {
  const streams = { stdout: Object.assign(new PassThrough(), { isTTY: true, columns: 40 }), stderr: new PassThrough() }
  const signal = new AbortController().signal
  expect(openTerminal(streams as unknown as Parameters<typeof openTerminal>[0], {}, signal).width).toBe(40)
  expect(opened(true).terminal.width).toBe(Number.POSITIVE_INFINITY)
})

test('a log gets no progress line', () => {
  const { terminal, logged } = opened(false)
  terminal.live('moving')
  expect(logged()).toBe('')
})
