/** Decides as which version a target is judged. Version rows are about the versions of one product. Another product,
 * which numbers its versions in its own way, is judged as the newest, or as the version that its operator declares
 * in `compatibleWith` (readings of the documents, 58). The product that a target reports decides nothing else. */
import type { Blocker, Dialect, Edition, Facts, Json, Reply } from '../vocabulary/index.ts'
import { fieldOf, isObject } from '../vocabulary/reply.ts'
import { newestVersion } from '../vocabulary/target.ts'
import { editions } from '../vocabulary/words.ts'

export interface ProductSeen {
  readonly product?: string
  readonly evidence?: string
}

export function productIn(reply: Reply | undefined, { product }: Dialect): ProductSeen {
  const name = reply && product?.read(reply)
  return name === undefined ? {} : { product: name, evidence: `${reply?.asked} says that it is ${name}` }
}

/** The name of the product that is a reference server. It numbers its versions as the documents do. */
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

/** Returns the version that a target is judged as, or undefined if that is its own version. */
export function judgedAs({ product, compatibleWith }: Facts, dialect: Dialect): JudgedAs | undefined {
  if (compatibleWith !== undefined)
    return { judgedAs: compatibleWith, evidence: `the profile declares compatibleWith ${compatibleWith}` }
  if (isNumbered(product, dialect)) return undefined
  const why =
    product === undefined
      ? 'the product of the target is unknown, so its version may be numbered in another way'
      : `${product} numbers its versions in another way than the documents`
  return { judgedAs: newestVersion, evidence: why }
}

export interface EditionSigns {
  /** The body of the health reply. */
  readonly health: Json | undefined
  readonly version: string | undefined
  /** Whether the version is numbered as in the documents. */
  readonly isNumbered?: boolean
  /** Whether the target serves governing policies. Undefined if its reply leaves that open. */
  readonly servesGoverning: boolean | undefined
  /** Why the reply leaves it open: something else replied in place of the target, or the token may not ask. */
  readonly hidden?: Blocker
  /** Whether an unauthenticated request for the status of replication gets a mode. No community edition serves that. */
  readonly servesReplication: boolean
}

export interface EditionSeen {
  readonly editions: readonly Edition[]
  /** What ruled out the others, or why none could be ruled out. */
  readonly evidence: string
  readonly hidden?: Blocker | undefined
}

const markedVersion = /\+(ent|prem|pro)/i
/** Before 0.9 no edition serves `sys/policies`, so its absence does not show the edition. */
const beforePolicies = /^v?0\.[0-8](\.|$)/

function markOf({ health, version }: EditionSigns): string | undefined {
  if (isObject(health) && health.enterprise === true) return '"enterprise" is true in the health reply'
  return version && markedVersion.test(version) ? `the version is "${version}"` : undefined
}

/** One piece of evidence, and the editions that it rules out. */
interface EditionEvidence {
  readonly says: string
  readonly rulesOut: readonly Edition[]
}

const governing = 'LIST sys/policies/rgp'

/** No edition but premium serves governing policies. A server without any mark that serves them may still be of another
 * edition, and contradict the documents by that; so this alone rules out nothing. */
function byGoverning({ servesGoverning, servesReplication, version, isNumbered }: EditionSigns, isMarked: boolean) {
  if (isNumbered !== false && beforePolicies.test(version ?? ''))
    return { says: `version ${version} does not show the edition`, rulesOut: [] }
  if (servesGoverning === undefined)
    return { says: `the reply to ${governing} does not show the edition`, rulesOut: [] }
  const says = `${governing} is ${servesGoverning ? '' : 'not '}served`
  if (servesGoverning) return { says, rulesOut: isMarked ? (['enterprise'] as const) : [] }
  return {
    says,
    rulesOut: isMarked || servesReplication ? (['premium'] as const) : (['premium', 'enterprise'] as const),
  }
}

export function editionOf(signs: EditionSigns): EditionSeen {
  const mark = markOf(signs)
  const marked: EditionEvidence = mark
    ? { says: mark, rulesOut: ['community'] }
    : { says: 'no mark of an edition', rulesOut: [] }
  const replication: EditionEvidence[] = signs.servesReplication
    ? [{ says: 'the status of replication is served', rulesOut: ['community'] }]
    : []
  const evidence =
    signs.version === undefined && !mark
      ? [{ says: 'the target does not report its version', rulesOut: [] }]
      : [marked, ...(mark ? [] : replication), byGoverning(signs, mark !== undefined)]
  const ruledOut = new Set<Edition>(evidence.flatMap(({ rulesOut }) => rulesOut))
  return {
    editions: editions.filter((edition) => !ruledOut.has(edition)),
    evidence: evidence.map(({ says }) => says).join(', and '),
    ...(signs.hidden && ruledOut.size < editions.length - 1 ? { hidden: signs.hidden } : {}),
  }
}
