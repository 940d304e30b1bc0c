/** The output formats (document 2, Shared request field groups and the notes of the endpoints). */

import { type KeyPair, pkcs8Pem, traditionalPem } from '../x509/keys.ts'
import { pem } from '../x509/pem.ts'

const base64 = (der: Buffer): string => der.toString('base64')
export const traditionalBase64 = (key: KeyPair): string => base64(key.traditional)

export interface FormatRow {
  certificate(der: Buffer): string
  request(der: Buffer): string
  /** Maps private_key_format to the encoder of the private key. */
  readonly privateKey: Readonly<Record<string, (key: KeyPair) => string>>
  /** True if the main field is a bundle. */
  readonly bundled: boolean
}

const inPem: FormatRow = {
  certificate: (der) => pem('CERTIFICATE', der),
  request: (der) => pem('CERTIFICATE REQUEST', der),
  privateKey: { der: traditionalPem, pkcs8: pkcs8Pem },
  bundled: false,
}

/** PKCS#8 is PEM in every format (document 2, private_key_format values). */
export const formats: Readonly<Record<string, FormatRow>> = {
  pem: inPem,
  der: { ...inPem, certificate: base64, request: base64, privateKey: { der: traditionalBase64, pkcs8: pkcs8Pem } },
  pem_bundle: { ...inPem, bundled: true },
}
