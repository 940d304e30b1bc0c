import { createRequire } from 'node:module'
import type { Dispatcher } from 'undici'
import type { TlsSettings } from '../targets/target.ts'
import { UsageError } from '../targets/usage-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

interface Settings {
  readonly tls: TlsSettings
  readonly timeoutMs: number
  readonly environment: Environment
}

export interface Proxies {
  readonly http?: string
  readonly https?: string
  readonly except: string
}

/** The usual variables, in either case. A proxy is never asked for this machine itself: the embedded reference server
 * must work behind a company proxy too. Throws `UsageError`, without the URL, which may hold a password. */
export function proxiesOf(environment: Environment): Proxies | undefined {
  const either = (name: string) => environment[name.toLowerCase()] || environment[name.toUpperCase()]
  const proxy = (name: string) => {
    const url = either(name)
    if (url && !isProxyUrl(url))
      throw new UsageError(`${name.toUpperCase()} is not the URL of a proxy: write it as http://host:port`)
    return url
  }
  const http = proxy('http_proxy')
  const https = proxy('https_proxy')
  if (!http && !https) return undefined
  const except = [either('no_proxy'), 'localhost', '127.0.0.1', '::1'].filter(Boolean).join(',')
  return { ...(http ? { http } : {}), ...(https ? { https } : {}), except }
}

function isProxyUrl(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text)
    decodeURIComponent(username + password)
    return /^(https?|socks5?):$/.test(protocol)
  } catch {
    return false
  }
}

/** Passwords in the URLs of the proxies. */
export function proxyPasswords(environment: Environment): readonly string[] {
  const { http, https } = proxiesOf(environment) ?? {}
  return [http, https].flatMap((url) => {
    const password = url === undefined ? '' : new URL(url).password
    return password === '' ? [] : [password, decodeURIComponent(password)]
  })
}

export interface Ways {
  readonly dispatcher: Dispatcher
  /** Host and port of the proxy that requests to an origin go through, once one was tried. */
  proxyOf(origin: string): string | undefined
  /** The TLS alert with which an origin ended a connection since this was last asked. */
  takeAlert(origin: string): Error | undefined
}

/** Commands that send nothing do without it. */
const load = createRequire(import.meta.url)

/** Keep-alive connections to one or more hosts, straight or through the proxy that the environment names. */
export function createWays({ tls, timeoutMs, environment }: Settings): Ways {
  const { Agent, buildConnector, EnvHttpProxyAgent } = load('undici') as typeof import('undici')
  const handshake = {
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
    rejectUnauthorized: !tls.insecure,
  }
  const options = {
    // HTTP/2 has other rules for methods and connections than the documents' HTTP/1.1.
    allowH2: false,
    pipelining: 1,
    // One deadline for the whole exchange is kept by the attempt itself.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 64 * 1024,
  }
  const connect = { ...handshake, timeout: timeoutMs }
  const alerts = new Map<string, Error>()
  const takeAlert = (origin: string) => {
    const alert = alerts.get(origin)
    alerts.delete(origin)
    return alert
  }
  const plainly = buildConnector({ ...connect, allowH2: false })
  // A server that wants a certificate says so once the handshake is over, and closes: the client then tells of the
  // closing only.
  const connector: typeof plainly = (asked, callback) =>
    plainly(asked, (...outcome) => {
      outcome[1]?.on('error', (error: NodeJS.ErrnoException) => {
        if (/^ERR_SSL_.*ALERT/.test(error.code ?? '')) alerts.set(`${asked.protocol}//${asked.host}`, error)
      })
      callback(...outcome)
    })
  const proxies = proxiesOf(environment)
  if (!proxies)
    return { dispatcher: new Agent({ ...options, connect: connector }), proxyOf: () => undefined, takeAlert }
  // The agent alone knows which hosts NO_PROXY means, and asks this connector only for those.
  const straight = new Set<string>()
  const dispatcher = new EnvHttpProxyAgent({
    ...options,
    connect(asked, callback) {
      straight.add(`${asked.protocol}//${asked.host}`)
      connector(asked, callback)
    },
    requestTls: handshake,
    httpProxy: proxies.http ?? '',
    httpsProxy: proxies.https ?? '',
    noProxy: proxies.except,
  })
  return {
    dispatcher,
    proxyOf(origin) {
      const proxy = origin.startsWith('https:') ? (proxies.https ?? proxies.http) : proxies.http
      return proxy === undefined || straight.has(origin) ? undefined : new URL(proxy).host
    },
    takeAlert,
  }
}
