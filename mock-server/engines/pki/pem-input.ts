/** Reads PEM from requests, and refuses malformed PEM with a reason. */
import { badRequest } from '../../kernel/http/refusal.ts'
import type { PkiRules } from './rules/index.ts'
import { type Certificate, readCertificate } from './x509/certificate.ts'
import { type KeyPair, readPrivateKey, readPublicKey } from './x509/keys.ts'
import { readPem } from './x509/pem.ts'
import { Malformed } from './x509/reader.ts'
import { type Request, readRequest } from './x509/request.ts'

/** Calls `read`, and turns the error `Malformed` into a refusal that names the field. */
function reading<T>(field: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Malformed) throw badRequest(`${field} cannot be read: ${error.message}`)
    throw error
  }
}

export function isPem(text: string): boolean {
  try {
    return readPem(text).length > 0
  } catch {
    return false
  }
}

export const readRequestField = (csr: string, { csrVerified }: PkiRules): Request =>
  reading('csr', () => {
    const [block, ...more] = readPem(csr)
    if (!block || more.length > 0 || !/^(NEW )?CERTIFICATE REQUEST$/.test(block.label))
      throw new Malformed('it is not one PEM block of a certificate request')
    const request = readRequest(block.der, csrVerified)
    readPublicKey(request.spki)
    return request
  })

export function readCertificates(field: string, text: string): [Certificate, ...Certificate[]] {
  return reading(field, () => {
    const [first, ...more] = readPem(text)
      .filter(({ label }) => label === 'CERTIFICATE')
      .map(({ der }) => readCertificate(der))
    if (!first) throw new Malformed('it holds no PEM block of a certificate')
    readPublicKey(first.spki)
    return [first, ...more]
  })
}

export function readKeyField(field: string, text: string): KeyPair {
  return reading(field, () => {
    const [block, ...more] = readPem(text).filter(({ label }) => label.endsWith('PRIVATE KEY'))
    if (!block || more.length > 0) throw new Malformed('it does not hold one private key')
    return readPrivateKey(block.label, block.der)
  })
}

/** Refuses certificates that are not those of CAs. */
export function assertCas(field: string, certificates: readonly Certificate[]): void {
  if (!certificates.every(({ ca }) => ca)) throw badRequest(`${field}: a certificate in it is not marked for CA use`)
}
