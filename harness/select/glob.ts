/** `*` stands for any characters, slashes included, `?` for one. A pattern without either also selects what lies below
 * it: `policies/errors` is that whole topic. */
export function globTest(pattern: string): (address: string) => boolean {
  const isPlain = !/[*?]/.test(pattern)
  if (isPlain) {
    const plain = pattern.replace(/\/+$/, '')
    return (address) => address === plain || address.startsWith(`${plain}/`)
  }
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.')
  const expression = new RegExp(`^${source}$`)
  return (address) => expression.test(address)
}
