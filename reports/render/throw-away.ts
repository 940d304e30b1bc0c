/** The names that a run makes up are long, and no reader needs their numbers. This module is for the page's script too. */

/** Replaces throw-away names by what they stand for: `assay-75c09ba3-82-policy` is `{policy}`. */
export const withoutThrowAway = (text: string): string =>
  text.replace(/assay-[a-z0-9]+-\d+-([a-z0-9]+(?:-[a-z0-9]+)*)/gi, (_name, word: string) => `{${word}}`)
