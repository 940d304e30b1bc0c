import { distance } from 'fastest-levenshtein'

const most = 3
/** A shorter word occurs in too many candidates to be a useful hint. */
const leastPart = 3

/** Returns up to three candidates that the user may have meant, nearest first. A candidate has to contain the word,
 * or its edit distance has to be at most a third of the word's length (or 2, for short words). */
export function nearest(word: string, candidates: Iterable<string>): string[] {
  const limit = Math.max(2, Math.ceil(word.length / 3))
  const isPart = (candidate: string) => word.length >= leastPart && candidate.includes(word)
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, edits: distance(word, candidate) }))
    .filter(({ candidate, edits }) => edits <= limit || isPart(candidate))
    .sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

/** Returns the end of an error message about an unknown name, or `otherwise` if no known name is similar. */
export const didYouMean = (near: readonly string[], otherwise = ''): string =>
  near.length > 0 ? `; did you mean ${near.map((name) => `"${name}"`).join(' or ')}?` : otherwise
