import { createRequire } from 'node:module'
import type { Dispatcher } from 'undici'
import type { TlsSettings } from '../targets/target.ts'
import { UsageError } from '../targets/usage-error.ts'
import { defined } from '../vocabulary/defined.ts'
import { sizeBounds } from '../vocabulary/index.ts'

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

/** Reads the usual proxy variables, in lower or upper case. Requests to this machine never use a proxy, so that the
 * embedded reference server works behind a company proxy. Throws `UsageError` without quoting the URL, which may hold a
 * password. */
function proxiesOf(environment: Environment): Proxies | undefined {
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

/** Returns the passwords in the URLs of the proxies, raw and percent-decoded. */
export function proxyPasswords(environment: Environment): readonly string[] {
  const { http, https } = proxiesOf(environment) ?? {}
  return [http, https].flatMap((url) => {
    const password = url === undefined ? '' : new URL(url).password
    return password === '' ? [] : [password, decodeURIComponent(password)]
  })
}

export interface Ways {
  /** Sends the next request. It keeps connections alive, until one of them has been cut. */
  readonly dispatcher: Dispatcher
  /** Gives each request from now on a connection of its own. A server or gateway may end a connection that it has kept
   * alive at the moment when a request leaves. That is not the fault of the request, but nobody can tell whether it was
   * carried out, so a write is lost. On a new connection, the end has another cause. */
  keepNoneAlive(): void
  close(): Promise<void>
  /** Returns host and port of the proxy for an origin, or undefined if requests go there directly. NO_PROXY is only
   * taken into account after the first connection. */
  proxyOf(origin: string): string | undefined
  /** Returns the TLS alert with which an origin ended a connection, and forgets it. */
  takeAlert(origin: string): Error | undefined
}

type Undici = typeof import('undici')
const require = createRequire(import.meta.url)

/** undici is loaded on first use, so that commands that send nothing start faster. The whole package, with its `fetch`,
 * takes three times as long to load as two parts, and twice the memory, in every thread. Only the agent for proxies needs
 * it all. */
const load = {
  agent: () => require('undici/lib/dispatcher/agent.js') as Undici['Agent'],
  connector: () => require('undici/lib/core/connect.js') as Undici['buildConnector'],
  all: () => require('undici') as Undici,
}

/** Creates connections to one or more hosts, directly or through the proxy of the environment. */
export function createWays(settings: Settings): Ways {
  const keeping = waysOf(settings, 1)
  let single: OneWay | undefined
  return {
    get dispatcher() {
      return (single ?? keeping).dispatcher
    },
    keepNoneAlive() {
      single ??= waysOf(settings, 0)
    },
    proxyOf: (origin) => (single ?? keeping).proxyOf(origin),
    takeAlert: (origin) => single?.takeAlert(origin) ?? keeping.takeAlert(origin),
    async close() {
      await Promise.all([keeping.dispatcher.destroy(), single?.dispatcher.destroy()])
    },
  }
}

type OneWay = Pick<Ways, 'dispatcher' | 'proxyOf' | 'takeAlert'>

/** `pipelining`: the number of requests at once on a connection; with 0, it is not kept alive. */
function waysOf({ tls, timeoutMs, environment }: Settings, pipelining: 0 | 1): OneWay {
  const buildConnector = load.connector()
  const handshake = { ...defined({ ca: tls.ca, cert: tls.cert, key: tls.key }), rejectUnauthorized: !tls.insecure }
  const options = {
    // The documents describe HTTP/1.1; HTTP/2 has different rules for methods and connections.
    allowH2: false,
    pipelining,
    // Each attempt has one timeout for the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: sizeBounds.headerBytes.value,
  }
  const connect = { ...handshake, timeout: timeoutMs }
  const alerts = new Map<string, Error>()
  const takeAlert = (origin: string) => {
    const alert = alerts.get(origin)
    alerts.delete(origin)
    return alert
  }
  const baseConnector = buildConnector({ ...connect, allowH2: false })
  // A server that requires a client certificate sends its alert after the handshake and then closes; undici reports
  // only the close.
  const connector: typeof baseConnector = (asked, callback) =>
    baseConnector(asked, (...outcome) => {
      outcome[1]?.on('error', (error: NodeJS.ErrnoException) => {
        if (/^ERR_SSL_.*ALERT/.test(error.code ?? '')) alerts.set(`${asked.protocol}//${asked.host}`, error)
      })
      callback(...outcome)
    })
  const proxies = proxiesOf(environment)
  if (!proxies) {
    const Agent = load.agent()
    return { dispatcher: new Agent({ ...options, connect: connector }), proxyOf: () => undefined, takeAlert }
  }
  // Only the agent knows which hosts NO_PROXY covers. It calls this connector for those hosts alone.
  const direct = new Set<string>()
  const { EnvHttpProxyAgent } = load.all()
  const dispatcher = new EnvHttpProxyAgent({
    ...options,
    connect(asked, callback) {
      direct.add(`${asked.protocol}//${asked.host}`)
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
      return proxy === undefined || direct.has(origin) ? undefined : new URL(proxy).host
    },
    takeAlert,
  }
}
