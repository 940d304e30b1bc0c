/** Reads semantic versions 2.0.0, with or without a leading `v`. No dependency of this project does it. */
const pattern =
  /^v?(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*))?(?:\+[\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*)?$/

/** Longer versions are invalid, because the server would have to keep them. */
const longest = 256

const match = (text: string): RegExpExecArray | null => (text.length > longest ? null : pattern.exec(text))

export const isSemantic = (text: string): boolean => match(text) !== null
export const hasPreRelease = (text: string): boolean => match(text)?.[4] !== undefined

/** Adds the leading `v` with which versions are stored: `1.2.3` and `v1.2.3` are the same. */
export const canonical = (version: string): string =>
  version === '' || version.startsWith('v') ? version : `v${version}`

/** Returns the tag of an image, which has no leading `v`. */
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

/** Sorts by rising precedence. Invalid versions come first. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  for (const index of [0, 1, 2]) {
    const difference = (left.core[index] ?? -1) - (right.core[index] ?? -1)
    if (difference !== 0) return difference
  }
  return left.marks && right.marks
    ? comparePreReleases(left.marks, right.marks)
    : Number(!left.marks) - Number(!right.marks)
}

function comparePreReleases(left: readonly string[], right: readonly string[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [one, other] = [left[index], right[index]]
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1
    const difference = compareMarks(one, other)
    if (difference !== 0) return difference
  }
  return 0
}
