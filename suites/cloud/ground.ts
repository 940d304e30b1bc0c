/** The mounts that checks share. */
import { allowing } from '../../fixtures/cloud/policies.ts'
import type { Neighbours, SharedGround } from '../../harness/vocabulary/index.ts'
import type { Frame } from '../frame.ts'
import { deleteRole, mountedAlone, readRole, readRoot, writeRole } from './given.ts'

/** Roles on a mount without root credentials. Nothing there calls the provider, so that the account is not looked at. What
 * uses a role or configures the mount needs a mount of its own, and so does what judges a list as a whole. */
const withoutRoot: SharedGround = {
  givens: [mountedAlone()],
  leave: /^(POST|GET|DELETE) \{mount\}\/roles\/\{use\}[\w-]+$/,
  grows: /^LIST \{mount\}\/roles$/,
  frame: [readRoot],
}

export const sharedMounts: readonly SharedGround[] = [withoutRoot]

const ofRole = (name: string) => ({
  write: writeRole({ credential_type: 'iam_user', policy_document: allowing('s3:GetObject') }, name),
  read: readRole(name),
  remove: deleteRole(name),
})
const [first, second] = [ofRole('neighbour'), ofRole('second-neighbour')]

/** Roles that nothing uses, so that the provider is not called for them. */
export const neighbours: readonly Neighbours[] = [
  { before: /^\w+ \{mount\}\//, sends: [first.write, first.remove] },
  { before: /^\w+ \{mount\}\/roles/, sends: [second.write, second.read, second.remove] },
  { before: /^(GET|LIST) \{mount\}\/(config|roles|static-roles)/, sends: [], repeats: 2 },
]

export const frames: readonly Frame[] = [
  {
    written: /^POST \{mount\}\/roles\/[^/]+$/,
    gone: 'cloud.role.reads',
    changed: (_, { credential_type }) =>
      typeof credential_type === 'string'
        ? `cloud.role.${credential_type.replaceAll('_', '-')}.reads-as-written`
        : 'cloud.role.reads',
  },
  {
    written: /^POST \{mount\}\/static-roles\/[^/]+$/,
    gone: 'cloud.static-role.reads',
    changed: () => 'cloud.static-role.reads-as-written',
  },
  {
    written: /^POST \{mount\}\/config\/root$/,
    changedBy: /\/config\/rotate-root$/,
    gone: 'cloud.root.reads',
    changed: () => 'cloud.root.reads',
  },
  { written: /^POST \{mount\}\/config\/lease$/, gone: 'cloud.lease.reads', changed: () => 'cloud.lease.kept' },
]
