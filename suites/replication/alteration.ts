/** Tokens of the form of a valid one that nobody issued. */

const alphabets = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789']

/** The next letter or digit; what separates the parts of a token stays. */
function following(character: string): string {
  const alphabet = alphabets.find((one) => one.includes(character))
  return alphabet?.[(alphabet.indexOf(character) + 1) % alphabet.length] ?? character
}

/** Every letter and digit is another: a single one may stand for a hint that a server rightly passes over. */
export const altered = (token: string): string => [...token].map(following).join('')

/** The last third is another: what stands before may be a prefix that tells the kind of token. */
export function alteredAtItsEnd(token: string): string {
  const at = Math.floor((token.length * 2) / 3)
  return `${token.slice(0, at)}${altered(token.slice(at))}`
}
