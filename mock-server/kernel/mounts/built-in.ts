/** The mounts that a new server has. */
import type { Mint } from '../state/mint.ts'
import type { Mount, MountKind } from './mount.ts'
import type { Mounts } from './mounts.ts'

const builtIn = (mint: Mint, kind: MountKind, path: string, type: string): Mount => ({
  ...{ kind, path, type, accessor: mint.mountAccessor(type), uuid: mint.uuid(), description: '', options: null },
  config: { default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false },
  ...{ local: false, sealWrap: false, builtIn: true },
})

/** Adds the mounts that fixed engines serve. */
export function announceBuiltIn(mounts: Mounts, mint: Mint): void {
  mounts.announce(builtIn(mint, 'secret', 'sys/', 'system'))
  mounts.announce(builtIn(mint, 'secret', 'identity/', 'identity'))
  mounts.announce(builtIn(mint, 'auth', 'token/', 'token'))
  mounts.announce({ ...builtIn(mint, 'secret', 'cubbyhole/', 'cubbyhole'), local: true })
}

/** Mounts `secret/`. Unlike the other initial mounts, callers may unmount it. */
export const mountFirstKv = (mounts: Mounts, mint: Mint): void =>
  mounts.add({ ...builtIn(mint, 'secret', 'secret/', 'kv'), builtIn: false })
