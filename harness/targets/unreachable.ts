/** Words in one sentence why a target cannot be reached and how to fix that. The exit code is 5. */
import { answererOf, isPage, type Reply } from '../vocabulary/index.ts'
import type { WireOutcome } from '../wire/client.ts'
import type { TroubleKind } from '../wire/trouble.ts'
import type { AskOperation } from './governing.ts'
import type { ResolvedTarget } from './target.ts'

export interface Unreachable {
  readonly unreachable: string
}

export function unreachableOf(outcome: WireOutcome, target: ResolvedTarget): Unreachable | undefined {
  if (outcome.reply) {
    const speaksTls =
      outcome.reply.status === 400 && /HTTP request (was sent )?to (an )?HTTPS/i.test(outcome.reply.text)
    return speaksTls ? say(target, 'it speaks TLS', 'write https:// in the URL') : undefined
  }
  const words = wordsOf(outcome)
  if (/wrong.version.number|packet length too long/i.test(words))
    return say(target, 'it does not speak TLS', 'write http:// in the URL')
  return say(target, words, mendOf(outcome, target))
}

const say = (target: ResolvedTarget, words: string, mend: string): Unreachable => ({
  unreachable: `${target.url} cannot be reached: ${words}. ${mend[0]?.toUpperCase()}${mend.slice(1)}.`,
})

/** Words the finding that a page answers whatever is asked. */
function pagesInstead(reply: Reply, { url }: ResolvedTarget): Unreachable {
  const mend = reply.status === 401 ? 'Give what it asks for in "headers" of a profile' : 'Fix the URL'
  return {
    unreachable: `${url} does not serve the API: every request is answered ${reply.status} by ${answererOf(reply)}. ${mend}, or check what is in front of the server.`,
  }
}

/** Returns why nothing can be judged: the target cannot be reached, or pages answer in place of the server, whatever is
 * asked. A single page may come from a gateway that hides one path only. */
export async function whyUnserved(health: WireOutcome, ask: AskOperation, target: ResolvedTarget) {
  const unreachable = unreachableOf(health, target)
  if (unreachable || !health.reply || !isPage(health.reply)) return unreachable
  for (const operation of ['sealStatus', 'lookupSelf'] as const) {
    const { reply } = await ask(operation, {})
    if (!reply || !isPage(reply)) return undefined
  }
  return pagesInstead(health.reply, target)
}

const wordsOf = ({ trouble = 'no reply' }: WireOutcome): string => trouble.replaceAll(/\s+/g, ' ').trim()

/** Matches the TLS alerts with which a server rejects a missing or unknown client certificate. */
const certificateAlert = /the alert "(certificate |bad certificate|handshake failure|unknown ca|no certificate)/

interface TroubleSeen {
  readonly words: string
  readonly kind: TroubleKind | undefined
  readonly isTls: boolean
  /** True if this client shows a certificate of its own. */
  readonly isKnown: boolean
}

/** The first match wins. */
const mends: readonly (readonly [mend: string, isFor: (seen: TroubleSeen) => boolean])[] = [
  [
    'check whether that proxy works, fix HTTP_PROXY or HTTPS_PROXY, or name the host in NO_PROXY',
    ({ words }) => /the proxy \S+/.test(words),
  ],
  [
    'it may ask for a client certificate: give one with --client-cert and --client-key',
    ({ words, isKnown }) => certificateAlert.test(words) && !isKnown,
  ],
  [
    'it does not accept the client certificate: give one of an authority that it trusts with --client-cert',
    ({ words }) => certificateAlert.test(words),
  ],
  ['give a host name of its certificate in the URL', ({ words }) => /altnames|unrecognized name/i.test(words)],
  [
    'renew its certificate, or set the clock of this machine',
    ({ words }) => /certificate (has expired|is not yet valid)/i.test(words),
  ],
  [
    'name its certificate authority with --ca-cert (or skip the verification with --insecure)',
    ({ kind }) => kind === 'untrusted',
  ],
  ['fix the host name in the URL', ({ words }) => /name of .{0,300} (is not known|could not be looked up)/.test(words)],
  [
    'give that URL, or name its host in "allowedHosts" of a profile',
    ({ words }) => words.startsWith('redirected to https:'),
  ],
  [
    'give the URL of the active node, or name the host in "allowedHosts" of a profile',
    ({ words }) => /^redirected/.test(words),
  ],
  ['raise --timeout, or check whether a firewall blocks the connection', ({ kind }) => kind === 'late'],
  ['fix the URL, or check which server replies there', ({ kind }) => kind === 'too-large' || kind === 'garbled'],
  [
    'check whether a proxy or the server itself ends connections, or wants a client certificate (--client-cert)',
    ({ kind, isTls, isKnown }) => kind === 'broken' && isTls && !isKnown,
  ],
  ['check whether a proxy or the server itself ends connections, and run again', ({ kind }) => kind === 'broken'],
]

export function mendOf(outcome: WireOutcome, { tls, url }: ResolvedTarget): string {
  const seen = {
    words: wordsOf(outcome),
    kind: outcome.attempts.at(-1)?.trouble?.kind,
    isTls: url.startsWith('https:'),
    isKnown: tls.cert !== undefined,
  }
  return mends.find(([, isFor]) => isFor(seen))?.[0] ?? 'start the server, or fix the URL'
}
