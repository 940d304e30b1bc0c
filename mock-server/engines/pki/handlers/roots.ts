/** Makes self-signed roots, and signs self-issued ones. */

import type { Call, Reply } from '../../../kernel/contracts.ts'
import { done } from '../../../kernel/contracts.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { applyStep, isUnchanged, rootStep, stepFor } from '../certificates/authority.ts'
import { personOf, rootExtensions } from '../certificates/ca-certificate.ts'
import { linksTo, loadIssuer, signCertificate } from '../certificates/issuer.ts'
import { type Context, withKey } from '../context.ts'
import { requested } from '../fields.ts'
import { readCertificates } from '../pem-input.ts'
import { rootData } from '../replies.ts'
import { keyShownFor, sizeOf } from '../rules/key-rules.ts'
import { spanOf } from '../rules/lifetimes.ts'
import { caCertificate, caKey, noUrls } from '../store.ts'
import { writeCertificate } from '../x509/certificate.ts'
import { extensions } from '../x509/oids.ts'
import { pem } from '../x509/pem.ts'
import { madeIssuer } from './issuers.ts'

const present = 'Refusing to generate a root certificate over an existing root certificate: delete root/ first'

function kept(context: Context): Reply {
  if (context.variation().rootPresent === 'refusal') throw badRequest(present)
  return { kind: 'empty', warnings: [present] }
}

export function generateRoot({ body, params }: Call, context: Context): Reply | Promise<Reply> {
  const { tables } = context
  const shown = keyShownFor('root', params.type, tables)
  const fields = requested(tables.requestFields.root, body)
  const type = fields.key_type as 'rsa' | 'ec'
  const bits = sizeOf('ca', type, fields.key_bits, tables)
  const person = personOf(context, 'root', fields)
  if (isUnchanged(rootStep(context))) return kept(context)
  return withKey(context, 'ca', { type, bits }, (pair): Reply => {
    // Another request may have made a root while this key was made.
    const step = rootStep(context)
    if (isUnchanged(step)) return kept(context)
    const key = caKey(pair)
    const issued = signCertificate(
      {
        issuer: person.subject,
        subject: person.subject,
        spki: pair.spki,
        span: spanOf(context, { kind: 'root', asked: fields.ttl, backdating: tables.caBackdating }),
        extensions: rootExtensions(context, fields, person, pair.spki),
      },
      tables.signers.root(key),
      tables.certificates.root,
      context.variation(),
    )
    applyStep(context, step, { key, certificate: caCertificate(issued.der, [], 'own-root') })
    return { kind: 'data', data: { ...rootData(context, issued, fields, { pair, ...shown }), ...madeIssuer(context) } }
  })
}

export function deleteRoot(context: Context): Reply {
  applyStep(context, stepFor(context, 'deleteRoot'))
  return done
}

/** A self-issued certificate does not keep these extensions. */
const replaced: ReadonlySet<string> = new Set([
  extensions.authorityKeyId,
  extensions.authorityAccess,
  extensions.crlDistributionPoints,
])

/** Keeps the certificate except for the issuer, the authority key id and the distribution points. */
export function signSelfIssued({ body }: Call, context: Context): Reply {
  const { certificate: text } = requested(context.tables.requestFields.signSelfIssued, body)
  const [given, ...more] = readCertificates('certificate', text)
  const issuer = loadIssuer(context)
  const fault = more.length > 0 ? 'holds more than one certificate' : selfIssuedFault(given)
  if (fault) throw badRequest(`certificate ${fault}`)
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

function selfIssuedFault(given: { ca: boolean; subject: Buffer; issuer: Buffer }): string | undefined {
  if (!given.ca) return 'is not that of a CA'
  return given.subject.equals(given.issuer) ? undefined : 'is not self-issued'
}
