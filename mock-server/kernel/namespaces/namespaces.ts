/** The namespaces directly below one namespace. Each has its own mounts, policies, entities and engines. All share the
 * clock, the seal, and the stores of tokens and leases. */
import { accessWithin, createAccess } from '../acl/access.ts'
import { createEntities } from '../auth/entities.ts'
import type { ServerFacts, Token } from '../contracts.ts'
import type { MountableEngine } from '../engine.ts'
import type { ExtensionPoints } from '../extension-points.ts'
import { badRequest } from '../http/refusal.ts'
import { createRouter } from '../http/router.ts'
import type { Kernel } from '../kernel.ts'
import { announceBuiltIn } from '../mounts/built-in.ts'
import { openMounts } from '../mounts/open-mounts.ts'
import type { Namespaces } from '../services.ts'
import { isSince } from '../versions.ts'
import type { Namespace } from './namespace.ts'

export const rootNamespace: Namespace = { name: '', path: '', id: 'root', uuid: '', metadata: {} }

/** Returns whether the server has namespaces: the paid editions have them since this version. */
export const servesNamespaces = ({ version, edition }: ServerFacts): boolean =>
  edition !== 'community' && isSince(version, '0.11.0')

interface Saved {
  readonly namespace: Namespace
  readonly parts: Readonly<Record<string, unknown>>
}

export function createNamespaces(here: Namespace, kernel: () => Kernel): Namespaces {
  const children = new Map<string, Kernel>()

  function admit(namespace: Namespace): Kernel {
    const child = createNamespaceKernel(kernel(), namespace)
    Object.assign(child.storage.parts, child.openNamespace(child))
    announceBuiltIn(child.mounts, child.mint)
    children.set(namespace.name, child)
    return child
  }

  function close(name: string): void {
    const child = children.get(name)
    if (!child) return
    children.delete(name)
    for (const part of Object.values(child.storage.parts)) part.reset()
    for (const engine of child.fixed) engine.stop?.()
  }

  /** Removes a namespace and those below it. Its tokens and leases are unusable at once, although their revocation may
   * take longer. */
  function drop(name: string): void {
    const child = children.get(name)
    if (!child) return
    for (const inner of child.namespaces.all()) child.namespaces.drop(inner.name)
    void child.leases.revokeForce('')
    for (const token of child.tokens.filter(() => true)) void child.tokens.revoke(token.id)
    close(name)
  }

  function load(name: string): Kernel {
    const child = children.get(name)
    if (!child) throw badRequest(`there is no namespace ${here.path}${name}/`)
    return child
  }

  const namespaces: Namespaces = {
    here,
    all: () => [...children.values()].map((child) => child.namespaces.here),
    find: (name) => children.get(name)?.namespaces.here,
    create(name, metadata) {
      const { random, mint } = kernel()
      const ids = { id: random.token(5), uuid: mint.uuid() }
      return admit({ name, path: `${here.path}${name}/`, ...ids, metadata }).namespaces.here
    },
    change(name, metadata) {
      const { namespaces: inner } = load(name)
      Object.assign(inner.here, { metadata })
      return inner.here
    },
    async remove(name) {
      const { leases, namespaces: inner, tokens } = load(name)
      if (inner.all().length > 0) throw badRequest('unable to delete namespace containing child namespaces')
      await leases.revokePrefix('')
      for (const token of tokens.filter(() => true)) await tokens.revoke(token.id)
      close(name)
    },
    servicesOf: (name) => children.get(name),
    adopt(namespace) {
      const present = children.get(namespace.name)
      if (present?.namespaces.here.uuid !== namespace.uuid) drop(namespace.name)
      else Object.assign(present.namespaces.here, { metadata: namespace.metadata })
      return children.get(namespace.name) ?? admit({ ...namespace })
    },
    drop,
    snapshot: (): readonly Saved[] =>
      [...children.values()].map(({ namespaces: inner, storage }) => ({
        namespace: inner.here,
        parts: Object.fromEntries(Object.entries(storage.parts).map(([name, part]) => [name, part.snapshot()])),
      })),
    restore(state) {
      namespaces.reset()
      for (const { namespace, parts } of state as Saved[]) {
        const child = admit({ ...namespace })
        for (const [name, part] of Object.entries(child.storage.parts))
          if (Object.hasOwn(parts, name)) part.restore(parts[name])
      }
    },
    reset() {
      for (const name of [...children.keys()]) close(name)
    },
  }
  return namespaces
}

/** Creates the kernel of a namespace. Members that are not set here are inherited from the kernel above. */
function createNamespaceKernel(above: Kernel, namespace: Namespace): Kernel {
  const { clock, mint } = above
  const router = createRouter()
  const mountable: MountableEngine[] = []
  const entities = createEntities(clock, mint)
  const extensions: ExtensionPoints = Object.create(above.extensions)
  const { path, name, id } = namespace
  const kernel: Kernel = Object.assign(Object.create(above) as Kernel, {
    ...{ router, mountable, fixed: [], entities, extensions, above },
    mounts: openMounts(router, mountable),
    tokens: above.tokenStore.within(path, id),
    leases: above.leaseStore.within(path, id),
    access: accessWithin(path, name, createAccess(extensions, entities), above.access),
    storage: Object.assign(Object.create(above.storage), { parts: {} }),
    namespaces: createNamespaces(namespace, () => kernel),
  })
  return kernel
}

/** Returns the kernel of the namespace that a token belongs to. `kernel` is that of the namespace in which it is
 * used. */
export function homeOf(token: Token, kernel: Kernel): Kernel {
  let home = kernel
  while (home.above && home.namespaces.here.path !== (token.namespace ?? '')) home = home.above
  return home
}

export const kernelsBelow = (kernel: Kernel): readonly Kernel[] =>
  kernel.namespaces.all().flatMap(({ name }) => {
    const child = kernel.namespaces.servicesOf(name) as Kernel
    return [child, ...kernelsBelow(child)]
  })
