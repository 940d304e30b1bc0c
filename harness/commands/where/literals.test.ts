// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how patterns are written
import { describe, expect, test } from 'vitest'
import { literalsOf, weightOf } from './literals.ts'

const bestLine = (source: string, id: string): number | undefined =>
  literalsOf(source)
    .map((literal) => ({ line: literal.line, weight: weightOf(literal, id) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)[0]?.line

describe('an id in the text of a file', () => {
  test.each([
    ["check('list-is-empty', {", 1],
    ['// the id is `list-is-empty`\n/** or\n * `list-is-empty` */', undefined],
    ["check(`${kind}-is-empty`, {\n'list-is-empty'", 2],
    ['`${kind}-is-emptied`\n`${one}-is-empty`', 2],
    ["'{kind}-is-empty'", 1],
    ['`list-is-${what}`', 1],
    ['`${one}-is-empty-${other}`', undefined],
    ['`list-is-empty${other}`', undefined],
    ['`${one}-${other}`', undefined],
    ['`${kind}s-is-empty` `${a}-is-${b}`', undefined],
  ])('%j: line %s', (source, line) => expect(bestLine(source, 'list-is-empty')).toBe(line))
})
