/** Makes tokens that have the format of a valid one but that no cluster issued. */

const alphabets = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789']

/** Returns the next letter or digit of the alphabet. The separators between the parts of a token do not change. */
function following(character: string): string {
  const alphabet = alphabets.find((one) => one.includes(character))
  return alphabet?.[(alphabet.indexOf(character) + 1) % alphabet.length] ?? character
}

/** Changes every letter and digit: a single one may be part of a hint that a server rightly ignores. */
export const altered = (token: string): string => [...token].map(following).join('')

/** Changes only the last third: the first characters may be a prefix that names the kind of token. */
export function alteredAtItsEnd(token: string): string {
  const at = Math.floor((token.length * 2) / 3)
  return `${token.slice(0, at)}${altered(token.slice(at))}`
}
