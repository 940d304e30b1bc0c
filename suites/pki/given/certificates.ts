/** Issued certificates and their serials, in each format of a serial. */
import type { Exchange, Reply, Scope } from '../../../harness/vocabulary/index.ts'
import { DoesNotApply, keysOf, replyLacks, StepFailed } from '../../../harness/vocabulary/index.ts'
import { action } from '../../records.ts'
import type { Certificate } from '../judge/certificate.ts'
import { certificateIn, certificateOf, textsOf } from '../judge/reply.ts'
import { isSerial, plainSerial } from '../judge/serial.ts'
import { issue, listedCerts, successOf } from './given.ts'

const pairs = (serial: string): readonly string[] => serial.match(/../g) ?? []
export const formsOf = (as: string): readonly string[] => [as, `${as}Colons`, `${as}Hyphens`, `${as}Told`]

const serialAmong = (texts: readonly string[], serial: string): string | undefined =>
  texts.find((text) => isSerial(text) && plainSerial(text) === plainSerial(serial))

function positiveSerial(certificate: Certificate): string {
  const { hasNegativeSerial, serial } = certificate
  if (hasNegativeSerial)
    throw DoesNotApply.made(
      certificate,
      'the serial of a certificate is a negative number, and no document says how it is written',
    )
  return serial
}

/** Returns the serial that the certificate in a reply contains, in plain hexadecimal. */
export function issuedSerial(reply: Reply): string {
  const certificate = certificateOf(reply)
  if (!certificate) throw replyLacks(reply, 'a certificate')
  return positiveSerial(certificate)
}

/** Saves a serial in plain hexadecimal as `{as}`, with separators as `{as}Colons` and `{as}Hyphens`, and in the format
 * of the server as `{as}Told`. That format is taken from any field of the reply, since the field is not documented, or
 * from the list of certificates; if neither has the serial, it is the one with colons. */
async function saveSerial(scope: Scope, certificate: Certificate, as: string, reply?: Reply): Promise<void> {
  const serial = positiveSerial(certificate)
  const even = serial.padStart(serial.length + (serial.length % 2), '0')
  const colons = pairs(even).join(':')
  const told = reply && serialAmong(textsOf(reply), serial)
  const form = told ?? serialAmong(keysOf(await scope.send(listedCerts)) ?? [], serial)
  scope.save(as, even)
  scope.save(`${as}Colons`, colons)
  scope.save(`${as}Hyphens`, pairs(even).join('-'))
  scope.save(`${as}Told`, form && /[-:]/.test(form) ? form : colons)
}

/** Issues a certificate and saves the serial that it contains. */
export async function saveIssued(scope: Scope, exchange: Exchange, as: string): Promise<Reply> {
  const reply = successOf(await scope.send(exchange))
  const certificate = certificateOf(reply)
  if (!certificate) throw replyLacks(reply, 'a certificate')
  await saveSerial(scope, certificate, as, reply)
  return reply
}

export const issued = (as = 'serial', exchange: Exchange = issue()) =>
  action(
    `a certificate is issued, with the serial \`${as}\``,
    { touches: [exchange, listedCerts], provides: formsOf(as) },
    async (scope) => void (await saveIssued(scope, exchange, as)),
  )

/** Saves the serial of a saved certificate. */
export const serialOf = (saved: string, as: string) =>
  action(
    `\`${as}\` is the serial of \`${saved}\``,
    { touches: [listedCerts], provides: formsOf(as) },
    async (scope) => {
      const found = certificateIn(scope.value(saved))
      if (!found) throw new StepFailed('saved-invalid', { name: saved, what: 'a certificate' })
      await saveSerial(scope, found, as)
    },
  )

/** Saves as `{as}` a serial that no certificate has, in the server's format of the serial `{serial}`. */
export const unknownSerial = (as: string, serial = 'serial') =>
  action(`\`${as}\` is a serial that no certificate has`, { provides: [as] }, async (scope) => {
    const told = scope.value(`${serial}Told`)
    const last = 0xff ^ Number.parseInt(told.slice(-2), 16)
    scope.save(as, told.slice(0, -2) + last.toString(16).padStart(2, '0'))
  })
