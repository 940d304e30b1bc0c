/** Builds the data of replies that contain certificates, requests and keys, in the requested format. */

import { shownSerial } from './certificates/serials.ts'
import type { Issued } from './certificates/signing.ts'
import type { Context } from './context.ts'
import type { FormatRow } from './rules/formats.ts'
import type { PkiRules } from './rules/index.ts'
import type { CaCertificate } from './store.ts'
import { type KeyPair, pemWithParameters, pkcs8, traditionalPem } from './x509/keys.ts'

type Data = Record<string, unknown>
type Speaker = Pick<Context, 'rules' | 'variation'>

interface Asked {
  readonly format: string
  /** If true, the reply shows the chain of a root as well. */
  readonly chain?: boolean
  readonly private_key_format?: string
}

const toldSerial = ({ serial }: Issued, { variation }: Speaker): string =>
  variation().toldSerials === 'colons' ? shownSerial(serial) : serial

function rowOf({ format }: Asked, { formats }: PkiRules): FormatRow {
  const row = formats[format]
  if (!row) throw new Error(`no format ${format}`)
  return row
}

function keyText(key: KeyPair, asked: Asked, { rules, variation }: Speaker): string | undefined {
  if (asked.format === 'der' && asked.private_key_format === 'pkcs8' && variation().pkcs8Der === 'base64')
    return pkcs8(key).toString('base64')
  const text = rowOf(asked, rules).privateKey[asked.private_key_format ?? 'der']?.(key)
  const hasParameters = key.type === 'ec' && variation().ecKeysInPem === 'with-parameters'
  return hasParameters && text === traditionalPem(key) ? pemWithParameters(key) : text
}

/** Returns the private key, if there is one, and the main field `name`: `own` alone, or in a bundle between the key and
 * the chain. */
function withPrivateKey(
  name: 'certificate' | 'csr',
  own: string,
  chain: readonly string[],
  key: KeyPair | undefined,
  asked: Asked,
  speaker: Speaker,
): Data {
  const text = key && keyText(key, asked, speaker)
  const { bundled } = rowOf(asked, speaker.rules)
  const main = bundled ? [...(text === undefined ? [] : [text]), own, ...chain].join('\n') : own
  return { [name]: main, ...(key && { private_key: text, private_key_type: key.type }) }
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

const signedData = (issued: Issued, speaker: Speaker): Data => ({
  serial_number: toldSerial(issued, speaker),
  expiration: Math.floor(issued.notAfter / 1000),
})

/** Builds the reply about a certificate that the CA signed. Bundles contain the CA, unless it was generated here. */
export function certificateData(
  speaker: Speaker,
  issued: Issued,
  ca: CaCertificate,
  asked: Asked,
  key?: KeyPair,
): Data {
  const row = rowOf(asked, speaker.rules)
  const chain = [ca.parsed.der, ...ca.chain].map((der) => row.certificate(der))
  const isGenerated = ca.origin === 'own-root'
  const data = {
    ...withPrivateKey('certificate', row.certificate(issued.der), isGenerated ? [] : chain, key, asked, speaker),
    issuing_ca: chain[0],
    ...(isGenerated && !asked.chain ? {} : { ca_chain: chain }),
    ...signedData(issued, speaker),
  }
  return ended(data, speaker)
}

export function rootData(speaker: Speaker, issued: Issued, asked: Asked, key: KeyPair | undefined): Data {
  const own = rowOf(asked, speaker.rules).certificate(issued.der)
  const data = withPrivateKey('certificate', own, [], key, asked, speaker)
  return ended({ ...data, issuing_ca: own, ...signedData(issued, speaker) }, speaker)
}

export function requestData(speaker: Speaker, der: Buffer, asked: Asked, key: KeyPair | undefined): Data {
  const own = rowOf(asked, speaker.rules).request(der)
  return ended(withPrivateKey('csr', own, [], key, asked, speaker), speaker)
}
