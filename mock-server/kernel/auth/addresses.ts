/** Credentials can be bound to the addresses of their holders, as blocks such as `10.0.0.0/8`. */
import { BlockList, isIP } from 'node:net'
import { listField } from '../http/body-fields.ts'
import { badRequest } from '../http/refusal.ts'

/** Returns the address of a block and the length of its prefix, or undefined for text that is not a block. */
function blockOf(
  text: string,
): { readonly address: string; readonly bits: number; readonly family: number } | undefined {
  const [address = '', length] = text.split('/')
  const family = isIP(address)
  const most = family === 6 ? 128 : 32
  const bits = length === undefined ? most : Number(length)
  return family !== 0 && Number.isInteger(bits) && bits >= 0 && bits <= most ? { address, bits, family } : undefined
}

/** Reads a field of blocks. Returns undefined if it is absent, and refuses what is not a block. */
export function blocksField(body: Readonly<Record<string, unknown>>, name: string): readonly string[] | undefined {
  const blocks = listField(body, name)
  for (const block of blocks ?? []) if (!blockOf(block)) throw badRequest(`${name}: invalid CIDR block ${block}`)
  return blocks
}

/** Returns whether the address is in one of the blocks, or there are no blocks. */
export function isWithin(blocks: readonly string[], peer: string): boolean {
  if (blocks.length === 0) return true
  // A socket for both families reports an IPv4 peer as an IPv6 address.
  const address = peer.replace(/^::ffff:(?=\d+\.)/, '')
  const family = isIP(address)
  if (family === 0) return false
  const list = new BlockList()
  for (const block of blocks.flatMap((text) => blockOf(text) ?? []))
    list.addSubnet(block.address, block.bits, block.family === 6 ? 'ipv6' : 'ipv4')
  return list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Returns whether one of the outer blocks contains the whole inner block. */
export function isSubset(inner: string, outer: readonly string[]): boolean {
  const wanted = blockOf(inner)
  if (!wanted) return false
  return outer.some((text) => {
    const block = blockOf(text)
    return block !== undefined && block.bits <= wanted.bits && isWithin([text], wanted.address)
  })
}
