/** The edition of a target is read off what it shows. Only explicit marks count; guesses would make checks not
 * applicable. */
import { type Edition, isObject, type Json } from '../vocabulary/index.ts'

export interface EditionSigns {
  /** The body of the health reply. */
  readonly health: Json | undefined
  readonly version: string | undefined
  /** This is true if its version is numbered as in the documents. */
  readonly isNumbered?: boolean
  /** This is true if the target serves governing policies; undefined where its answer leaves that open. */
  readonly servesGoverning: boolean | undefined
  /** This is true if it tells a mode of replication to anybody, as no community edition does. */
  readonly servesReplication: boolean
}

export interface EditionSeen {
  readonly edition?: Edition
  /** What it was read from, or why it stays unknown. */
  readonly evidence: string
}

const markedVersion = /\+(ent|prem|pro)/i
/** Before 0.9 no edition serves `sys/policies`, so its absence says nothing. */
const beforePolicies = /^v?0\.[0-8](\.|$)/

function markOf({ health, version }: EditionSigns): string | undefined {
  if (isObject(health) && health.enterprise === true) return '"enterprise" is true in the health reply'
  return version && markedVersion.test(version) ? `the version is "${version}"` : undefined
}

export function editionOf(signs: EditionSigns): EditionSeen {
  if (signs.version === undefined) return { evidence: 'the target shows no version' }
  const mark = markOf(signs)
  if (signs.isNumbered !== false && beforePolicies.test(signs.version))
    return { evidence: `version ${signs.version} shows no edition` }
  const governing = 'LIST sys/policies/rgp'
  if (signs.servesGoverning === undefined)
    return { evidence: `${mark ?? 'no mark of an edition'}, and the answer to ${governing} leaves the rest open` }
  const words = `${governing} is ${signs.servesGoverning ? '' : 'not '}served`
  if (mark) return { edition: signs.servesGoverning ? 'premium' : 'enterprise', evidence: `${mark}, and ${words}` }
  if (signs.servesReplication) return { evidence: 'no mark of an edition, yet the status of replication is served' }
  if (!signs.servesGoverning) return { edition: 'community', evidence: `no mark of another edition, and ${words}` }
  return { evidence: `no mark of an edition, yet ${words}` }
}
