import { expect, test } from 'vitest'
import { names } from '../rules/names.ts'
import { readTemplate, render } from './template.ts'

const sources = {
  clock: { now: () => 1_700_000_000_500 },
  random: { token: (length: number) => 'r'.repeat(length), uuid: () => 'u-u' },
}
const inputs = { Type: 'IAM', DisplayName: 'token-app', PolicyName: 'deploy' }
const shown = (source: string, more: Partial<typeof inputs> = {}): string =>
  render(source, { ...inputs, ...more }, sources)

test.each([
  ['plain text', 'plain', 'plain'],
  ['inputs', '{{.DisplayName}}-{{ .PolicyName }}', 'token-app-deploy'],
  ['inputs in parentheses', '{{ (.PolicyName) }}', 'deploy'],
  ['random', '{{random 8}}', 'rrrrrrrr'],
  ['unix_time', '{{ unix_time }}', '1700000000'],
  [
    'timestamp',
    '{{ timestamp "2006-01-02T15:04:05Z07:00 Monday _2 Jan 06, 3:4 PM .000" }}',
    '2023-11-14T22:13:20Z Tuesday 14 Nov 23, 10:13 PM .500',
  ],
  ['unix_time in parentheses', '{{ (unix_time) }}', '1700000000'],
  ['printf with a pipe', '{{ printf "%s-%s" (.DisplayName) (.PolicyName) | truncate 12 }}', 'token-app-de'],
  ['a condition that is true', '{{ if (eq .Type "IAM") }}yes{{ else }}no{{ end }}', 'yes'],
  ['else if', '{{if eq .Type "STS"}}a{{else if eq .Type "IAM"}}b{{else}}c{{end}}', 'b'],
  ['an unknown name in a condition', '{{if true_}}{{end}}', undefined],
  ['nested conditions', '{{if .Type}}{{if not .DisplayName}}a{{else}}b{{end}}{{end}}', 'b'],
  ['trimming', 'a {{- " b " -}} c', 'a b c'],
  ['comments', 'a{{/* nothing */}}b', 'ab'],
  ['replace and case', '{{ .DisplayName | replace "-" "_" | uppercase }}', 'TOKEN_APP'],
  ['truncate_sha256', '{{ printf "%s%s" .DisplayName .PolicyName | truncate_sha256 12 }}', /^toke[0-9a-f]{8}$/],
])('%s', (_, source, expected) => {
  if (expected === undefined) expect(() => readTemplate(source)).toThrow('not known')
  else if (typeof expected === 'string') expect(shown(source)).toBe(expected)
  else expect(shown(source)).toMatch(expected)
})

test.each([
  ['{{ .Type', 'not closed'],
  ['{{ .Secret }}', 'is not one of'],
  ['{{ exec "ls" }}', 'not known'],
  ['{{ random }}', 'arguments'],
  ['{{ if .Type }}a', 'no {{end}}'],
  ['a{{ end }}', 'no {{if}}'],
  ['{{ ( .Type }}', ') is missing'],
  ['{{ .Type | .Type }}', 'no function'],
  ['{{ ? }}', 'not understood'],
])('refuses %s', (source, message) => {
  expect(() => readTemplate(source)).toThrow(message)
})

test.each([
  ['IAM', 64],
  ['STS', 32],
])('the default template respects the length limit of %s', (Type, longest) => {
  const long = { Type, DisplayName: 'd'.repeat(200), PolicyName: 'p'.repeat(200) }
  expect(shown(names.defaultTemplate, long).length).toBeLessThanOrEqual(longest)
})
