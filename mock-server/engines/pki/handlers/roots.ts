/** Generates self-signed roots, and signs self-issued certificates. */

import { type Call, done, type Reply } from '../../../kernel/contracts.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { applyStep, isUnchanged, rootStep, stepFor } from '../certificates/authority.ts'
import { personOf, rootExtensions } from '../certificates/ca-certificate.ts'
import { linksTo } from '../certificates/issuer.ts'
import { hasIssuers, loadIssuer } from '../certificates/issuers.ts'
import { newSerial } from '../certificates/serials.ts'
import type { Issued } from '../certificates/signing.ts'
import { type Context, withKey } from '../context.ts'
import { readFields } from '../fields.ts'
import { assertCaKey, isKeyShown, sizeOf } from '../judging/key-rules.ts'
import { spanOf } from '../judging/lifetimes.ts'
import { readCertificates } from '../pem-input.ts'
import { rootData } from '../replies.ts'
import type { CaStep } from '../rules/states.ts'
import { type CaKey, caCertificate, caKey, noUrls } from '../store.ts'
import { writeCertificate } from '../x509/certificate.ts'
import { extensions } from '../x509/oids.ts'
import { pem } from '../x509/pem.ts'
import { assertNames, keyOf, nameIssuer } from './named.ts'

const present = 'Refusing to generate a root certificate over an existing root certificate: delete root/ first'

function kept(context: Context): Reply {
  if (context.variation().rootPresent === 'refusal') throw badRequest(present)
  return { kind: 'empty', warnings: [present] }
}

export function generateRoot(call: Call, context: Context): Reply | Promise<Reply> {
  const { body, params } = call
  const { rules } = context
  assertNames(call, context)
  if (params.type === 'existing' && hasIssuers(context)) {
    const step = rootStep(context)
    return isUnchanged(step) ? kept(context) : rootOf(keyOf(call, context).key, call, context, step)
  }
  const isShown = isKeyShown(params.type)
  const fields = readFields(rules.requestFields.root, body)
  const type = fields.key_type as 'rsa' | 'ec'
  const bits = sizeOf(type, fields.key_bits, rules)
  assertCaKey(context, type, bits)
  personOf(context, fields)
  if (isUnchanged(rootStep(context))) return kept(context)
  return withKey(context, { type, bits }, (pair): Reply => {
    // Another request may have generated a root while this key was being generated.
    const step = rootStep(context)
    return isUnchanged(step) ? kept(context) : rootOf(caKey(pair), call, context, step, isShown)
  })
}

export function signRoot(key: CaKey, { body }: Call, context: Context): Issued {
  const { rules } = context
  const fields = readFields(rules.requestFields.root, body)
  const person = personOf(context, fields)
  const draft = {
    ...spanOf(context, { kind: 'root', asked: fields.ttl, backdating: rules.caBackdating }),
    serial: newSerial(),
    issuer: person.subject,
    subject: person.subject,
    spki: key.pair.spki,
    extensions: rootExtensions(context, fields, person, key.pair.spki),
  }
  return context.signing.root(draft, key)
}

function rootOf(key: CaKey, call: Call, context: Context, step: CaStep, isShown = false): Reply {
  const issued = signRoot(key, call, context)
  applyStep(context, step, { key, certificate: caCertificate(issued.der, [], 'own-root') })
  return rootReply(issued, key, call, context, isShown)
}

/** Names the new root and its key, and returns the reply about them. */
export function rootReply(issued: Issued, key: CaKey, call: Call, context: Context, isShown = false): Reply {
  const fields = readFields(context.rules.requestFields.root, call.body)
  const data = rootData(context, issued, fields, isShown ? key.pair : undefined)
  return { kind: 'data', data: { ...data, ...nameIssuer(issued.der, key, call, context) } }
}

export function deleteRoot(context: Context): Reply {
  applyStep(context, stepFor(context, 'deleteRoot'))
  const { issuers } = context.store
  issuers.further = []
  issuers.keys = []
  return done
}

/** The extensions of a self-issued certificate that the signer replaces. */
const replaced: ReadonlySet<string> = new Set([
  extensions.authorityKeyId,
  extensions.authorityAccess,
  extensions.crlDistributionPoints,
])

/** Signs a copy of a certificate in which only the issuer, the authority key id and the URLs are replaced. */
export function signSelfIssued({ body, params }: Call, context: Context): Reply {
  const { certificate: text } = readFields(context.rules.requestFields.signSelfIssued, body)
  const [given, ...more] = readCertificates('certificate', text)
  const issuer = loadIssuer(context, params.ref)
  const wrong = more.length > 0 ? 'holds more than one certificate' : whyNotSelfIssued(given)
  if (wrong) throw badRequest(`certificate ${wrong}`)
  const der = writeCertificate(
    {
      ...given,
      issuer: issuer.certificate.parsed.subject,
      extensions: [
        ...given.extensions.filter(({ oid }) => !replaced.has(oid)).map(({ bytes }) => bytes),
        ...linksTo(issuer.certificate, context.store.urls ?? noUrls),
      ],
    },
    issuer.key.signer,
  )
  return { kind: 'data', data: { certificate: pem('CERTIFICATE', der), issuing_ca: issuer.certificate.pem } }
}

function whyNotSelfIssued(given: { ca: boolean; subject: Buffer; issuer: Buffer }): string | undefined {
  if (!given.ca) return 'is not that of a CA'
  return given.subject.equals(given.issuer) ? undefined : 'is not self-issued'
}
