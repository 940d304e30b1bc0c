/** Expectations of how certificates, CSRs and keys are encoded, and of which of them a reply has. */
import type { Expectation, Reply, Scope } from '../../../harness/vocabulary/index.ts'
import {
  fieldOf,
  isSuccess,
  keysOf as listedKeysOf,
  mismatch,
  notAsPrepared,
  notSuccess,
  shortfall,
  shown,
} from '../../../harness/vocabulary/index.ts'
import { expectation } from '../../records.ts'
import { caPem } from '../given/given.ts'
import { base64, pemBlocks } from '../judge/der.ts'
import {
  allCertificates,
  certificateOf,
  certificatesOf,
  type FoundKey,
  isKeyOf,
  keysIn,
  keysOf,
  revocationListOf,
  signingRequestOf,
} from '../judge/reply.ts'
import { documentOf, sameSet, savedCertificate, unseen } from './then.ts'

export type Field = 'certificate' | 'csr'
export type Encoding = 'pem' | 'der'

const textOf = (reply: Reply, field: Field): string => {
  const text = fieldOf(reply, field)
  return isSuccess(reply) && typeof text === 'string' ? text : ''
}

function encodingOf(text: string): Encoding | undefined {
  if (pemBlocks(text).length > 0) return 'pem'
  return base64(text) ? 'der' : undefined
}

/** The field holds a certificate or CSR in this encoding; a bundle is PEM. */
export const encodedAs = (field: Field, encoding: Encoding) =>
  expectation(`\`${field}\` is ${encoding === 'pem' ? 'PEM' : 'DER in base64'}`, ({ reply }) => {
    if (isSuccess(reply) && fieldOf(reply, field) === undefined) throw unseen(reply, `\`${field}\``)
    const saw = encodingOf(textOf(reply, field))
    const found = field === 'csr' ? signingRequestOf(reply) : certificateOf(reply)
    if (found && saw === encoding) return undefined
    return shortfall(reply, field, encoding, saw ?? shown(fieldOf(reply, field)))
  })

const keyWords = ({ encoding, isPkcs8 }: FoundKey): string => `${isPkcs8 ? 'PKCS#8' : 'no PKCS#8'} in ${encoding}`

/** The encoding of the private key depends on `format`. If `format` has no effect, only that is a finding (reading 65),
 * which another check makes. */
export const whereEncoded = (field: Field, encoding: Encoding, expectation: Expectation): Expectation => ({
  ...expectation,
  words: `where \`${field}\` is ${encoding}, ${expectation.words}`,
  async judge(seen, before) {
    const flaw = isSuccess(seen.reply) ? await encodedAs(field, encoding).judge(seen, undefined) : undefined
    if (flaw) throw notAsPrepared(flaw, seen.reply)
    return expectation.judge(seen, before)
  },
})

/** The reply has a private key in one of these encodings and, if `isPkcs8`, as PKCS#8. The documents do not state whether
 * `private_key_format` also governs a key inside a bundle, so one such key in the reply is enough. */
export const keyEncodedAs = (encodings: readonly Encoding[], isPkcs8: boolean) =>
  expectation(`the private key is ${isPkcs8 ? 'PKCS#8 in ' : ''}${encodings.join(' or ')}`, ({ reply }) => {
    const keys = keysOf(reply)
    const wanted = (key: FoundKey): boolean => encodings.includes(key.encoding) && (key.isPkcs8 || !isPkcs8)
    if (keys.some(wanted)) return undefined
    const saw = keys.length > 0 ? keys.map(keyWords).join('; ') : 'no private key'
    return shortfall(reply, 'private key', `${isPkcs8 ? 'PKCS#8 in ' : ''}${encodings.join(' or ')}`, saw)
  })

/** Every private key in the reply, and at least one, belongs to its certificate or CSR. */
export const keyBelongs = expectation('the private key is that of the certificate or CSR', ({ reply }) => {
  const [document, keys] = [documentOf(reply), keysOf(reply)]
  if (isSuccess(reply) && !document) throw unseen(reply, 'certificate or CSR')
  const own = keys.filter((key) => document && isKeyOf(key, document.publicKey))
  if (own.length > 0 && own.length === keys.length) return undefined
  const saw = keys.length === 0 ? 'no private key' : 'a key that does not belong'
  return shortfall(reply, 'private key', 'the private key of the certificate or CSR', saw)
})

