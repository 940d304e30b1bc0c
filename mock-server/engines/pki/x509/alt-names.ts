/** Writes and reads subject alternative names. */
import { contextTag, contextTagBytes, sequence, utf8 } from './der.ts'
import { addressBytes, addressText } from './ip.ts'
import { readText } from './names.ts'
import { oidBytes } from './oids.ts'
import { Malformed, members, readOid, readOne, readValues, tags, type Value } from './reader.ts'

/** A name of a custom type: the identifier of the type and the UTF-8 value. */
export interface OtherName {
  readonly oid: string
  readonly value: string
}

export interface AltNames {
  readonly dns: readonly string[]
  readonly email: readonly string[]
  readonly ip: readonly string[]
  readonly uri: readonly string[]
  readonly other: readonly OtherName[]
}

export const noNames: AltNames = { dns: [], email: [], ip: [], uri: [], other: [] }

export const hasNames = (names: AltNames): boolean =>
  names.dns.length + names.email.length + names.ip.length + names.uri.length + names.other.length > 0

export function writeAltNames(names: AltNames): Buffer {
  const parts: Buffer[] = []
  for (const { oid, value } of names.other) parts.push(contextTag(0, oidBytes(oid), contextTag(0, utf8(value))))
  for (const email of names.email) parts.push(contextTagBytes(1, Buffer.from(email, 'latin1')))
  for (const dns of names.dns) parts.push(contextTagBytes(2, Buffer.from(dns, 'latin1')))
  for (const uri of names.uri) parts.push(contextTagBytes(6, Buffer.from(uri, 'latin1')))
  for (const ip of names.ip) parts.push(contextTagBytes(7, addressBytes(ip) ?? Buffer.alloc(0)))
  return sequence(...parts)
}

/** Reads the content of the extension. Kinds of names that the engine does not write are skipped. */
export function readAltNames(der: Buffer): AltNames {
  const names = { dns: [] as string[], email: [] as string[], ip: [] as string[], uri: [] as string[] }
  const other: OtherName[] = []
  for (const name of members(readOne(der, tags.sequence))) {
    const text = name.content.toString('latin1')
    if (name.tag === 0xa0) other.push(...readOther(name))
    else if (name.tag === 0x81) names.email.push(text)
    else if (name.tag === 0x82) names.dns.push(text)
    else if (name.tag === 0x86) names.uri.push(text)
    else if (name.tag === 0x87) names.ip.push(readAddress(name.content))
  }
  return { ...names, other }
}

function readAddress(bytes: Buffer): string {
  const text = addressText(bytes)
  if (!text) throw new Malformed(`an IP address of ${bytes.length} bytes`)
  return text
}

function readOther(name: Value): OtherName[] {
  const [type, wrapped] = readValues(name.content)
  const value = wrapped?.tag === 0xa0 ? readValues(wrapped.content)[0] : undefined
  return value?.tag === tags.utf8 ? [{ oid: readOid(type), value: readText(value) }] : []
}
