/** Reads what a connection to the target needs: certificate authorities, and a client certificate with its key. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from '../profile/sources.ts'
import { isOn, noVariables, type Variable, type Variables } from '../profile/variables.ts'
import { readText } from '../safety/files.ts'
import { defined } from '../vocabulary/defined.ts'
import { sizeBounds } from '../vocabulary/index.ts'
import type { TlsSettings } from './target.ts'
import { UsageError } from './usage-error.ts'

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

/** Returns the certificates of all files of a folder, without those that its links lead to once more. */
function folderOf({ name, value }: Variable): Pem {
  const most = sizeBounds.namedFile.value
  const texts = filesOf(name, value).map((file) =>
    readText(join(value, file), { what: 'a certificate', most, mend: `leave it out of ${name}`, mayBeEmpty: true }),
  )
  const text = [...new Set(texts)].filter((one) => one.includes('-----BEGIN CERTIFICATE')).join('\n')
  if (text === '') throw new UsageError(`${name} ${value} has no certificates in PEM form: fix the path`)
  if (text.length > most)
    throw new UsageError(`${name} ${value} has more than ${most} bytes of certificates: name a smaller folder`)
  return { text, source: [{ what: 'certificate authorities', value, from: name }] }
}

function filesOf(name: string, folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((file) => statSync(join(folder, file)).isFile())
      .toSorted()
  } catch (error) {
    throw new UsageError(`${name} ${folder} cannot be read (${(error as NodeJS.ErrnoException).code}): fix the path`)
  }
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
  const trusted = trustedBy(profile, flags, variables)
  const shown = pemFrom('client certificate', '--client-cert', flags.clientCert, profile.cert, pair.find('CLIENT_CERT'))
  const held = pemFrom('client key', '--client-key', flags.clientKey, profile.key, pair.find('CLIENT_KEY'))
  const unverified = uncheckedBy(profile, flags, variables)
  assertTogether(trusted.text, shown.text, held.text)
  return [
    { ...defined({ ca: trusted.text, cert: shown.text, key: held.text }), insecure: unverified !== undefined },
    [
      ...[trusted, shown, held].flatMap(({ source }) => source),
      ...(unverified === undefined ? [] : [{ what: 'certificate check', value: 'off', from: unverified }]),
    ],
  ]
}

/** Of both variables, the file wins, as in the command lines of the family. */
function trustedBy(profile: TlsSettings, { caCert }: TlsFlags, variables: Variables): Pem {
  const [file, folder] = [variables.find('CACERT'), variables.find('CAPATH')]
  const isImplied = caCert === undefined && profile.ca === undefined && file === undefined
  if (isImplied && folder) return folderOf(folder)
  return pemFrom('certificate authorities', '--ca-cert', caCert, profile.ca, file)
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
