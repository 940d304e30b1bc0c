/** The mounts that checks share. */
import type { SharedGround } from '../../harness/vocabulary/index.ts'
import { get } from '../../harness/vocabulary/index.ts'
import { caPem, mounted, rooted, signer } from './given/given.ts'

/** Roles, and certificates under them or of intermediates. What changes the CA, its URLs or its CRL needs a mount of its own,
 * and so does what judges a list as a whole, because the certificates of other checks stay listed. */
const authority: SharedGround = {
  givens: [rooted(), signer],
  leave:
    /^(POST \{mount\}\/(roles|issue)\/\{use\}[\w-]+|(GET|DELETE) \{mount\}\/roles\/\{use\}[\w-]+|POST \{mount\}\/(root\/sign-intermediate|\{\w+\})|GET \{mount\}\/(ca|ca\/pem|ca_chain|cert\/\{\w+\}))$/,
  grows: /^LIST \{mount\}\/certs$/,
  frame: [caPem, get('{mount}/config/urls')],
}

/** CSRs on a mount without a CA. Each takes the place of the one before, which only its own check judged. */
const withoutCa: SharedGround = {
  givens: [[mounted()]],
  leave: /^POST \{mount\}\/intermediate\/generate\/(internal|exported)$/,
  frame: [caPem],
}

export const sharedMounts: readonly SharedGround[] = [authority, withoutCa]
