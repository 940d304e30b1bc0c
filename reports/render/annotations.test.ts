import { expect, test } from 'vitest'
import { renderAnnotations } from './annotations.ts'
import { commandMessage, commandProperty } from './escape.ts'
import { sampleDocument } from './sample/document.ts'

/** Parses a file as the runner of GitHub does: a command counts only at the start of a line, and its properties end at
 * a colon. */
function commandsIn(text: string) {
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => line !== '')
    .map((line) => {
      const [, command, properties = '', message] = /^::([a-z]+)(?: (.*?))?::(.*)$/.exec(line) ?? []
      const decoded = (value: string): string =>
        value.replace(/%(25|0D|0A|3A|2C)/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      return { command, properties: properties.split(',').map(decoded), message: decoded(message ?? '') }
    })
}

test('the verdict comes first, then as many causes as GitHub shows', () => {
  const document = sampleDocument({ checks: 1000 })
  const [first, ...causes] = commandsIn(renderAnnotations(document))
  expect(first).toMatchObject({ command: 'error', properties: [`title=Assay – ${document.verdict.title}`] })
  expect(first?.message).toContain(document.verdict.headline)
  const of = (word: string) => causes.filter(({ command }) => command === word).length
  expect(of('error')).toBeLessThanOrEqual(9)
  expect(of('error')).toBeGreaterThan(0)
  expect(of('warning')).toBeLessThanOrEqual(10)
  const worst = document.causes[0]
  expect(causes[0]?.message).toContain(worst?.says)
  expect(causes[0]?.message).toContain(worst?.checks[0])
})

test('a green run is a notice', () => {
  const [first] = commandsIn(renderAnnotations(sampleDocument({ outcome: 'conformant' })))
  expect(first?.command).toBe('notice')
})

const forged =
  'a%0A::error::b\n::set-env name=PATH::/tmp\r\n::add-mask::x\u2028::stop-commands::y ##[error]z, 100 %: \u0000\u001b[31m'

test('an escaped text is one line, and only dangerous characters differ', () => {
  for (const escaped of [commandMessage(forged), commandProperty(forged)])
    expect(escaped).not.toMatch(/[\p{Cc}\u2028]/u)
  expect(commandMessage('100 % of a:b, c')).toBe('100 %25 of a:b, c')
  expect(commandProperty('100 % of a:b, c')).toBe('100 %25 of a%3Ab%2C c')
})

test('a target cannot forge a command', () => {
  const document = sampleDocument({ checks: 200, hostile: true })
  const text = renderAnnotations({
    ...document,
    verdict: { ...document.verdict, title: forged, headline: forged },
    causes: document.causes.map((cause) => ({ ...cause, says: forged, mend: forged })),
    checks: document.checks.map((check) => ({ ...check, id: `${check.id}${forged}`, topic: check.topic })),
  })
  expect(text).not.toMatch(/##\[/)
  for (const { command, properties, message } of commandsIn(text)) {
    expect(['error', 'warning', 'notice']).toContain(command)
    expect(properties).toHaveLength(1)
    expect(properties[0]).toMatch(/^title=/)
    expect(message).toContain('a%0A::error::b ::set-env')
  }
})
