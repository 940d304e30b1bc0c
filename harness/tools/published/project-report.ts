/** Writes what a product does wrong as a report that its project could file: request, wanted, saw, version. */
import type { Cause, CheckResult, Documents, RecordedExchange, ResultDocument } from '../../vocabulary/index.ts'
import type { Deviation } from './deviations.ts'
import { stated } from './known-list.ts'

export function projectReportOf(
  { target, checks, suite, register }: ResultDocument,
  { does, matters }: Deviation,
  causes: readonly Cause[],
): string {
  const shown = causes.flatMap((cause) => {
    const check = checks.find(({ id }) => id === cause.checks[0])
    return check ? [{ cause, check }] : []
  })
  return `# ${does.replace(/\.$/, '')}

Seen in ${target.facts.product} ${target.facts.version}. ${matters}

${shown.map(({ cause, check }) => section(cause, check, register.documents)).join('\n\n')}

Every failed check of this kind: ${causes
    .flatMap((cause) => cause.checks)
    .map((id) => `\`${id}\``)
    .join(', ')} (${suite.name} ${suite.version}).
`
}

function section(cause: Cause, check: CheckResult, documents: Documents | undefined): string {
  const [mismatch] = check.mismatches
  const steps = check.exchanges.filter(
    ({ phase, to, isShared }) => to === undefined && isShared === undefined && phase !== 'probe' && phase !== 'undo',
  )
  return `## ${cause.request ? `\`${cause.request}\`` : cause.says}

Wanted: ${stated(cause, documents)}

Saw: ${mismatch ? `\`${plain(mismatch.asked)}\` has \`${mismatch.at}\`: ${plain(mismatch.saw)}; wanted ${plain(mismatch.wanted)}.` : cause.says}

\`\`\`http
${steps.map(exchangeText).join('\n')}
\`\`\``
}

/** Names of the run, and everything that differs from run to run, would only distract. */
function exchangeText({ method, url, requestBody, attempts }: RecordedExchange): string {
  const { status, responseBody } = attempts.at(-1) ?? {}
  const { pathname, search } = new URL(url)
  return `${method} ${plain(pathname + search)}${requestBody ? ` ${plain(requestBody)}` : ''}
  → ${status ?? 'no reply'}${responseBody ? ` ${plain(told(responseBody))}` : ''}`
}

/** Returns what a reply says: its data or errors, without what every reply has. */
function told(body: string): string {
  try {
    const { data, errors } = JSON.parse(body)
    return JSON.stringify(errors ?? data ?? {})
  } catch {
    return body
  }
}

const longest = 400

function plain(text: string): string {
  const short = text
    .replace(/-----BEGIN ([^-]+)-----.*?-----END \1-----/gs, '<$1>')
    .replace(/assay-[a-z0-9]+-\d+-?/g, 'my-')
    .replace(/127\.0\.0\.1:\d+/g, 'provider.example')
    .replace(/\s+/g, ' ')
    .trim()
  return short.length <= longest ? short : `${short.slice(0, longest)}…`
}
