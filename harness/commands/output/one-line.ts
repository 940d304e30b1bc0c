/** Escapes texts so that they stay on one line of a console. A text from a target must not start a new line, steer the
 * terminal, or be read as a command by the CI system that collects the output. */

/** Control characters, line and paragraph separators, bidi marks, and all other characters without a glyph. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escaped = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return shortEscapes[character] ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`)
}

/** GitHub reads `::` at the start of a line as a command, and `##[` anywhere in a line; Azure reads `##vso[`, TeamCity
 * `##teamcity[`. */
const commandAtStart = /^(\s*):(?=:)/
const commandAnywhere = /#(?=#[\w-]*\[)/g

/** Printable ASCII and our dash, without the characters that could begin a command. Most lines match and need no
 * replacement, which is faster. */
const harmless = /^(?!\s*:)[ -"$-~—]*$/

/** Replaces invisible characters by escapes such as `\n` and `\u202e`. */
export const oneLine = (text: string): string =>
  harmless.test(text)
    ? text
    : text.replace(invisible, escaped).replace(commandAtStart, '$1\\u003a').replace(commandAnywhere, '\\u0023')

/** Does the same, but keeps the given terminal codes, with which we colour a text. */
export function oneLineWith(ours: RegExp, text: string): string {
  return text
    .split(new RegExp(`(${ours.source})`))
    .map((part, index) => (index % 2 === 1 ? part : index === 0 ? oneLine(part) : oneLine(`.${part}`).slice(1)))
    .join('')
}

/** Returns JSON in which no character can steer a terminal; parsing it gives the same value. */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent)
    .replace(/[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u007f-\u009f]/gu, (character) =>
      Array.from(
        { length: character.length },
        (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
      ).join(''),
    )
    .replace(commandAnywhere, '\\u0023')

/** Returns the value with `oneLine` applied to every string and key. */
export function inOneLine<Value>(value: Value): Value {
  if (typeof value === 'string') return oneLine(value) as Value
  if (Array.isArray(value)) return value.map(inOneLine) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [oneLine(key), inOneLine(item)])) as Value
}
