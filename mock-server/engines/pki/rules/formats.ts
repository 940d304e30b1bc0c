/** The output formats (document 2, Shared request field groups and the notes of the endpoints). */

import { seam } from '../../../kernel/seam.ts'
import type { Origin, Store } from '../store.ts'
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

/** The encoded parts of a bundle. */
export interface BundleParts {
  readonly key: readonly string[]
  readonly own: string
  readonly chain: readonly string[]
}

const inOrder = ({ key, own, chain }: BundleParts): readonly string[] => [...key, own, ...chain]

export type BundleOperation = 'issue' | 'sign' | 'root' | 'intermediate'

export const bundles: Readonly<Record<BundleOperation, (parts: BundleParts) => readonly string[]>> = {
  issue: inOrder,
  sign: inOrder,
  root: inOrder,
  intermediate: inOrder,
}

/** Whether the CA follows the certificate in a bundle, by the origin of the CA. */
const bundledKinds = { 'own-root': false, 'submitted-root': true, 'submitted-intermediate': true, signed: true }

export const bundledCas = { issue: bundledKinds, sign: bundledKinds }

/** Seam: the origin that counts is that of the present CA. */
export const bundledOrigin = seam((origin: Origin, _store: Store): Origin => origin)

/** Where a reply contains the private key: in a field of its own, and in the bundle. */
export interface KeyShown {
  readonly field: boolean
  readonly bundle: boolean
}

const shown: Readonly<Record<string, KeyShown>> = {
  exported: { field: true, bundle: true },
  internal: { field: false, bundle: false },
}

export const keyTypes = { root: shown, intermediate: shown }
