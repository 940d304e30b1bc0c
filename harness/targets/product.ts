/** As which version a target is judged. Version rows speak of the versions of one product: another product that numbers its
 * own versions is judged as the newest, or as the version that its owner says it is compatible with (readings of the
 * documents, 58). What a target says of itself decides nothing else. */
import type { Dialect, Edition, Facts, Json, Reply } from '../vocabulary/index.ts'
import { fieldOf, isObject } from '../vocabulary/reply.ts'
import { newestVersion } from '../vocabulary/target.ts'

export interface ProductSeen {
  readonly product?: string
  readonly evidence?: string
}

/** The name that a reply gives, as the dialect reads it. */
export function productIn(reply: Reply | undefined, { product }: Dialect): ProductSeen {
  const name = reply && product?.read(reply)
  return name === undefined ? {} : { product: name, evidence: `${reply?.asked} says that it is ${name}` }
}

/** A reference server says so in its health reply, and numbers its versions as the documents do. */
export const referenceProduct = 'reference server'
export const isReference = (health: Reply | undefined): boolean =>
  health !== undefined && fieldOf(health, '/reference') !== undefined

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Tells whether version rows can be read against the version of this product. */
export const isNumbered = (product: string | undefined, { product: of }: Dialect): boolean =>
  product !== undefined && [...(of?.numbered ?? []), referenceProduct].some((name) => sameName(name, product))

export interface JudgedAs {
  readonly judgedAs: string
  readonly evidence: string
}

/** Undefined where the target's own version counts. */
export function judgedAs({ product, compatibleWith }: Facts, dialect: Dialect): JudgedAs | undefined {
  if (compatibleWith !== undefined)
    return { judgedAs: compatibleWith, evidence: `the profile declares compatibleWith ${compatibleWith}` }
  if (isNumbered(product, dialect)) return undefined
  const why =
    product === undefined
      ? 'nothing tells which product the target is, so its version may be numbered in another way'
      : `${product} numbers its versions in another way than the documents`
  return { judgedAs: newestVersion, evidence: why }
}

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
