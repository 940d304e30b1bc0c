/** Tells the type and the size of public keys. */
import type { KeyObject } from 'node:crypto'
import { elements } from './der.ts'

export const keyWords = (key: KeyObject): string => {
  const { namedCurve, modulusLength } = key.asymmetricKeyDetails ?? {}
  return `${key.asymmetricKeyType} ${namedCurve ?? modulusLength ?? ''}`.trim()
}

/** Returns the number of bytes of a coordinate, from the point at the end of the key, which is encoded as 4, x, y, or
 * as 2 or 3 and x. The curve may be any of that size (reading 61). */
function pointOf(key: KeyObject): number {
  const [whole] = elements(key.export({ type: 'spki', format: 'der' }))
  const [, bits] = elements(whole?.content ?? Buffer.alloc(0))
  const point = bits?.content.subarray(1) ?? Buffer.alloc(0)
  return point[0] === 4 ? (point.length - 1) / 2 : point.length - 1
}

export const hasSize = (key: KeyObject, type: 'rsa' | 'ec', bits: number): boolean => {
  const { modulusLength } = key.asymmetricKeyDetails ?? {}
  return type === 'rsa' ? modulusLength === bits : pointOf(key) === Math.ceil(bits / 8)
}
