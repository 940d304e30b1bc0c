/** The endpoints `sys/remount` move a mount with its data, and show the status of a move. */
import type { Call, Reply, Route } from '../../kernel/contracts.ts'
import { textField } from '../../kernel/http/body-fields.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { MountKind } from '../../kernel/mounts/mount.ts'
import type { Services } from '../../kernel/services.ts'
import { BoundedMap } from '../../kernel/state/bounded-map.ts'
import { assertMountable } from './mounts.ts'

interface Move {
  readonly from: string
  readonly to: string
}

/** Returns the store of the latest moves, by their ids. */
export const createMoves = (): Map<string, Move> => new BoundedMap<string, Move>(1000)

function pathIn(call: Call, name: 'from' | 'to'): { readonly kind: MountKind; readonly path: string } {
  const path = (textField(call.body, name) ?? '').replace(/^\/+|\/+$/g, '')
  if (path === '') throw badRequest("both 'from' and 'to' path must be specified as a string")
  return path.startsWith('auth/') ? { kind: 'auth', path: `${path.slice(5)}/` } : { kind: 'secret', path: `${path}/` }
}

const shown = ({ kind, path }: { readonly kind: MountKind; readonly path: string }): string =>
  `${kind === 'auth' ? 'auth/' : ''}${path}`

export function remountRoutes(moves: Map<string, Move>, services: Services): readonly Route[] {
  const { leases, mint, mounts, tokens } = services

  async function move(call: Call): Promise<Reply> {
    const [from, to] = [pathIn(call, 'from'), pathIn(call, 'to')]
    const mount = mounts.find(from.kind, from.path)
    if (!mount) throw badRequest(`no matching mount at "${shown(from)}"`)
    if (mount.builtIn) throw badRequest(`cannot remount "${shown(from)}"`)
    if (from.kind !== to.kind) throw badRequest(`cannot remount to destination ${shown(to)}`)
    assertMountable(to.kind, to.path, services)
    mounts.move(mount, to.path)
    // Leases and tokens of the old path are revoked, as they are when a mount is removed.
    await leases.revokePrefix(shown(from))
    if (from.kind === 'auth')
      for (const token of tokens.filter(({ path }) => path.startsWith(shown(from)))) await tokens.revoke(token.id)
    const id = mint.uuid()
    moves.set(id, { from: shown(from), to: shown(to) })
    return { kind: 'data', data: { migration_id: id }, warnings: ['The mount has been moved'] }
  }

  function isLocal(call: Call): boolean {
    const { kind, path } = pathIn(call, 'from')
    return mounts.find(kind, path)?.local ?? false
  }

  function status({ params }: Call): Reply {
    const id = params.id ?? ''
    const found = moves.get(id)
    if (!found) throw new Refusal('not-found')
    const info = { source_mount: found.from, target_mount: found.to, status: 'success' }
    return { kind: 'data', data: { migration_id: id, migration_info: info } }
  }

  return [
    { verb: 'POST', path: 'remount', access: 'sudo', stays: isLocal, handle: move },
    { verb: 'GET', path: 'remount/status/:id', access: 'token', handle: status },
  ]
}
