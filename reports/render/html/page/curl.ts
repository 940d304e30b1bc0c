import type { RecordedExchange } from '../../../../harness/vocabulary/index.ts'

const redacted = /\[redacted:[^\][]*\]/

/** These headers are left out: curl sets them itself, or they concern only one connection. */
const dropped = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding', 'user-agent'])

/** Returns the exchange as a command for a POSIX shell. It never contains a token: the token of the operator is the
 * variable `$ASSAY_TOKEN`, and a token that a check made is `$ASSAY_TOKEN_<NAME>`. */
export function curlOf(exchange: RecordedExchange, insecure: boolean): string {
  const parts = [['curl -sS -i', ...optionsOf(exchange, insecure)].join(' '), quoted(exchange.url)]
  const variable = variableOf(exchange)
  for (const [name, value] of Object.entries(exchange.requestHeaders))
    if (!dropped.has(name.toLowerCase())) parts.push(`-H ${headerOf(name, value, variable)}`)
  const body = exchange.requestBody
  if (body === undefined) return joined(parts)
  if (!body.includes('\0')) return joined([...parts, `--data-raw ${quoted(body)}`])
  // An argument of a command cannot contain a NUL, so the body is piped.
  const printed = body.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll('\0', '\\000')
  return `printf ${quoted(printed)} | ${joined([...parts, '--data-binary @-'])}`
}

const joined = (parts: readonly string[]): string => parts.join(' \\\n  ')
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function variableOf({ as }: RecordedExchange): string {
  if (as === 'operator' || as === 'nobody') return 'ASSAY_TOKEN'
  return `ASSAY_TOKEN_${as.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`
}

function optionsOf({ method, url, requestBody }: RecordedExchange, insecure: boolean): readonly string[] {
  const options: string[] = []
  if (insecure) options.push('--insecure')
  if (/[[\]{}]/.test(url)) options.push('--globoff')
  if (/\/\.\.?(\/|$|\?)/.test(url)) options.push('--path-as-is')
  if (method === 'HEAD') options.push('--head')
  else if (method !== 'GET' || requestBody !== undefined)
    options.push(`-X ${/^[A-Z]+$/.test(method) ? method : quoted(method)}`)
  return options
}

function headerOf(name: string, value: string, variable: string): string {
  const line = value === '' ? `${name};` : `${name}: ${value}`
  const isToken = /^(authorization|.*token)$/i.test(name)
  if (!isToken || !redacted.test(line)) return quoted(line)
  return line
    .split(redacted)
    .map((piece) => (piece === '' ? '' : quoted(piece)))
    .join(`"$${variable}"`)
}
