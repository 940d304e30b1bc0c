const followed: ReadonlySet<number> = new Set([301, 302, 307, 308])
export const mostRedirects = 5

/** Tells whether a reply only says where to ask: the server that gave it has done nothing. */
export const isRedirect = (status: number | undefined): boolean => status !== undefined && followed.has(status)

export type Redirect =
  | { readonly kind: 'none' }
  | { readonly kind: 'follow'; readonly url: URL }
  | { readonly kind: 'refuse'; readonly words: string }

/** Standby nodes send clients to the active node. Method and body are kept. The token goes along, so only the target's
 * own host, or one that the profile names, is followed, and never from TLS to plain text. */
export function redirectOf(
  reply: { status: number; location: string | undefined },
  from: URL,
  allowedHosts: ReadonlySet<string>,
): Redirect {
  if (!followed.has(reply.status) || !reply.location) return { kind: 'none' }
  const url = URL.parse(reply.location, from.href)
  if (!url) return { kind: 'none' }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { kind: 'none' }
  if (from.protocol === 'https:' && url.protocol === 'http:')
    return { kind: 'refuse', words: `redirected from TLS to plain text at ${url.host}: not followed` }
  if (!allowedHosts.has(hostOf(url)))
    return {
      kind: 'refuse',
      words: `redirected to ${hostOf(url)}, which is neither the target nor a host named in the profile: not followed`,
    }
  return { kind: 'follow', url }
}

/** `host:port`, the port always spelt out. */
export const hostOf = (url: URL): string =>
  url.port ? url.host : `${url.host}:${url.protocol === 'https:' ? 443 : 80}`
