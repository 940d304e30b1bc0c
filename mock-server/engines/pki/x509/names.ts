/** Writes and reads distinguished names. */
import { directoryString, sequence, set } from './der.ts'
import { type Attribute, attributes, oidBytes } from './oids.ts'
import { expectTag, Malformed, members, readOid, readOne, tags, type Value } from './reader.ts'

/** Maps each attribute to its values. An attribute without values is not written. */
export type Subject = Readonly<Partial<Record<Attribute, readonly string[]>>>

const order = Object.keys(attributes) as Attribute[]

/** Writes each value as an RDN of its own, or the values of one attribute as one RDN. */
export function writeName(subject: Subject, values: 'apart' | 'together' = 'apart'): Buffer {
  const parts: Buffer[] = []
  for (const attribute of order) {
    const pairs = (subject[attribute] ?? []).map((value) =>
      sequence(oidBytes(attributes[attribute]), directoryString(value)),
    )
    if (values === 'apart') parts.push(...pairs.map((pair) => set(pair)))
    // DER sorts the members of a set by their bytes.
    else if (pairs.length > 0) parts.push(set(...pairs.sort(Buffer.compare)))
  }
  return sequence(...parts)
}

/** Returns the text of a directory string of any type. */
export function readText(value: Value | undefined): string {
  switch (value?.tag) {
    case tags.utf8:
      return value.content.toString('utf8')
    case 0x13: // PrintableString
    case 0x14: // TeletexString
    case 0x16: // IA5String
      return value.content.toString('latin1')
    case 0x1e: // BMPString
      return Buffer.from(value.content.subarray(0, value.content.length & ~1))
        .swap16()
        .toString('utf16le')
    default:
      throw new Malformed(`a name holds text of an unknown type ${value?.tag}`)
  }
}

/** Reads a name. Attributes that the table does not know are skipped. */
export function readName(der: Buffer): Subject {
  const subject: Partial<Record<Attribute, string[]>> = {}
  for (const relative of members(readOne(der, tags.sequence)))
    for (const pair of members(relative, tags.set)) {
      const [type, value] = members(expectTag(pair, tags.sequence))
      const dotted = readOid(type)
      const attribute = order.find((name) => attributes[name] === dotted)
      if (attribute) subject[attribute] = [...(subject[attribute] ?? []), readText(value)]
    }
  return subject
}
