import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { harmless, openTerminal } from './terminal.ts'

function opened(isTTY: boolean) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  Object.assign(stderr, { isTTY, columns: 20 })
  const streams = { stdout, stderr } as unknown as Parameters<typeof openTerminal>[0]
  const terminal = openTerminal(streams, {}, new AbortController().signal)
  return { terminal, said: () => String(stderr.read() ?? ''), told: () => String(stdout.read() ?? '') }
}

test('what a target says cannot steer the terminal', () => {
  expect(harmless('a\u001b[2Jb\u001b]0;title\u0007c\u009bd\te\nf')).toBe('a�[2Jb�]0;title�c�d\te\nf')
  expect(harmless('\u001b[32mgreen\u001b[39m')).toBe('\u001b[32mgreen\u001b[39m')
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
