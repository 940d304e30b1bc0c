/** Combines flags, profile and environment into one target, and validates it. */

import { type ClusterProfile, loadProfile, type Profile } from '../profile/profile.ts'
import type { Source } from '../profile/sources.ts'
import { noVariables, type Variables, variablesFor } from '../profile/variables.ts'
import { defined } from '../vocabulary/defined.ts'
import { bounds } from '../wire/bounds.ts'
import { controlKeysIn } from './mock.ts'
import type { ResolvedTarget } from './target.ts'
import { tlsOf } from './tls.ts'
import { tokenFileWords } from './token-file.ts'
import { UsageError } from './usage-error.ts'

/** The flags that describe the target. Times are in seconds, `maxRps` in requests per second. */
export interface TargetFlags {
  readonly target?: string
  readonly profile?: string
  /** What named the target or the profile, if no flag did, in words. */
  readonly namedBy?: string
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
const defaultTimeoutSeconds = 30
/** Long enough for a lease of a few seconds, short enough that the run does not seem to hang. */
const defaultMaxWaitSeconds = 20
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
  if (name) throw new UsageError(`${name} needs a target, but none is given: give its address, or a --profile`)
}

function fromProfile(profile: Profile, flags: TargetFlags, env: NodeJS.ProcessEnv): ResolvedTarget {
  const typed = flags.namedBy ?? 'the address'
  const addressFrom = flags.profile === undefined ? typed : `"url" in ${flags.profile}`
  const isFound = flags.profile !== undefined && flags.namedBy !== undefined
  const url = plainUrl(profile.url, addressFrom)
  const tokenVariable = flags.tokenVariable ?? defaultTokenVariable
  // Each of several targets has a token variable of its own. The other variables are about one server.
  const variables = flags.tokenVariable === undefined ? variablesFor(url, env, !isFound) : noVariables
  const [token, tokenFrom, unusedFile] = tokenOf(profile, tokenVariable, env, variables)
  const control = flags.control ?? profile.control
  assertProxies(env)
  const [tls, tlsFrom] = tlsOf(profile.tls, flags, variables)
  const [headers, namespaceFrom] = headersOf(profile, variables)
  const times = timesOf(profile, flags)
  return {
    url,
    name: profile.name ?? new URL(url).host,
    dialect: profile.dialect ?? 'vault',
    headers,
    tls,
    allowedHosts: profile.allowedHosts,
    declared: profile.declared,
    ...times,
    ...defined({ note: profile.note, token, control: control && plainUrl(control, '--control') }),
    provides: providedBy(profile, headers),
    secrets: [...new Set([token, ...profile.secrets, tls.key, ...controlKeysIn(control)])].filter(
      (secret) => secret !== undefined,
    ),
    sources: [
      { what: 'address', value: url, from: addressFrom === 'the address' ? 'command line' : addressFrom },
      ...tokenFrom,
      ...namespaceFrom,
      ...tlsFrom,
      ...timeSources(times, profile, flags),
    ],
    ...unreadOf(variables.unused, unusedFile),
  }
}

function unreadOf(...unread: readonly (string | undefined)[]): Pick<ResolvedTarget, 'unusedVariables'> {
  const said = unread.filter((one) => one !== undefined)
  return said.length === 0 ? {} : { unusedVariables: said.join('; ') }
}

/** Returns the token, where it comes from, and why the stored one is not used if it is needed. */
function tokenOf(
  profile: Profile,
  variable: string,
  env: NodeJS.ProcessEnv,
  variables: Variables,
): readonly [string | undefined, readonly Source[], string | undefined] {
  const given = [
    { value: profile.token, from: 'the profile' },
    { value: env[variable], from: variable },
    { value: variables.find('TOKEN')?.value, from: variables.find('TOKEN')?.name ?? '' },
  ].find(({ value }) => value)
  const stored = given ? {} : variables.stored()
  const found = given ?? { value: stored.token, from: stored.token === undefined ? '' : tokenFileWords }
  const token = found.value
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new UsageError(
      'the token contains white space or characters that are invalid in a header: give it exactly as it was issued',
    )
  return [token, [{ what: 'token', value: token === undefined ? 'none' : 'set', from: found.from }], stored.unused]
}

const namespaceHeader = 'X-Vault-Namespace'

const namespaceIn = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === namespaceHeader.toLowerCase())

