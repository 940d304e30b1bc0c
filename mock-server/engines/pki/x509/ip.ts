/** Converts IP addresses between text and bytes. */
import { isIPv4, isIPv6 } from 'node:net'

/** Returns four or sixteen bytes, or undefined if the text is not an address. */
export function addressBytes(text: string): Buffer | undefined {
  if (isIPv4(text)) return Buffer.from(text.split('.').map(Number))
  if (!isIPv6(text) || text.includes('%')) return undefined
  // The URL parser turns an IPv4 tail into groups and compresses zeros.
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::')
  const groups = (side: string): string[] => (side === '' ? [] : side.split(':'))
  const left = groups(head)
  const right = groups(tail ?? '')
  const all = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return Buffer.from(all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]))
}

export function addressText(bytes: Buffer): string | undefined {
  if (bytes.length === 4) return bytes.join('.')
  if (bytes.length !== 16) return undefined
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}
