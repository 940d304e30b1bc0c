/** Configures a mount: its CA, its revocation list, its URLs. */

import type { Call, Reply } from '../../../kernel/contracts.ts'
import { done } from '../../../kernel/contracts.ts'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import { applyStep, stepFor } from '../certificates/authority.ts'
import { crlConfigOf, latestList, rotate } from '../certificates/revocation.ts'
import type { Context } from '../context.ts'
import { requested } from '../fields.ts'
import { assertCas, isPem, readCertificates, readKeyField } from '../pem-input.ts'
import { canWait, readRebuilding, rebuildingOf } from '../rebuilding.ts'
import type { PkiRules } from '../rules/index.ts'
import { type CaCertificate, type CaKey, caCertificate, caKey, noUrls, type UrlsConfig } from '../store.ts'
import { isSameKey } from '../x509/keys.ts'

export function configCa({ body }: Call, context: Context): Reply {
  const { rules } = context
  const { pem_bundle: text } = requested(rules.requestFields.configCa, body)
  if (text === '') return done
  if (!isPem(text)) rules.authorities.configCa.unreadable(context.store)
  const read = (): ReturnType<typeof readBundle> => readBundle(text, rules)
  const parts = rules.authorities.configCa.invalid === 'refused' ? read() : unlessRefused(read)
  if (!parts) return done
  const key = rules.authorities.configCa.keyTaken(parts.key, parts.certificate, context.store.ca)
  applyStep(context, stepFor(context, 'configCa'), { key, certificate: withChain(parts.certificate, context) })
  return done
}

/** Returns the certificate with its submitted chain, or in a mutant with that of the former CA. */
function withChain(certificate: CaCertificate, { store, rules }: Context): CaCertificate {
  const { keepsFormerChain } = rules.authorities.configCa
  const former = store.ca.shown?.chain ?? []
  return keepsFormerChain && certificate.chain.length === 0 ? { ...certificate, chain: former } : certificate
}

function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function readBundle(text: string, { authorities }: PkiRules): { key: CaKey; certificate: CaCertificate } {
  const { needsCa, needsItsKey, keyTypes, chainOf } = authorities.configCa
  const [own, ...further] = readCertificates('pem_bundle', text)
  const pair = readKeyField('pem_bundle', text)
  if (needsCa) assertCas('pem_bundle', [own, ...further])
  if (needsItsKey && !isSameKey(own.spki, pair.spki))
    throw badRequest('pem_bundle: the private key is not that of the first certificate')
  if (!keyTypes.includes(pair.type)) throw badRequest(`pem_bundle: the private key is of type ${pair.type}`)
  const chain = chainOf(further.map(({ der }) => der))
  const origin = own.subject.equals(own.issuer) ? 'submitted-root' : 'submitted-intermediate'
  return { key: caKey(pair), certificate: caCertificate(own.der, chain, origin) }
}

export function readConfigCrl(context: Context): Reply {
  const waiting = canWait(context) ? rebuildingOf(context) : {}
  return { kind: 'data', data: { ...crlConfigOf(context), ...waiting } }
}

const given = (body: Call['body']): Call['body'] =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== null))

/** A field that is not in the request keeps its value. */
export function configCrl({ body }: Call, context: Context): Reply {
  const { store, rules } = context
  const { expiry, disable } = requested(rules.requestFields.configCrl, { ...store.crlConfig, ...given(body) })
  const rebuilding = canWait(context) ? readRebuilding(body, context) : undefined
  const before = crlConfigOf(context).disable
  // A list that is already due is signed with the old configuration.
  latestList(context)
  store.crlConfig = { expiry, disable }
  store.rebuilding = rebuilding
  rotate(context, disable === before ? 'configure' : disable ? 'disable' : 'enable')
  return done
}

const urlFields = {
  issuing_certificates: 'issuingCertificates',
  crl_distribution_points: 'crlDistributionPoints',
  ocsp_servers: 'ocspServers',
} as const satisfies Record<string, keyof UrlsConfig>

const urlNames = Object.keys(urlFields) as (keyof typeof urlFields)[]

export function readConfigUrls({ store, rules }: Context): Reply {
  const shown = rules.urls.shown ? (store.urls ?? noUrls) : noUrls
  return { kind: 'data', data: Object.fromEntries(urlNames.map((name) => [name, shown[urlFields[name]]])) }
}

/** Changes only the URLs that the request contains. A blank value removes the old one. */
export function configUrls({ body }: Call, { store, rules }: Context): Reply {
  const { independent, blank, written } = rules.urls
  const fields = requested(rules.requestFields.configUrls, body)
  const named = given(body)
  const old = independent ? (store.urls ?? noUrls) : noUrls
  const values = urlNames.filter((name) => name in named && (fields[name].length > 0 || blank !== 'keeps'))
  const clears = blank === 'removes all' && urlNames.some((name) => name in named && fields[name].length === 0)
  const changes = Object.fromEntries(values.map((name) => [urlFields[name], fields[name]]))
  written(store, clears ? { ...noUrls } : { ...old, ...changes })
  return done
}

export function rotateCrl(context: Context): Reply {
  rotate(context, 'rotate')
  return { kind: 'data', data: { success: true } }
}
