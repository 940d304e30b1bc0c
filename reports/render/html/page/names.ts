/** Shows the throw-away names of a run by the word they stand for, with the full name on hover. */
import { visible } from '../../escape.ts'
import { type Names, shownAs } from '../../names-in-words.ts'
import { throwAwayName, withoutThrowAway } from '../../throw-away.ts'
import { type Child, el } from './element.ts'

export type { Names }

/** Converts a text of the target or of a request: each throw-away name becomes its word. The name of another check also
 * shows the number of that check. */
export function named(text: string, names: Names = {}): Child[] {
  const own = numberIn(names)
  const children: Child[] = []
  let end = 0
  for (const match of text.matchAll(throwAwayName)) {
    const [name, number = '', word = ''] = match
    children.push(visible(text.slice(end, match.index)))
    const other = own !== undefined && own !== number ? ` of check ${number}` : ''
    children.push(el('abbr', { class: 'made', title: name }, `‹${word}${other}›`))
    end = match.index + name.length
  }
  children.push(visible(text.slice(end)))
  return children
}

/** Returns the number of the check, which is part of each name that it made. */
function numberIn(names: Names): string | undefined {
  for (const value of Object.values(names)) {
    const [match] = value.matchAll(throwAwayName)
    if (match) return match[1]
  }
  return undefined
}

/** Converts words of the suite, in which code is set in backquotes, and fills in the values of this run, such as that
 * of `{policy}`. */
export function filled(text: string, names: Names = {}): Child[] {
  return text.split(/`([^`]+)`/).flatMap((part, at): Child[] => {
    if (at % 2 === 0) return filledPart(part, names)
    const value = Object.hasOwn(names, part) ? names[part] : undefined
    return value === undefined
      ? [el('code', {}, ...filledPart(part, names))]
      : [el('code', {}, el('abbr', { class: 'made', title: value }, visible(part)))]
  })
}

const template = /\{([A-Za-z][\w-]*)\}/

const filledPart = (text: string, names: Names): Child[] =>
  text.split(template).flatMap((part, at): Child[] => {
    if (at % 2 === 0) return named(part, names)
    const { text, isValue } = shownAs(part, names)
    if (isValue) return named(text, names)
    const value = Object.hasOwn(names, part) ? names[part] : undefined
    return [value === undefined ? visible(text) : el('abbr', { class: 'made', title: value }, visible(text))]
  })

/** Returns the names that the words use, and the throw-away names of the check, with their values. */
export function namesIn(words: readonly string[], names: Names = {}): readonly (readonly [string, string])[] {
  const isUsed = (name: string): boolean =>
    words.some((one) => one.includes(`{${name}}`) || one.includes(`\`${name}\``))
  return Object.entries(names).filter(([name, value]) => isUsed(name) || withoutThrowAway(value) !== value)
}
