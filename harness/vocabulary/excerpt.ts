/** The beginning of what a target said, for a finding. It is cut only after redaction: a secret of which a cut had left
 * a part would not be recognised any more. Until then the text goes on, between marks that say where it will be cut. */
import { sizeBounds } from './size-bounds.ts'

/** Noncharacters of Unicode: no text of a target can hold them here, since they are escaped. */
const [open, close] = ['\ufdd0', '\ufdd1']
const marks = /[\ufdd0\ufdd1]/g
const excerpt = /\ufdd0(\d+),(\d+)\ufdd0([^\ufdd0\ufdd1]*)\ufdd1/g

/** The longest form of a secret in a text: each of its characters as an escape of six. */
export const longestSecretForm = sizeBounds.secretLength.value * 6

/** A value as JSON, of which at most `limit` characters are shown once it is redacted. */
export const shown = (value: unknown, limit = 200): string => excerptOf(JSON.stringify(value) ?? 'nothing', limit)

/** The same for words. */
export function excerptOf(words: string, limit = 200): string {
  const text = words.replace(marks, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`)
  if (text.length <= limit) return text
  return `${open}${limit},${text.length}${open}${text.slice(0, limit + longestSecretForm)}${close}`
}

/** Cuts what `shown` left longer. `redacted` redacts a text, and gives the part of it up to an edge: behind the edge,
 * secrets may be cut. */
export function withExcerptsCut(text: string, redacted: (text: string, edge: number) => string): string {
  if (!text.includes(open)) return text
  return text.replace(excerpt, (_whole, limit: string, length: string, told: string) => {
    const isWhole = told.length === Number(length)
    const clean = redacted(told, isWhole ? told.length : told.length - longestSecretForm)
    return isWhole && clean.length <= Number(limit) ? clean : `${clean.slice(0, Number(limit))}… (${length} characters)`
  })
}
