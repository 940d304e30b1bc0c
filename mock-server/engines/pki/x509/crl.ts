/** Writes revocation lists. */
import { contextTag, integer, sequence, time } from './der.ts'
import { authorityKeyId, extension } from './extensions.ts'
import { extensions } from './oids.ts'
import { type Signer, signed } from './signer.ts'

export interface ListDraft {
  readonly issuer: Buffer
  readonly issuerKeyId: Buffer
  /** Both times are in milliseconds since the epoch. */
  readonly thisUpdate: number
  readonly nextUpdate: number
  readonly number: number
  /** The number of the complete list that this one continues; absent for a complete list. */
  readonly base?: number | undefined
  /** The entries are made by `writeEntry`. */
  readonly entries: readonly Buffer[]
}

export const writeEntry = (serial: Buffer, revokedAt: number): Buffer => sequence(integer(serial), time(revokedAt))

export function writeList(draft: ListDraft, signer: Signer): Buffer {
  const body = sequence(
    integer(1),
    signer.algorithm,
    draft.issuer,
    time(draft.thisUpdate),
    time(draft.nextUpdate),
    // An empty list of entries is left out (RFC 5280, 5.1.2.6).
    ...(draft.entries.length > 0 ? [sequence(Buffer.concat(draft.entries))] : []),
    contextTag(
      0,
      sequence(
        authorityKeyId(draft.issuerKeyId),
        extension(extensions.crlNumber, false, integer(draft.number)),
        ...(draft.base === undefined ? [] : [extension(extensions.deltaIndicator, true, integer(draft.base))]),
      ),
    ),
  )
  return signed(body, signer)
}
