/** Combines flags, profile and environment into one target, and validates it. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readText } from '../safety/files.ts'
import { sizeBounds } from '../vocabulary/index.ts'
import { bounds } from '../wire/bounds.ts'
import { controlKeysIn } from './mock.ts'
import { type ClusterProfile, loadProfile, type Profile } from './profile.ts'
import type { ResolvedTarget, TlsSettings } from './target.ts'
import { UsageError } from './usage-error.ts'

/** The flags that describe the target. Times are in seconds, `maxRps` in requests per second. */
export interface TargetFlags {
  readonly target?: string
  readonly profile?: string
  /** The environment variable that contains the token. The default is `ASSAY_TOKEN`. */
  readonly tokenVariable?: string
  readonly caCert?: string
  readonly clientCert?: string
  readonly clientKey?: string
  readonly insecure?: boolean
  readonly timeout?: number
  readonly maxRps?: number
  readonly maxWait?: number
  readonly maxDuration?: number
  readonly control?: string
}

export const defaultTokenVariable = 'ASSAY_TOKEN'
export const defaultTimeoutSeconds = 30
/** Long enough for a lease of a few seconds, short enough that the run does not seem to hang. */
export const defaultMaxWaitSeconds = 20
/** Real clusters need seconds to change their role, and longer for the first copy of the data. */
const defaultPatienceSeconds = 60

/** Returns undefined if neither a URL nor a profile is given. Throws `UsageError` if the input is invalid. */
export function resolveTarget(flags: TargetFlags, env: NodeJS.ProcessEnv): ResolvedTarget | undefined {
  if (flags.target !== undefined && flags.profile !== undefined)
    throw new UsageError('--target and --profile both name a target: remove one of them')
  if (flags.profile !== undefined) return fromProfile(loadProfile(flags.profile, env), flags, env)
  if (flags.target === undefined) return assertNoTargetFlags(flags)
  const bare: Profile = {
    url: flags.target,
    headers: {},
    tls: { insecure: false },
    allowedHosts: [],
    declared: {},
    secrets: [],
  }
  return fromProfile(bare, flags, env)
}

/** Rejects flags that only make sense with a target. */
function assertNoTargetFlags({ caCert, clientCert, clientKey, insecure, control }: TargetFlags): undefined {
  const targetFlags = {
    '--ca-cert': caCert,
    '--client-cert': clientCert,
    '--client-key': clientKey,
    '--insecure': insecure,
    '--control': control,
  }
  const name = Object.entries(targetFlags).find(([, value]) => value !== undefined)?.[0]
  if (name) throw new UsageError(`${name} needs a target, but none is given: add --target or --profile`)
}

function fromProfile(profile: Profile, flags: TargetFlags, env: NodeJS.ProcessEnv): ResolvedTarget {
  const url = plainUrl(profile.url, flags.profile === undefined ? '--target' : `"url" in ${flags.profile}`)
  const token = tokenOf(profile, env[flags.tokenVariable ?? defaultTokenVariable])
  const control = flags.control ?? profile.control
  assertProxies(env)
  const tls = tlsOf(profile.tls, flags)
  return {
    url,
    name: profile.name ?? new URL(url).host,
    ...(profile.note === undefined ? {} : { note: profile.note }),
    dialect: profile.dialect ?? 'vault',
    ...(token === undefined ? {} : { token }),
    headers: profile.headers,
    tls,
    allowedHosts: profile.allowedHosts,
    declared: profile.declared,
    ...timesOf(profile, flags),
    ...(control === undefined ? {} : { control: plainUrl(control, '--control') }),
    provides: providedBy(profile),
    secrets: [
      ...new Set([
        ...(token === undefined ? [] : [token]),
        ...profile.secrets,
        ...(tls.key ? [tls.key] : []),
        ...controlKeysIn(control),
      ]),
    ],
  }
}

