/** Compares words of a closed list in the documents without regard to case (readings of the documents, 64). */
import { type Json, type Matcher, matcher } from '../harness/vocabulary/index.ts'

export const isWord = (value: Json | undefined, word: string): boolean =>
  typeof value === 'string' && value.toLowerCase() === word.toLowerCase()

/** Accepts the word in any case; `words` are its description in a report. */
export const theWord = (word: string, words = word): Matcher => matcher(words, (value) => isWord(value, word))
