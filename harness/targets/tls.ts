/** Reads what a connection to the target needs: certificate authorities, and a client certificate with its key. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readText } from '../safety/files.ts'
import { sizeBounds } from '../vocabulary/index.ts'
import type { Source } from './sources.ts'
import type { TlsSettings } from './target.ts'
import { UsageError } from './usage-error.ts'
import { isOn, noVariables, type Variable, type Variables } from './variables.ts'

interface TlsFlags {
  readonly caCert?: string
  readonly clientCert?: string
  readonly clientKey?: string
  readonly insecure?: boolean
}

interface Pem {
  readonly text: string | undefined
  readonly source: readonly Source[]
}

/** Returns the text of a PEM file: that of the flag, else that of the profile, else that of the variable. */
function pemFrom(
  what: string,
  flag: string,
  file: string | undefined,
  own: string | undefined,
  variable?: Variable,
): Pem {
  if (file !== undefined) return { text: pemOf(file, flag), source: [{ what, value: file, from: flag }] }
  if (own !== undefined) return { text: own, source: [{ what, value: 'set', from: 'the profile' }] }
  if (variable === undefined) return { text: undefined, source: [] }
  const { name, value } = variable
  return { text: pemOf(value, name), source: [{ what, value, from: name }] }
}

/** Returns the settings, and where they come from. */
export function tlsOf(
  profile: TlsSettings,
  flags: TlsFlags,
  variables: Variables,
): readonly [TlsSettings, readonly Source[]] {
  // A certificate and its key come from the same place, because they belong together.
  const hasPair = [flags.clientCert, flags.clientKey, profile.cert, profile.key].some((one) => one !== undefined)
  const pair = hasPair ? noVariables : variables
  const trusted = pemFrom('certificate authorities', '--ca-cert', flags.caCert, profile.ca, variables.find('CACERT'))
  const shown = pemFrom('client certificate', '--client-cert', flags.clientCert, profile.cert, pair.find('CLIENT_CERT'))
  const held = pemFrom('client key', '--client-key', flags.clientKey, profile.key, pair.find('CLIENT_KEY'))
  const unverified = uncheckedBy(profile, flags, variables)
  assertTogether(trusted.text, shown.text, held.text)
  return [
    {
      ...(trusted.text === undefined ? {} : { ca: trusted.text }),
      ...(shown.text === undefined ? {} : { cert: shown.text }),
      ...(held.text === undefined ? {} : { key: held.text }),
      insecure: unverified !== undefined,
    },
    [
      ...[trusted, shown, held].flatMap(({ source }) => source),
      ...(unverified === undefined ? [] : [{ what: 'certificate check', value: 'off', from: unverified }]),
    ],
  ]
}

/** Returns what says that the certificate of the target is not verified. */
function uncheckedBy(profile: TlsSettings, { insecure }: TlsFlags, variables: Variables): string | undefined {
  if (insecure) return '--insecure'
  if (profile.insecure) return 'the profile'
  const variable = variables.find('SKIP_VERIFY')
  return variable && isOn(variable) ? variable.name : undefined
}

function assertTogether(ca: string | undefined, cert: string | undefined, key: string | undefined): void {
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('a client certificate and its key are needed together: give both, or neither')
  if (ca !== undefined) certificateIn(ca, 'the certificate authority (--ca-cert)')
  if (cert !== undefined && key !== undefined) assertPair(cert, key)
}

function certificateIn(pem: string, name: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new UsageError(`${name} is not a certificate: give a PEM file that begins with one`)
  }
}

/** Checks that certificate and key belong together. The error of the TLS library would name neither of them. */
function assertPair(cert: string, key: string): void {
  const certificate = certificateIn(cert, 'the client certificate (--client-cert)')
  let isPair: boolean
  try {
    isPair = certificate.checkPrivateKey(createPrivateKey(key))
  } catch {
    throw new UsageError(
      'the client key (--client-key) is not a private key without a passphrase: give one in PEM form',
    )
  }
  if (!isPair)
    throw new UsageError('the client key does not belong to the client certificate: give the key of this certificate')
}

function pemOf(file: string | undefined, flag: string): string | undefined {
  if (file === undefined) return undefined
  const most = sizeBounds.namedFile.value
  const text = readText(file, { what: 'a PEM file', most, mend: 'fix the path', flag })
  if (text.includes('-----BEGIN ')) return text
  throw new UsageError(`${flag} ${file} is not a PEM file: give the PEM form`)
}