export const holdsKey: Expectation = {
  words: 'the reply holds a private key',
  judge: ({ reply }) =>
    keysOf(reply).length > 0 ? undefined : shortfall(reply, 'private key', 'a private key', 'none'),
}

/** The reply has the certificate in any field, since the documents do not name the field. */
export const holdsIssued: Expectation = {
  words: 'the reply holds the certificate',
  judge: ({ reply }) => (certificateOf(reply) ? undefined : shortfall(reply, 'body', 'the issued certificate', 'none')),
}

export const holdsRequest: Expectation = {
  words: 'the reply holds a CSR',
  judge: ({ reply }) => (signingRequestOf(reply) ? undefined : shortfall(reply, 'body', 'a CSR', 'none')),
}

export const holdsNoKey = expectation('the reply holds no private key', ({ reply }) => {
  if (!isSuccess(reply)) return notSuccess(reply)
  // An empty reply shows nothing about the key.
  if (!documentOf(reply)) return shortfall(reply, 'body', 'a certificate or CSR', 'none')
  return keysOf(reply).length === 0 ? undefined : mismatch(reply, 'body', 'no private key', 'a private key')
})

/** The reply does not have the private key of a saved certificate. */
export const holdsNoKeyOf = (name: string) =>
  expectation(`the reply does not hold the private key of \`${name}\``, ({ reply, scope }) => {
    const { publicKey } = savedCertificate(scope, name)
    const isHeld = keysOf(reply).some((key) => isKeyOf(key, publicKey))
    return isHeld ? mismatch(reply, 'body', `no private key of \`${name}\``, 'that key') : undefined
  })

export const listsNoKey = expectation('the list holds no private key', ({ reply }) => {
  if ((listedKeysOf(reply) ?? []).length === 0) return shortfall(reply, 'keys', 'serials', 'none')
  return keysOf(reply).length === 0 ? undefined : mismatch(reply, 'body', 'no private key', 'a private key')
})

/** A root is generated, and the reply has no private key. The reply need not show the certificate: if it does not, the
 * certificate is read at `ca/pem`. */
export const makesRootWithoutKey: Expectation = {
  words: 'there is a root, and the reply holds no private key',
  touches: [caPem],
  async judge(seen) {
    const { reply, scope } = seen
    if (!isSuccess(reply) || documentOf(reply) || keysOf(reply).length > 0) return holdsNoKey.judge(seen, undefined)
    return holdsNoKey.judge({ reply: await scope.send(caPem), scope }, undefined)
  },
}

/** Describes the content of a bundle: its keys, then its certificates or CSRs in order. */
function contentsOf(reply: Reply, field: Field): readonly string[] {
  const blocks = pemBlocks(textOf(reply, field))
  const own = documentOf(reply)
  const keys = blocks.filter(({ label }) => label.endsWith('PRIVATE KEY'))
  // OpenSSL writes the parameters of the curve before an EC key. They belong to the key.
  const rest = blocks.filter((block) => !keys.includes(block) && block.label !== 'EC PARAMETERS')
  return [
    ...keys.map(({ text }) => {
      const [key] = keysIn(text)
      return key && own && isKeyOf(key, own.publicKey) ? 'its key' : 'a foreign key'
    }),
    ...rest.map(({ label, text }, index) => {
      const [found] = certificatesOf(text)
      if (!found) return label.endsWith('CERTIFICATE REQUEST') ? 'the CSR' : label
      const [leaf] = certificatesOf(
        rest.find((block) => certificatesOf(block.text)[0]?.basicConstraints?.ca !== true)?.text ?? '',
      )
      if (leaf && found.der.equals(leaf.der)) return 'the certificate'
      return leaf?.isSignedBy(found.publicKey) ? 'its CA' : `another certificate (${index + 1})`
    }),
  ]
}

/** The bundle has exactly these parts, in any order. */
export const bundleIs = (field: Field, wanted: readonly string[]) =>
  expectation(`\`${field}\` holds ${wanted.join(', and ')}`, ({ reply }) => {
    const saw = contentsOf(reply, field)
    if (sameSet(saw, wanted)) return undefined
    return shortfall(reply, field, wanted.join(', '), saw.join(', ') || 'no PEM')
  })

