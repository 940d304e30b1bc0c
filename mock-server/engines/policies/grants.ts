import { type Acl, type AclPolicy, compileAcl, isTemplated, resolveTemplates, rootAcl } from '../../kernel/acl/index.ts'
import type { Store } from './store.ts'
import type { PoliciesTables } from './tables.ts'

type Identity = Readonly<Record<string, string>>

interface Compiled {
  readonly names: ReadonlySet<string>
  readonly identity: Identity
  readonly acl: Acl
  /** Until something happens to a policy it was made from. */
  live: boolean
}

/** What the ACL policies of a token come to. */
export interface Grants {
  acl(names: readonly string[], identity?: Identity): Acl
  /** Something happened to the policy of that name. */
  drop(name: string): void
  clear(): void
}

/** How many compiled ACLs are kept. */
const capacity = 2_000
const nobody: Identity = Object.freeze({})

export function createGrants(store: Store, tables: () => PoliciesTables): Grants {
  /** By the very list of names that a token holds, so that its next request costs one look. */
  let byList = new WeakMap<readonly string[], Compiled>()
  const byNames = new Map<string, Compiled>()

  function compile(given: readonly string[], identity: Identity): Compiled {
    const names = new Set(given.map((name) => name.toLowerCase()))
    const policies = [...names].flatMap((name): readonly AclPolicy[] => {
      const entry = store.acl.entry(name)
      if (!entry) return []
      return tables()
        .kinds.acl.acts[entry.state](entry.history)
        .flatMap((written) => written.acl ?? [])
    })
    if (names.has('root')) return { names, identity: nobody, acl: rootAcl, live: true }
    const templated = policies.some(isTemplated)
    const resolved = templated ? policies.map((policy) => resolveTemplates(policy, identity)) : policies
    const acl = compileAcl(resolved, tables().acl)
    const hasDeleted = [...names].some((name) => store.acl.entry(name)?.state === 'deleted')
    return { names, identity, acl: hasDeleted ? tables().withDeleted(acl) : acl, live: true }
  }

  function keep(key: string, compiled: Compiled): Compiled {
    if (byNames.size >= capacity) forgetAll()
    byNames.set(key, compiled)
    return compiled
  }

  function forgetAll(): void {
    byNames.clear()
    byList = new WeakMap()
  }

  return {
    acl(names, identity = nobody) {
      const known = byList.get(names)
      if (known?.live && known.identity === identity) return known.acl
      const key = `${names.join('\n')}\n\n${identity['identity.entity.id'] ?? ''}`
      const shared = byNames.get(key)
      const compiled = shared?.live && shared.identity === identity ? shared : keep(key, compile(names, identity))
      byList.set(names, compiled)
      return compiled.acl
    },
    drop(name) {
      for (const [key, compiled] of byNames) {
        if (!compiled.names.has(name)) continue
        compiled.live = false
        byNames.delete(key)
      }
    },
    clear: forgetAll,
  }
}
