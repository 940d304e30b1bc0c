/** The names that a run makes up are long, and no reader needs their numbers. This module is for the page's script too. */

/** Matches a throw-away name; its groups are the number of the check that made it, and the word that it stands for. */
export const throwAwayName = /assay-[a-z0-9]+-(\d+)-([a-z0-9]+(?:-[a-z0-9]+)*)/gi

/** Replaces throw-away names by what they stand for: `assay-75c09ba3-82-policy` is `‹policy›`. */
export const withoutThrowAway = (text: string): string =>
  text.replace(throwAwayName, (_name, _number, word: string) => `‹${word}›`)
