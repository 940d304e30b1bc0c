/** Shortens throw-away names, which are long, for readers. The page's script uses this module, too. */

/** Matches a throw-away name. Its groups are the number of the check that made it, and the word that it stands for. */
export const throwAwayName = /assay-[a-z0-9]+-(\d+)-([a-z0-9]+(?:-[a-z0-9]+)*)/gi

/** Replaces throw-away names by the word they stand for: `assay-75c09ba3-82-policy` becomes `‹policy›`. */
export const withoutThrowAway = (text: string): string =>
  text.replace(throwAwayName, (_name, _number, word: string) => `‹${word}›`)
