/** Fills the values of a run into the sentences of the suite, as plain text. The page does so with the full name on
 * hover. */
import { oneLine } from './escape.ts'
import { throwAwayName, withoutThrowAway } from './throw-away.ts'

/** The names that a check uses, with their values in this run. */
export type Names = Readonly<Record<string, string>>

/** The maximum length of a value that is shown; a longer one is replaced by its name. */
const longestShown = 40

const template = /\{([A-Za-z][\w-]*)\}/g

/** Returns how a placeholder is shown: by its value, or by its name if the value is long, secret or unknown. */
export function shownAs(name: string, names: Names = {}): { readonly text: string; readonly isValue: boolean } {
  const value = Object.hasOwn(names, name) ? names[name] : undefined
  const isValue = value !== undefined && (value.length <= longestShown || value.search(throwAwayName) >= 0)
  return isValue ? { text: value, isValue } : { text: `‹${name}›`, isValue }
}

/** Fills in the placeholders, and shortens throw-away names: `{policy}` becomes `‹policy›`. */
export const withNames = (text: string, names?: Names): string =>
  withoutThrowAway(text.replace(template, (_, name: string) => oneLine(shownAs(name, names).text)))

/** Returns the steps that introduce what the judged request names in code, such as a token or a text. */
export const introduced = ({ given, when }: { readonly given: readonly string[]; readonly when: string }) => {
  const codes = when.match(/`[A-Za-z]\w*`/g) ?? []
  return given.filter((one) => codes.some((code) => one.includes(code)))
}

/** If a mismatch refers to a wanted text by name, replaces the name by that text and unquotes what was seen. */
export function textsOf({ wanted, saw }: Compared, names: Names = {}): Compared {
  const [, name = ''] = /^the text `([^`]+)`$/.exec(wanted) ?? []
  const text = Object.hasOwn(names, name) ? names[name] : undefined
  return text === undefined ? { wanted, saw } : { wanted: text, saw: unquoted(saw) }
}

interface Compared {
  readonly wanted: string
  readonly saw: string
}

function unquoted(saw: string): string {
  try {
    const text: unknown = JSON.parse(saw)
    return typeof text === 'string' ? text : saw
  } catch {
    return saw
  }
}
