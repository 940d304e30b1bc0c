import { distance } from 'fastest-levenshtein'

const most = 3
/** Shorter words are part of too much. */
const leastPart = 3

/** Up to three candidates that a reader may have meant, nearest first; none that differ in more than a third, unless the
 * word is a part of them. */
export function nearest(word: string, candidates: Iterable<string>): string[] {
  const limit = Math.max(2, Math.ceil(word.length / 3))
  const isPart = (candidate: string) => word.length >= leastPart && candidate.includes(word)
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, apart: distance(word, candidate) }))
    .filter(({ candidate, apart }) => apart <= limit || isPart(candidate))
    .sort((a, b) => a.apart - b.apart || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

/** The end of a sentence about a name that does not exist; `otherwise` where nothing is near it. */
export const didYouMean = (near: readonly string[], otherwise = ''): string =>
  near.length > 0 ? `; did you mean ${near.map((name) => `"${name}"`).join(' or ')}?` : otherwise
