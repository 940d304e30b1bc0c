/** The endpoints `sys/namespaces` create, show, change and remove the child namespaces of the request's namespace. */
import type { Call, Reply, Route } from '../../kernel/contracts.ts'
import { mapField } from '../../kernel/http/body-fields.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import { prefixOf } from '../../kernel/mounts/mount.ts'
import type { Namespace } from '../../kernel/namespaces/namespace.ts'
import { servesNamespaces } from '../../kernel/namespaces/namespaces.ts'
import type { Services } from '../../kernel/services.ts'

const reserved = ['root', 'sys', 'auth', 'identity', 'cubbyhole', 'audit']

const view = ({ id, path, uuid, metadata }: Namespace): object => ({
  ...{ id, path, uuid, custom_metadata: metadata },
  ...{ locked: false, tainted: false },
})

export function namespaceRoutes({ mounts, namespaces }: Services): readonly Route[] {
  function nameIn(call: Call): string {
    const name = (call.params.path ?? '').replace(/\/+$/, '')
    if (name.includes('/'))
      throw badRequest('namespace name cannot contain /: name the namespace above it in the path or the header')
    return name
  }

  function assertFree(name: string): void {
    if (reserved.includes(name) || !/^[^\s/]+$/.test(name))
      throw badRequest(`"${name}/" is a reserved path and cannot be used as a namespace name`)
    const taken = mounts.all('secret').find((mount) => `${prefixOf(mount)}/`.startsWith(`${name}/`))
    if (taken) throw badRequest(`new namespace conflicts with existing mount: ${taken.path}`)
  }

  function create(call: Call): Reply {
    const name = nameIn(call)
    if (call.body.seal) throw badRequest('seal: the namespaces of this reference server have no seal of their own')
    const found = namespaces.find(name)
    if (!found) assertFree(name)
    const made = found ?? namespaces.create(name, mapField(call.body, 'custom_metadata') ?? {})
    return { kind: 'data', data: view(made) }
  }

  function load(call: Call): Namespace {
    const found = namespaces.find(nameIn(call))
    if (!found) throw new Refusal('not-found')
    return found
  }

  /** Merges the custom metadata of the request into the stored ones; null removes a key. */
  function patch(call: Call): Reply {
    const { name, metadata } = load(call)
    const given = call.body.custom_metadata
    const changed = { ...metadata, ...(typeof given === 'object' ? given : {}) }
    const kept = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null))
    return { kind: 'data', data: view(namespaces.change(name, mapField({ kept }, 'kept') ?? {})) }
  }

  async function remove(call: Call): Promise<Reply> {
    const name = nameIn(call)
    if (!namespaces.find(name)) return { kind: 'empty', warnings: ['requested namespace does not exist'] }
    await namespaces.remove(name)
    // Clients of this family expect this body, although the removal is already complete.
    return { kind: 'data', data: { status: 'in-progress' } }
  }

  function list(): Reply {
    const all = namespaces.all().toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const keys = all.map(({ name }) => `${name}/`)
    return { kind: 'data', data: { keys, key_info: Object.fromEntries(all.map((one) => [`${one.name}/`, view(one)])) } }
  }

  const common = { access: 'token', available: servesNamespaces } as const
  return [
    { ...common, verb: 'LIST', path: 'namespaces', handle: list },
    { ...common, verb: 'GET', path: 'namespaces/:path*', handle: (call) => ({ kind: 'data', data: view(load(call)) }) },
    { ...common, verb: 'POST', path: 'namespaces/:path*', handle: create },
    { ...common, verb: 'PATCH', path: 'namespaces/:path*', handle: patch },
    { ...common, verb: 'DELETE', path: 'namespaces/:path*', handle: remove },
  ]
}
