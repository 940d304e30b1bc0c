/** Revokes certificates, and removes expired ones. */

import type { Call, Reply } from '../../../kernel/contracts.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { revoke as record, rotate } from '../certificates/revocation.ts'
import { serialKey, serialOf } from '../certificates/serials.ts'
import type { Context } from '../context.ts'
import { readFields } from '../fields.ts'
import { readCertificates } from '../pem-input.ts'

/** Returns the serial number in a request. Real servers also take the certificate itself, if it is alone. */
function serialIn(
  body: Call['body'],
  { rules }: Context,
): { readonly asked: string; readonly serial: string | undefined } {
  const { certificate, serial_number } = body
  if (typeof certificate === 'string' && serial_number === undefined) {
    const serial = serialKey(readCertificates('certificate', certificate)[0].serial)
    return { asked: serial, serial }
  }
  if (certificate !== undefined) throw badRequest('certificate and serial_number must not be given together')
  const { serial_number: asked } = readFields(rules.requestFields.revoke, body)
  return { asked, serial: serialOf(asked) }
}

export function revoke({ body }: Call, context: Context): Reply {
  const { asked, serial } = serialIn(body, context)
  const ca = context.store.ca.shown?.parsed.serial
  if (ca && serial === serialKey(ca)) throw badRequest('adding CA to CRL is not allowed')
  const revocation = serial === undefined ? undefined : record(context, serial)
  if (!revocation) throw badRequest(`certificate with serial ${asked} not found`)
  return revoked(revocation.revokedAt)
}

export const revoked = (at: number): Reply => ({
  kind: 'data',
  data: { revocation_time: Math.floor(at / 1000), revocation_time_rfc3339: new Date(at).toISOString() },
})

/** Removes certificates and revocations that expired longer ago than the safety buffer. */
export function tidy({ body }: Call, context: Context): Reply {
  const fields = readFields(context.rules.requestFields.tidy, body)
  const { certificates, revocations } = context.store
  const before = context.clock.now() - fields.safety_buffer * 1000
  const expired = (items: Iterable<readonly [string, { readonly notAfter: number }]>): string[] =>
    [...items].filter(([, { notAfter }]) => notAfter < before).map(([serial]) => serial)
  if (fields.tidy_revoked_certs || fields.tidy_revocation_list) {
    for (const serial of expired(revocations)) {
      revocations.delete(serial)
      certificates.delete(serial)
    }
    rotate(context)
  }
  if (fields.tidy_cert_store) for (const serial of expired(certificates)) certificates.delete(serial)
  return { kind: 'data', data: null, status: 202, warnings: ['Everything that was due has been removed.'] }
}
