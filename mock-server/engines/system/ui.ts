/** The endpoints `sys/internal/ui/mounts` show clients which mount a path belongs to. */
import type { Call, Reply, Route, Token } from '../../kernel/contracts.ts'
import { Refusal } from '../../kernel/http/refusal.ts'
import { presentedToken } from '../../kernel/http/request-context.ts'
import { type Mount, type MountKind, prefixOf } from '../../kernel/mounts/mount.ts'
import { enter } from '../../kernel/namespaces/enter.ts'
import type { Services } from '../../kernel/services.ts'
import { mountView } from './mounts.ts'

export function uiRoutes(services: Services): readonly Route[] {
  const { access, facts, mounts, tokens } = services
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

  /** Lists the mounts that the token can reach, and those with `listing_visibility` `unauth`. */
  function list(call: Call): Reply {
    const token = tokens.find(presentedToken(call) ?? '')
    return { kind: 'data', data: { auth: ofKind('auth', token), secret: ofKind('secret', token) }, verbatim: true }
  }

  /** Finds the mount of a path, which may lead into a child namespace. */
  function read({ params: { path = '' }, token }: Call): Reply {
    const { kernel: within, rest } = enter(path, services)
    const mount = within.mounts.at(rest)
    if (!mount || !token || !within.access.aclOf(token).reaches(`${prefixOf(mount)}/`))
      throw new Refusal('unseen-mount', {
        message: `preflight capability check returned 403, please ensure client's policies grant access to path "${path}/"`,
      })
    return {
      kind: 'data',
      data: { ...mountView(mount, facts), path: path.slice(0, path.length - rest.length) + mount.path },
    }
  }

  return [
    { verb: 'GET', path: 'internal/ui/mounts', access: 'anyone', handle: list },
    { verb: 'GET', path: 'internal/ui/mounts/:path*', access: 'any-token', handle: read },
  ]
}
