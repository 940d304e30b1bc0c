/** Whose reply is this? A reply of a gateway in front of the server shows nothing about the server (readings of the
 * documents, 75). This is the only table of the forms by which such a reply is recognised. */

import type { Reply } from './exchange.ts'
import { isObject } from './reply.ts'

type Answer = Pick<Reply, 'headers' | 'bytes' | 'text' | 'json' | 'status'>

interface Mark {
  /** Completes "answered by …, with …". */
  readonly form: string
  matches(answer: Answer): boolean
}

/** Texts that gateways send in place of a server's reply. No server of the documents sends them. */
const gatewayTexts =
  /^(upstream (connect|request)|no healthy upstream|RBAC: access denied|no available server|Bad Gateway$|Service Unavailable$)/

/** Messages of API gateways, which send them as the only text of an object. */
const gatewayMessages =
  /^(Forbidden|Unauthorized|Missing Authentication Token|no Route matched|Internal server error|Endpoint request timed out)/

const isShort = ({ bytes }: Answer): boolean => bytes.length > 0 && bytes.length <= 4096
const lessThan = 0x3c

const page = 'a page'

/** A refusal of a server of this family has `errors`; a success may be any object. */
const marks: readonly Mark[] = [
  {
    form: page,
    matches: ({ headers, bytes, text }) =>
      bytes[0] === lessThan || /\bhtml\b/i.test(headers['content-type'] ?? '')
        ? bytes.length > 0 && /^\s*<(!doctype|html|head|body|\?xml)/i.test(text.slice(0, 200))
        : false,
  },
  {
    form: 'a text of its own',
    matches: (answer) => isShort(answer) && answer.json === undefined && gatewayTexts.test(answer.text),
  },
  {
    form: 'an envelope of its own',
    matches: ({ status, json }) =>
      status >= 400 &&
      isObject(json) &&
      !('errors' in json) &&
      (isObject(json.fault) || (typeof json.message === 'string' && gatewayMessages.test(json.message))),
  },
]

/** Products by which a gateway names itself, in a header or on its page. */
const product =
  /\b(nginx|openresty|istio-envoy|envoy|cloudflare|awselb|apache|haproxy|varnish|caddy|traefik|kong|squid)\b/i

/** Returns who sent a reply in place of the server, in words, or undefined if it is the server's: `nginx, with a page`. */
export function gatewayOf(answer: Answer): string | undefined {
  const mark = marks.find(({ matches }) => matches(answer))
  if (!mark) return undefined
  const named = product.exec(answer.headers.server ?? '') ?? product.exec(answer.text.slice(0, 4096))
  return `${named?.[0].toLowerCase() ?? 'something in front of the target'}, with ${mark.form}`
}

/** Returns whether a reply is a web page, which no server of the documents sends. */
export const isPage = (answer: Answer): boolean => marks.some(({ form, matches }) => form === page && matches(answer))

/** Returns the name in the words of `gatewayOf`. */
export const gatewayIn = (words: string): string => words.split(', with ')[0] ?? words

/** A reply of a server of this family is an object with one of these, if it has a body at all. */
const isOwn = ({ json }: Answer): boolean =>
  isObject(json) && ['errors', 'data', 'auth', 'request_id'].some((name) => name in json)

/** Returns who answered, in words. A reply without a body may be anybody's. */
export const answererOf = (answer: Answer): string =>
  gatewayOf(answer) ??
  (isOwn(answer) ? 'the target itself' : 'the target, or something in front of it that does not say who it is')
