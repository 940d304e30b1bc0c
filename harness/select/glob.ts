/** Returns a function that tests an address. `*` matches any characters, slashes included; `?` matches exactly one.
 * A pattern without either also matches everything below it: `policies/errors` selects that whole topic. */
export function globTest(pattern: string): (address: string) => boolean {
  const isPlain = !/[*?]/.test(pattern)
  if (isPlain) {
    const plain = pattern.replace(/(?<!\/)\/+$/, '')
    return (address) => address === plain || address.startsWith(`${plain}/`)
  }
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.')
  const expression = new RegExp(`^${source}$`)
  return (address) => expression.test(address)
}
