/** Builds the data of replies that contain certificates, requests and keys, in the requested format. */

import type { Issued } from './certificates/issuer.ts'
import { shownSerial } from './certificates/serials.ts'
import type { Context } from './context.ts'
import type { BundleOperation, FormatRow } from './rules/formats.ts'
import type { PkiRules } from './rules/index.ts'
import type { CaCertificate } from './store.ts'
import { type KeyPair, pemWithParameters, pkcs8, traditionalPem } from './x509/keys.ts'

type Data = Record<string, unknown>
type Speaker = Pick<Context, 'rules' | 'variation' | 'store'>

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

function rowOf({ format }: Asked, { formats }: PkiRules): FormatRow {
  const row = formats[format]
  if (!row) throw new Error(`no format ${format}`)
  return row
}

function keyText(key: KeyOut | undefined, asked: Asked, { rules, variation }: Speaker): string | undefined {
  if (!key?.field && !key?.bundle) return undefined
  const pair = rules.returnedKey(key.pair)
  if (asked.format === 'der' && asked.private_key_format === 'pkcs8' && variation().pkcs8Der === 'base64')
    return pkcs8(pair).toString('base64')
  const text = rowOf(asked, rules).privateKey[asked.private_key_format ?? 'der']?.(pair)
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
  rules: PkiRules,
): string {
  if (!rowOf(asked, rules).bundled) return shown.own
  const key = shown.key === undefined ? [] : [shown.key]
  return rules.bundles[operation]({ key, own: shown.own, chain: shown.chain ?? [] }).join('\n')
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
  const { rules, store } = speaker
  const row = rowOf(asked, rules)
  const text = keyText(key, asked, speaker)
  const operation = key ? 'issue' : 'sign'
  const chain = [ca.parsed.der, ...ca.chain].map((der) => row.certificate(der))
  const shown = {
    own: row.certificate(issued.der),
    key: text,
    chain: rules.bundledCas[operation][rules.bundledOrigin(ca.origin, store)] ? chain : [],
  }
  const data = {
    certificate: main(operation, shown, asked, rules),
    issuing_ca: chain[0],
    ...(ca.origin === 'own-root' && !asked.chain ? {} : { ca_chain: chain }),
    serial_number: toldSerial(issued, speaker),
    expiration: Math.floor(issued.notAfter / 1000),
    ...keyFields(key, text),
  }
  return ended(data, speaker)
}

export function rootData(speaker: Speaker, issued: Issued, asked: Asked, key: KeyOut): Data {
  const own = rowOf(asked, speaker.rules).certificate(issued.der)
  const text = keyText(key, asked, speaker)
  const data = {
    certificate: main('root', { own, key: key.bundle ? text : undefined }, asked, speaker.rules),
    issuing_ca: own,
    serial_number: toldSerial(issued, speaker),
    expiration: Math.floor(issued.notAfter / 1000),
    ...keyFields(key, text),
  }
  return ended(data, speaker)
}

export function requestData(speaker: Speaker, der: Buffer, asked: Asked, key: KeyOut): Data {
  const own = rowOf(asked, speaker.rules).request(der)
  const text = keyText(key, asked, speaker)
  const csr = main('intermediate', { own, key: key.bundle ? text : undefined }, asked, speaker.rules)
  return ended({ csr, ...keyFields(key, text) }, speaker)
}