function headersOf({ headers }: Profile, variables: Variables) {
  const given = namespaceIn(headers)
  const variable = variables.find('NAMESPACE')
  const sources = (value: string, from: string): readonly Source[] => [{ what: 'namespace', value, from }]
  if (given) return [headers, sources(given[1], 'the profile')] as const
  if (variable === undefined) return [headers, []] as const
  return [{ ...headers, [namespaceHeader]: variable.value }, sources(variable.value, variable.name)] as const
}

/** A flag takes precedence over the profile, and the profile over the default. */
const timesOf = (profile: Profile, flags: TargetFlags) => ({
  timeoutMs: (flags.timeout ?? profile.timeoutSeconds ?? defaultTimeoutSeconds) * 1000,
  maxRps: flags.maxRps ?? profile.maxRps ?? 0,
  maxWaitSeconds: flags.maxWait ?? profile.maxWaitSeconds ?? defaultMaxWaitSeconds,
  maxDurationSeconds: flags.maxDuration ?? profile.maxDurationSeconds ?? bounds.run.value,
  patienceSeconds: profile.patienceSeconds ?? defaultPatienceSeconds,
  ...defined({ immediateSeconds: profile.immediateSeconds, outageSeconds: profile.outageSeconds }),
})

function timeSources(times: ReturnType<typeof timesOf>, profile: Profile, flags: TargetFlags): readonly Source[] {
  const from = (name: keyof TargetFlags & keyof typeof timeKeys): string => {
    if (flags[name] !== undefined) return timeKeys[name].flag
    return profile[timeKeys[name].key] === undefined ? 'default' : 'the profile'
  }
  return [
    { what: 'timeout', value: `${times.timeoutMs / 1000} s`, from: from('timeout') },
    { what: 'requests per second', value: times.maxRps === 0 ? 'unlimited' : `${times.maxRps}`, from: from('maxRps') },
    { what: 'longest wait', value: `${times.maxWaitSeconds} s`, from: from('maxWait') },
    { what: 'longest run', value: `${times.maxDurationSeconds} s`, from: from('maxDuration') },
  ]
}

const timeKeys = {
  timeout: { flag: '--timeout', key: 'timeoutSeconds' },
  maxRps: { flag: '--max-rps', key: 'maxRps' },
  maxWait: { flag: '--max-wait', key: 'maxWaitSeconds' },
  maxDuration: { flag: '--max-duration', key: 'maxDurationSeconds' },
} as const

/** Matches an address that was copied from an API call or from the user interface of such a server. */
const beyondServer = /^(.*?)\/(v1(?:\/(?:sys|auth|identity)(?:\/.*)?)?|ui(?:\/vault(?:\/.*)?)?)$/

/** Returns a URL that is safe to print. Throws `UsageError` if the text is not such a URL; the message never repeats
 * a part that may be a secret. */
function plainUrl(text: string, source: string): string {
  if (text === '') throw new UsageError(`${source} is empty: write it like https://server.example:8200`)
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
  const [, prefix, beyond] = beyondServer.exec(path) ?? []
  if (prefix !== undefined)
    throw new UsageError(
      `${source} goes beyond the server: leave out "/${beyond}", and give ${url.origin}${prefix} (a prefix of the path stays)`,
    )
  return url.origin + path
}

/** Throws `UsageError` if a proxy variable of the environment is not a proxy URL. The message does not repeat its
 * value, which may contain a password. */
function assertProxies(env: NodeJS.ProcessEnv): void {
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']) {
    if (!env[name] || /^https?:$/.test(URL.parse(env[name])?.protocol ?? '')) continue
    throw new UsageError(`${name} is not an http or https URL: write it like http://proxy.example:3128, or unset it`)
  }
}

function providedBy(profile: Profile, headers: Readonly<Record<string, string>>): Record<string, unknown> {
  const clusters = profile.clusters?.map((cluster: ClusterProfile) => ({
    ...cluster,
    url: plainUrl(cluster.url, `the url of cluster "${cluster.name}"`),
  }))
  return defined({
    clusters,
    'key-shares': profile.keyShares,
    'cluster-address': profile.clusterAddress,
    forwarder: profile.forwarder,
    provider: profile.provider,
    'plugin-files': profile.pluginFiles,
    environment: profile.environment,
    mounts: profile.mounts,
    principals: profile.principals,
    namespace: namespaceIn(headers)?.[1].replaceAll('/', '') || undefined,
  })
}
