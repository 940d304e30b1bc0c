/** The engine `kv` stores values by path. With the option `version=2`, it stores the versions of each value. */
import type { MountableEngine } from '../../kernel/engine.ts'
import type { Services } from '../../kernel/services.ts'
import { openPlain } from './plain.ts'
import { openVersioned } from './versioned.ts'

export const createKv = ({ clock }: Services): MountableEngine => ({
  type: 'kv',
  kind: 'secret',
  open: (mount) => (mount.options?.version === '2' ? openVersioned(clock) : openPlain(mount)),
})
