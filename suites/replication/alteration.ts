/** Tokens with the format of a valid one that no cluster issued. */

const alphabets = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789']

/** The next letter or digit; the separators between the parts of a token stay. */
function following(character: string): string {
  const alphabet = alphabets.find((one) => one.includes(character))
  return alphabet?.[(alphabet.indexOf(character) + 1) % alphabet.length] ?? character
}

/** Every letter and digit changes: a single one may be part of a hint that a server rightly ignores. */
export const altered = (token: string): string => [...token].map(following).join('')

/** The last third changes: the first characters may be a prefix that names the kind of token. */
export function alteredAtItsEnd(token: string): string {
  const at = Math.floor((token.length * 2) / 3)
  return `${token.slice(0, at)}${altered(token.slice(at))}`
}
