/** The engine `kv`. It stores values by path as they were written, or with option `version=2` every version of them. */
import type { MountableEngine } from '../../kernel/engine.ts'
import type { Services } from '../../kernel/services.ts'
import { openPlain } from './plain.ts'
import { openVersioned } from './versioned.ts'

export const createKv = ({ clock }: Services): MountableEngine => ({
  type: 'kv',
  kind: 'secret',
  open: (mount) => (mount.options?.version === '2' ? openVersioned(clock) : openPlain(mount)),
})
