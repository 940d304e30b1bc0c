/** Changes of what the engine drafts before it is signed. Each returns the same draft if it changes nothing. */

import { isDeepStrictEqual } from 'node:util'
import { type AltNames, hasNames, noNames, readAltNames } from '../../engines/pki/x509/alt-names.ts'
import type { Draft } from '../../engines/pki/x509/certificate.ts'
import { contextTag, sequence } from '../../engines/pki/x509/der.ts'
import {
  altNames,
  type Extension,
  extension,
  readExtensions,
  type Urls,
  urlExtensions,
} from '../../engines/pki/x509/extensions.ts'
import { readName, readText, writeName } from '../../engines/pki/x509/names.ts'
import { extensions as oids } from '../../engines/pki/x509/oids.ts'
import { members, readOne, readValues, tags, type Value } from '../../engines/pki/x509/reader.ts'

export type DraftChange = <Some extends Pick<Draft, 'extensions' | 'subject'>>(draft: Some) => Some

const extensionIn = (bytes: Buffer): Extension | undefined => readExtensions(readOne(sequence(bytes), tags.sequence))[0]
const oidOf = (bytes: Buffer): string => extensionIn(bytes)?.oid ?? ''
/** The parts of an encoded name or list. */
export const partsOf = (bytes: Buffer): Buffer[] => members(readOne(bytes, tags.sequence)).map((one) => one.bytes)

/** Changes an extension if the draft has it. If `change` returns undefined, the extension is left out. */
export const changing =
  (oid: string, change: (found: Extension) => Buffer | undefined): DraftChange =>
  (draft) => {
    const has = draft.extensions.some((bytes) => oidOf(bytes) === oid)
    const changed = (bytes: Buffer): Buffer | readonly Buffer[] => {
      const found = extensionIn(bytes)
      return found?.oid === oid ? (change(found) ?? []) : bytes
    }
    return has ? { ...draft, extensions: draft.extensions.flatMap(changed) } : draft
  }
export const dropping = (oid: string): DraftChange => changing(oid, () => undefined)
export const replacing = (oid: string, bytes: Buffer): DraftChange => changing(oid, () => bytes)
/** Adds extensions. Each replaces an existing one with the same OID. */
export const adding =
  (...bytes: readonly Buffer[]): DraftChange =>
  (draft) => {
    const added = bytes.map(oidOf)
    const others = draft.extensions.filter((one) => !added.includes(oidOf(one)))
    return bytes.length === 0 ? draft : { ...draft, extensions: [...others, ...bytes] }
  }

export const namesIn = ({ extensions }: Pick<Draft, 'extensions'>): AltNames => {
  const found = extensions.map(extensionIn).find((one) => one?.oid === oids.altNames)
  return found ? readAltNames(found.content) : noNames
}

export const renaming =
  (change: (names: AltNames, draft: Pick<Draft, 'extensions' | 'subject'>) => AltNames): DraftChange =>
  (draft) => {
    const [before, names] = [namesIn(draft), change(namesIn(draft), draft)]
    if (isDeepStrictEqual(names, before)) return draft
    return hasNames(names) ? adding(altNames(names, draft.subject.length === 2))(draft) : dropping(oids.altNames)(draft)
  }

const urlOids: readonly string[] = [oids.authorityAccess, oids.crlDistributionPoints]
export const linkedTo =
  (urls: Urls): DraftChange =>
  (draft) => {
    const isUrl = (bytes: Buffer): boolean => urlOids.includes(oidOf(bytes))
    const [before, others] = [draft.extensions.filter(isUrl), draft.extensions.filter((bytes) => !isUrl(bytes))]
    const after = urlExtensions(urls)
    return isDeepStrictEqual(before, after) ? draft : { ...draft, extensions: [...others, ...after] }
  }

/** Leaves the common name out of the subject. The issuer of a self-signed root stays equal to its subject. */
export const withoutCommonName: DraftChange = (draft) => {
  const { commonName = [], ...others } = readName(draft.subject)
  if (commonName.length === 0) return draft
  const subject = writeName(others)
  const issuer = 'issuer' in draft && draft.subject.equals(draft.issuer as Buffer) ? { issuer: subject } : {}
  return { ...draft, subject, ...issuer }
}

/** Encodes the values of other names in another way. */
export const otherText = (encode: (value: string) => Buffer): DraftChange =>
  changing(oids.altNames, ({ content, critical }) => {
    const rewritten = ({ bytes, content, tag }: Value): Buffer => {
      if (tag !== 0xa0) return bytes
      const [type, wrapped] = readValues(content)
      const [text] = readValues(wrapped?.content ?? Buffer.alloc(0))
      return contextTag(0, type?.bytes ?? Buffer.alloc(0), contextTag(0, encode(readText(text))))
    }
    return extension(oids.altNames, critical, sequence(...members(readOne(content, tags.sequence)).map(rewritten)))
  })
