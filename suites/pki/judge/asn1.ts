/** Loads the library that decodes DER. It is loaded with the first certificate, because most commands read no
 * certificates. It needs the reflection shim to be loaded first. */
import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)
let loaded:
  | (typeof import('@peculiar/asn1-x509') & Pick<typeof import('@peculiar/asn1-schema'), 'AsnConvert'>)
  | undefined

export function asn1(): NonNullable<typeof loaded> {
  if (loaded) return loaded
  load('reflect-metadata')
  const { AsnConvert } = load('@peculiar/asn1-schema')
  loaded = { ...load('@peculiar/asn1-x509'), AsnConvert }
  return asn1()
}
