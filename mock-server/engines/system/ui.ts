/** The endpoints `sys/internal/ui/mounts`, by which clients find out which mount a path belongs to. */
import type { Call, Reply, Route, Token } from '../../kernel/contracts.ts'
import { Refusal } from '../../kernel/http/refusal.ts'
import { presentedToken } from '../../kernel/http/request-context.ts'
import { type Mount, type MountKind, prefixOf } from '../../kernel/mounts/mount.ts'
import type { Services } from '../../kernel/services.ts'
import { mountView } from './mounts.ts'

export function uiRoutes({ access, facts, mounts, tokens }: Services): readonly Route[] {
  const isReached = (mount: Mount, token: Token): boolean => access.aclOf(token).reaches(`${prefixOf(mount)}/`)

  function ofKind(kind: MountKind, token: Token | undefined): object {
    const entries = mounts.all(kind).flatMap((mount): readonly (readonly [string, object])[] => {
      if (token && isReached(mount, token)) return [[mount.path, mountView(mount, facts)]]
      if (mount.config.listing_visibility !== 'unauth') return []
      const { type, description, options } = mount
      return [[mount.path, { type, description, options }]]
    })
    return Object.fromEntries(entries)
  }

  /** Without a token, only what is mounted to be seen by anyone is listed. */
  function list(call: Call): Reply {
    const token = tokens.find(presentedToken(call) ?? '')
    return { kind: 'data', data: { auth: ofKind('auth', token), secret: ofKind('secret', token) }, verbatim: true }
  }

  function read({ params: { path = '' }, token }: Call): Reply {
    const mount = mounts.at(path)
    if (!mount || !token || !isReached(mount, token))
      throw new Refusal('unseen-mount', {
        message: `preflight capability check returned 403, please ensure client's policies grant access to path "${path}/"`,
      })
    return { kind: 'data', data: { ...mountView(mount, facts), path: mount.path } }
  }

  return [
    { verb: 'GET', path: 'internal/ui/mounts', access: 'anyone', handle: list },
    { verb: 'GET', path: 'internal/ui/mounts/:path*', access: 'any-token', handle: read },
  ]
}
