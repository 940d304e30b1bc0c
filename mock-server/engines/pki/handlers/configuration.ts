/** Configures a mount: its CA, its revocation list, its URLs. */

import { type Call, done, type Reply } from '../../../kernel/contracts.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { applyStep, stepFor } from '../certificates/authority.ts'
import { crlConfigOf, currentList, rotate } from '../certificates/revocation.ts'
import type { Context } from '../context.ts'
import { readFields } from '../fields.ts'
import { assertCas, readCertificates, readKeyField } from '../pem-input.ts'
import { canWait, readRebuilding, rebuildingOf } from '../rebuilding.ts'
import { type CaCertificate, type CaKey, caCertificate, caKey, noUrls, type UrlsConfig } from '../store.ts'
import { isSameKey } from '../x509/keys.ts'

export function configCa({ body }: Call, context: Context): Reply {
  const { pem_bundle: text } = readFields(context.rules.requestFields.configCa, body)
  const submitted = readBundle(text)
  applyStep(context, stepFor(context, 'configCa'), submitted)
  return done
}

function readBundle(text: string): { key: CaKey; certificate: CaCertificate } {
  const [own, ...further] = readCertificates('pem_bundle', text)
  const pair = readKeyField('pem_bundle', text)
  assertCas('pem_bundle', [own, ...further])
  if (!isSameKey(own.spki, pair.spki))
    throw badRequest('pem_bundle: the private key is not that of the first certificate')
  const chain = further.map(({ der }) => der)
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
  const { expiry, disable } = readFields(rules.requestFields.configCrl, { ...store.crlConfig, ...given(body) })
  const rebuilding = canWait(context) ? readRebuilding(body, context) : undefined
  // A list that is already due is signed with the old configuration.
  currentList(context)
  store.crlConfig = { expiry, disable }
  store.rebuilding = rebuilding
  rotate(context)
  return done
}

const urlFields = {
  issuing_certificates: 'issuingCertificates',
  crl_distribution_points: 'crlDistributionPoints',
  ocsp_servers: 'ocspServers',
} as const satisfies Record<string, keyof UrlsConfig>

const urlNames = Object.keys(urlFields) as (keyof typeof urlFields)[]

export function readConfigUrls({ store: { urls = noUrls } }: Context): Reply {
  return { kind: 'data', data: Object.fromEntries(urlNames.map((name) => [name, urls[urlFields[name]]])) }
}

/** Changes only the URLs that the request contains. A blank value removes the old one. */
export function configUrls({ body }: Call, { store, rules }: Context): Reply {
  const fields = readFields(rules.requestFields.configUrls, body)
  const named = given(body)
  const changes = urlNames.filter((name) => name in named).map((name) => [urlFields[name], fields[name]])
  store.urls = { ...(store.urls ?? noUrls), ...Object.fromEntries(changes) }
  return done
}

export function rotateCrl(context: Context): Reply {
  rotate(context)
  return { kind: 'data', data: { success: true } }
}