/** The bundle has these parts. A server may add the certificates above the CA, which the documents do not mention. */
export const bundleHolds = (field: Field, wanted: readonly string[]) =>
  expectation(`\`${field}\` holds ${wanted.join(', and ')}, alone or beside others`, ({ reply }) => {
    const saw = contentsOf(reply, field)
    if (wanted.every((one) => saw.includes(one)) && !saw.includes('a foreign key')) return undefined
    return shortfall(reply, field, wanted.join(', '), saw.join(', ') || 'no PEM')
  })

/** The bundle has its own certificate before that of the CA, because readers of a bundle use the first certificate. */
export const ownComesFirst = expectation('`certificate` has the certificate before its CA', ({ reply }) => {
  const saw = contentsOf(reply, 'certificate')
  const [own, ca] = [saw.indexOf('the certificate'), saw.indexOf('its CA')]
  if (isSuccess(reply) && (own < 0 || ca < 0)) throw unseen(reply, 'bundle with a CA')
  if (isSuccess(reply) && own < ca) return undefined
  return shortfall(reply, 'certificate', 'the certificate, then its CA', saw.join(', '))
})

/** Returns whether a saved certificate is anywhere in the reply. */
export const shows =
  (name: string) =>
  (reply: Reply, scope: Scope): boolean => {
    const wanted = savedCertificate(scope, name)
    // A bare body in DER is not text.
    const all = [certificateOf(reply), ...allCertificates(reply)]
    return all.some((one) => one?.der.equals(wanted.der))
  }

/** A saved certificate is anywhere in the reply, which may have other certificates, too. */
export const holdsCertificate = (name: string) =>
  expectation(`the reply holds the certificate \`${name}\``, ({ reply, scope }) => {
    if (isSuccess(reply) && shows(name)(reply, scope)) return undefined
    const all = isSuccess(reply) ? allCertificates(reply) : []
    const saw = all.map((one) => one.subject.common_name?.join() ?? 'without a common name').join(', ')
    return shortfall(reply, 'body', `the certificate \`${name}\``, saw || 'no certificate')
  })

/** The reply holds the first certificate, and does not hold the second one. */
export const holdsCertificateWithout = (name: string, other: string): Expectation => {
  const holds = holdsCertificate(name)
  return expectation(`${holds.words}, and not \`${other}\``, (seen, before) => {
    const { reply, scope } = seen
    if (!isSuccess(reply) || !shows(other)(reply, scope)) return holds.judge(seen, before)
    return mismatch(reply, 'body', `\`${name}\` without \`${other}\``, `\`${other}\``)
  })
}

/** A saved certificate is in the reply, without a private key. */
export const holdsCertificateAlone = (name: string) =>
  expectation(`the certificate \`${name}\` is read, and no private key`, (seen) => {
    const { reply } = seen
    if (keysOf(reply).length > 0) return mismatch(reply, 'body', 'no private key', 'a private key')
    return holdsCertificate(name).judge(seen, undefined)
  })

type Label = 'CERTIFICATE' | 'CRL'

/** Returns the encoding of a whole body; undefined if it is unknown. */
function formOf(reply: Reply, label: Label): 'JSON' | 'PEM' | 'DER' | undefined {
  if (reply.json !== undefined) return 'JSON'
  if (pemBlocks(reply.text).some((block) => block.label.endsWith(label))) return 'PEM'
  // The DER of a certificate or CRL begins with the tag of a sequence.
  return reply.bytes[0] === 0x30 ? 'DER' : undefined
}

/** The body is the bare object in this encoding: a CRL, or the certificate that was saved as `same`. */
export function isBare(encoding: Encoding, label: Label, same?: string): Expectation {
  const what = label === 'CRL' ? 'a CRL' : `the certificate \`${same}\``
  const wanted = `${encoding.toUpperCase()} of ${what}`
  const isHeld = (reply: Reply, scope: Scope): boolean =>
    label === 'CRL' ? revocationListOf(reply) !== undefined : same !== undefined && shows(same)(reply, scope)
  return expectation(`the body is ${wanted}, bare`, ({ reply, scope }) => {
    if (!isSuccess(reply)) return notSuccess(reply)
    const form = formOf(reply, label)
    const found = isHeld(reply, scope)
    if (form === encoding.toUpperCase() && found) return undefined
    const saw = form === undefined ? shown(reply.text, 80) : `${form}${found ? '' : ' of something else'}`
    return mismatch(reply, 'body', wanted, saw)
  })
}
