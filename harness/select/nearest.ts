import { distance } from 'fastest-levenshtein'

const most = 3

/** Up to three candidates that a reader may have meant, nearest first; none that differ in more than a third. */
export function nearest(word: string, candidates: Iterable<string>): string[] {
  const limit = Math.max(2, Math.ceil(word.length / 3))
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, apart: distance(word, candidate) }))
    .filter(({ apart }) => apart <= limit)
    .sort((a, b) => a.apart - b.apart || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, most)
    .map(({ candidate }) => candidate)
}
