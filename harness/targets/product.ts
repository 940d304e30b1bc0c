/** As which version a target is judged. Version rows speak of the versions of one product: another product that numbers its
 * own versions is judged as the newest, or as the version that its owner says it is compatible with (readings of the
 * documents, 58). What a target says of itself decides nothing else. */
import { type Dialect, type Facts, fieldOf, newestVersion, type Reply } from '../vocabulary/index.ts'

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
