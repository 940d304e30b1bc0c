import type { RecordedExchange } from '../../../harness/vocabulary/index.ts'

/** The exchange as a command for a POSIX shell. A token is never in it: the operator's stands as `$ASSAY_TOKEN`, one that
 * a check made as `$ASSAY_TOKEN_<NAME>`. */
export function curlOf(exchange: RecordedExchange, insecure: boolean): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  const holder =
    exchange.as === 'operator' || exchange.as === 'nobody'
      ? 'ASSAY_TOKEN'
      : `ASSAY_TOKEN_${exchange.as.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`
  const redacted = /\[redacted:[^\]]*\]/
  // Set by curl itself, or true of one connection only.
  const dropped = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding', 'user-agent']
  const parts = ['curl -sS -i']
  if (insecure) parts[0] += ' --insecure'
  if (/[[\]{}]/.test(exchange.url)) parts[0] += ' --globoff'
  if (/\/\.\.?(\/|$|\?)/.test(exchange.url)) parts[0] += ' --path-as-is'
  if (exchange.method === 'HEAD') parts[0] += ' --head'
  else if (exchange.method !== 'GET' || exchange.requestBody !== undefined)
    parts[0] += ` -X ${quoted(exchange.method).replace(/^'([A-Z]+)'$/, '$1')}`
  parts.push(quoted(exchange.url))
  for (const [name, value] of Object.entries(exchange.requestHeaders)) {
    if (dropped.includes(name.toLowerCase())) continue
    const line = value === '' ? `${name};` : `${name}: ${value}`
    const isToken = /^(authorization|.*token)$/i.test(name)
    parts.push(
      isToken && redacted.test(line)
        ? `-H ${line
            .split(redacted)
            .map((piece) => (piece === '' ? '' : quoted(piece)))
            .join(`"$${holder}"`)}`
        : `-H ${quoted(line)}`,
    )
  }
  const body = exchange.requestBody
  if (body === undefined) return parts.join(' \\\n  ')
  if (!body.includes('\0')) return [...parts, `--data-raw ${quoted(body)}`].join(' \\\n  ')
  // No argument of a command can hold a NUL.
  const printed = body.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll('\0', '\\000')
  return `printf ${quoted(printed)} | ${[...parts, '--data-binary @-'].join(' \\\n  ')}`
}
