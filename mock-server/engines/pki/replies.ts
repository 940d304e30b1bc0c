/** Builds the data of replies that contain certificates, requests and keys, in the requested format. */

import type { Issued } from './certificates/issuer.ts'
import { shownSerial } from './certificates/serials.ts'
import type { Context } from './context.ts'
import type { CaCertificate } from './store.ts'
import type { BundleOperation, FormatRow } from './tables/formats.ts'
import type { PkiTables } from './tables/index.ts'
import { type KeyPair, pemWithParameters, pkcs8, traditionalPem } from './x509/keys.ts'

type Data = Record<string, unknown>
type Speaker = Pick<Context, 'tables' | 'variation' | 'store'>

interface Asked {
  readonly format: string
  /** If true, the reply shows the chain of a root as well. */
  readonly chain?: boolean
  readonly private_key_format?: string
}

/** A private key, and where the reply contains it: in a field of its own, in the bundle, or in both. */
export interface KeyOut {
  readonly pair: KeyPair
  readonly field: boolean
  readonly bundle: boolean
}

const toldSerial = ({ serial }: Issued, { variation }: Speaker): string =>
  variation().toldSerials === 'colons' ? shownSerial(serial) : serial

function rowOf({ format }: Asked, { formats }: PkiTables): FormatRow {
  const row = formats[format]
  if (!row) throw new Error(`no format ${format}`)
  return row
}

function keyText(key: KeyOut | undefined, asked: Asked, { tables, variation }: Speaker): string | undefined {
  if (!key?.field && !key?.bundle) return undefined
  const pair = tables.returnedKey(key.pair)
  if (asked.format === 'der' && asked.private_key_format === 'pkcs8' && variation().pkcs8Der === 'base64')
    return pkcs8(pair).toString('base64')
  const text = rowOf(asked, tables).privateKey[asked.private_key_format ?? 'der']?.(pair)
  const hasParameters = pair.type === 'ec' && variation().ecKeysInPem === 'with-parameters'
  return hasParameters && text === traditionalPem(pair) ? pemWithParameters(pair) : text
}

const keyFields = (key: KeyOut | undefined, text: string | undefined): Data =>
  key?.field ? { private_key: text, private_key_type: key.pair.type } : {}

/** Returns the main field: alone, or bundled with the private key and the chain. */
function main(
  operation: BundleOperation,
  shown: { readonly own: string; readonly key?: string | undefined; readonly chain?: readonly string[] },
  asked: Asked,
  tables: PkiTables,
): string {
  if (!rowOf(asked, tables).bundled) return shown.own
  const key = shown.key === undefined ? [] : [shown.key]
  return tables.bundles[operation]({ key, own: shown.own, chain: shown.chain ?? [] }).join('\n')
}

/** Adds a newline to each PEM text, unless the variation of this server leaves it out. */
function ended(data: Data, { variation }: Speaker): Data {
  if (variation().pemEnd === 'bare') return data
  const end = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(end)
    return typeof value === 'string' && value.startsWith('-----BEGIN') ? `${value}\n` : value
  }
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, end(value)]))
}

/** Builds the reply about a certificate that the CA signed. */
export function certificateData(speaker: Speaker, issued: Issued, ca: CaCertificate, asked: Asked, key?: KeyOut): Data {
  const { tables, store } = speaker
  const row = rowOf(asked, tables)
  const text = keyText(key, asked, speaker)
  const operation = key ? 'issue' : 'sign'
  const chain = [ca.parsed.der, ...ca.chain].map((der) => row.certificate(der))
  const shown = {
    own: row.certificate(issued.der),
    key: text,
    chain: tables.bundledCas[operation][tables.bundledOrigin(ca.origin, store)] ? chain : [],
  }
  const data = {
    certificate: main(operation, shown, asked, tables),
    issuing_ca: chain[0],
    ...(ca.origin === 'own-root' && !asked.chain ? {} : { ca_chain: chain }),
    serial_number: toldSerial(issued, speaker),
    expiration: Math.floor(issued.notAfter / 1000),
    ...keyFields(key, text),
  }
  return ended(data, speaker)
}

export function rootData(speaker: Speaker, issued: Issued, asked: Asked, key: KeyOut): Data {
  const own = rowOf(asked, speaker.tables).certificate(issued.der)
  const text = keyText(key, asked, speaker)
  const data = {
    certificate: main('root', { own, key: key.bundle ? text : undefined }, asked, speaker.tables),
    issuing_ca: own,
    serial_number: toldSerial(issued, speaker),
    expiration: Math.floor(issued.notAfter / 1000),
    ...keyFields(key, text),
  }
  return ended(data, speaker)
}

export function requestData(speaker: Speaker, der: Buffer, asked: Asked, key: KeyOut): Data {
  const own = rowOf(asked, speaker.tables).request(der)
  const text = keyText(key, asked, speaker)
  const csr = main('intermediate', { own, key: key.bundle ? text : undefined }, asked, speaker.tables)
  return ended({ csr, ...keyFields(key, text) }, speaker)
}
