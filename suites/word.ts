/** Words of a list in the documents compare without regard to case (readings of the documents, 64). */
import { type Json, type Matcher, matcher } from '../harness/vocabulary/index.ts'

export const isWord = (value: Json | undefined, word: string): boolean =>
  typeof value === 'string' && value.toLowerCase() === word.toLowerCase()

/** `words` says in a report what is wanted. */
export const theWord = (word: string, words = word): Matcher => matcher(words, (value) => isWord(value, word))
