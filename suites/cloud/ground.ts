/** The mounts that checks share. */
import type { SharedGround } from '../../harness/vocabulary/index.ts'
import { mountedAlone, readRoot } from './given.ts'

/** Roles on a mount without root credentials. Nothing there calls the provider, so that the account is not looked at. What
 * uses a role or configures the mount needs a mount of its own, and so does what judges a list as a whole. */
const withoutRoot: SharedGround = {
  givens: [mountedAlone()],
  leave: /^(POST|GET|DELETE) \{mount\}\/roles\/\{use\}[\w-]+$/,
  grows: /^LIST \{mount\}\/roles$/,
  frame: [readRoot],
}

export const sharedMounts: readonly SharedGround[] = [withoutRoot]
