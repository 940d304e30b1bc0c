/** Semantic versions 2.0.0, with or without a leading `v`. */
const pattern =
  /^v?(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*))?(?:\+[\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*)?$/

/** Longer ones are none: nobody writes them, and they would be kept. */
const longest = 256

const match = (text: string): RegExpExecArray | null => (text.length > longest ? null : pattern.exec(text))

export const isSemantic = (text: string): boolean => match(text) !== null
export const hasPreRelease = (text: string): boolean => match(text)?.[4] !== undefined

/** With its leading `v`, by which versions are kept: `1.2.3` and `v1.2.3` are the same. */
export const canonical = (version: string): string =>
  version === '' || version.startsWith('v') ? version : `v${version}`

/** The tag of an image: a leading `v` is trimmed. */
export const tagOf = (version: string): string => version.replace(/^v/, '')

function partsOf(version: string): { readonly core: readonly number[]; readonly marks: readonly string[] | undefined } {
  const found = match(version)
  if (!found) return { core: [], marks: undefined }
  return { core: found.slice(1, 4).map(Number), marks: found[4]?.split('.') }
}

const isNumber = (mark: string): boolean => /^\d+$/.test(mark)

function compareMarks(a: string, b: string): number {
  if (isNumber(a) && isNumber(b)) return Number(a) - Number(b)
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1
  return a < b ? -1 : Number(a > b)
}

/** Rising precedence. What is no version comes first. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  for (const index of [0, 1, 2]) {
    const difference = (left.core[index] ?? -1) - (right.core[index] ?? -1)
    if (difference !== 0) return difference
  }
  if (!left.marks || !right.marks) return Number(!left.marks) - Number(!right.marks)
  for (let index = 0; index < Math.max(left.marks.length, right.marks.length); index++) {
    const [one, other] = [left.marks[index], right.marks[index]]
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1
    const difference = compareMarks(one, other)
    if (difference !== 0) return difference
  }
  return 0
}