function tokenOf(profile: Profile, tokenInEnv: string | undefined): string | undefined {
  const token = profile.token ?? (tokenInEnv || undefined)
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new UsageError(
      'the token contains white space or characters that are invalid in a header: give it exactly as it was issued',
    )
  return token
}

/** A flag takes precedence over the profile, and the profile over the default. */
const timesOf = (profile: Profile, flags: TargetFlags) => ({
  timeoutMs: (flags.timeout ?? profile.timeoutSeconds ?? defaultTimeoutSeconds) * 1000,
  maxRps: flags.maxRps ?? profile.maxRps ?? 0,
  maxWaitSeconds: flags.maxWait ?? profile.maxWaitSeconds ?? defaultMaxWaitSeconds,
  maxDurationSeconds: flags.maxDuration ?? profile.maxDurationSeconds ?? bounds.run.value,
  patienceSeconds: profile.patienceSeconds ?? defaultPatienceSeconds,
  ...(profile.immediateSeconds === undefined ? {} : { immediateSeconds: profile.immediateSeconds }),
  ...(profile.outageSeconds === undefined ? {} : { outageSeconds: profile.outageSeconds }),
})

/** Returns a URL that is safe to print. Throws `UsageError` if the text is not such a URL; the message never repeats
 * a part that may be a secret. */
export function plainUrl(text: string, source: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${source} is not an http or https URL: write it like https://server.example:8200`)
  if (url.username || url.password)
    throw new UsageError(
      `${source} contains user info, which ends up in process lists and logs: remove it and set ASSAY_TOKEN`,
    )
  if (url.search || url.hash)
    throw new UsageError(
      `${source} contains a query or fragment; tokens there end up in process lists and logs: remove it and set ASSAY_TOKEN`,
    )
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  if (/\/v1$/.test(path)) throw new UsageError(`${source} ends in /v1, which the dialect adds: remove it`)
  return url.origin + path
}

function tlsOf(profile: TlsSettings, flags: TargetFlags): TlsSettings {
  const ca = pemOf(flags.caCert, '--ca-cert') ?? profile.ca
  const cert = pemOf(flags.clientCert, '--client-cert') ?? profile.cert
  const key = pemOf(flags.clientKey, '--client-key') ?? profile.key
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('a client certificate and its key are needed together: give both, or neither')
  if (ca !== undefined) certificateIn(ca, 'the certificate authority (--ca-cert)')
  if (cert !== undefined && key !== undefined) assertPair(cert, key)
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    insecure: flags.insecure ?? profile.insecure,
  }
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

/** Throws `UsageError` if a proxy variable of the environment is not a proxy URL. The message does not repeat its
 * value, which may contain a password. */
function assertProxies(env: NodeJS.ProcessEnv): void {
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']) {
    if (!env[name] || /^https?:$/.test(URL.parse(env[name])?.protocol ?? '')) continue
    throw new UsageError(`${name} is not an http or https URL: write it like http://proxy.example:3128, or unset it`)
  }
}

function pemOf(file: string | undefined, flag: string): string | undefined {
  if (file === undefined) return undefined
  const most = sizeBounds.namedFile.value
  const text = readText(file, { what: 'a PEM file', most, mend: 'fix the path', flag })
  if (text.includes('-----BEGIN ')) return text
  throw new UsageError(`${flag} ${file} is not a PEM file: give the PEM form`)
}

function providedBy(profile: Profile): Record<string, unknown> {
  const clusters = profile.clusters?.map((cluster: ClusterProfile) => ({
    ...cluster,
    url: plainUrl(cluster.url, `the url of cluster "${cluster.name}"`),
  }))
  const provided = {
    clusters,
    'key-shares': profile.keyShares,
    'cluster-address': profile.clusterAddress,
    forwarder: profile.forwarder,
    provider: profile.provider,
    'plugin-files': profile.pluginFiles,
    environment: profile.environment,
    mounts: profile.mounts,
    principals: profile.principals,
  }
  return Object.fromEntries(Object.entries(provided).filter(([, value]) => value !== undefined))
}
