/** The mounts that checks share. */
import type { Neighbours, SharedGround } from '../../harness/vocabulary/index.ts'
import { del, get } from '../../harness/vocabulary/index.ts'
import type { Frame } from '../frame.ts'
import {
  caPem,
  deleteRoot,
  generateIntermediate,
  generateRoot,
  issue,
  mounted,
  role,
  rooted,
  signer,
} from './given/given.ts'

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

const ofRole = (name: string) => ({
  write: role({}, name),
  read: get(`{mount}/roles/{use}${name}`),
  issue: issue({}, name),
  remove: del(`{mount}/roles/{use}${name}`),
})
const [first, second] = [ofRole('neighbour'), ofRole('second-neighbour')]

/** These requests show certificates or revocations that neighbours have left behind. */
const traces = /certs|crl|ocsp|revoke/

export const neighbours: readonly Neighbours[] = [
  {
    before: /^POST \{mount\}\/(root|intermediate)\/generate\//,
    unless: traces,
    isFirst: true,
    sends: [generateRoot(), deleteRoot, first.write, first.remove],
  },
  {
    before: /^POST \{mount\}\/issue\//,
    unless: traces,
    sends: [first.write, first.issue, first.issue, first.remove],
  },
  { before: /^\w+ \{mount\}\/roles/, sends: [first.write, second.write, second.read, first.remove, second.remove] },
  {
    before: /^POST \{mount\}\/root\/sign-intermediate/,
    unless: traces,
    sends: [first.write, first.remove],
    repeats: 2,
  },
  { before: /^POST \{mount\}\/intermediate\/generate\//, sends: [generateIntermediate(), generateIntermediate()] },
  { before: /^(GET|LIST) \{mount\}\/(?!roles\/|crl\/rotate|tidy)/, sends: [], repeats: 2 },
  { before: /^POST \{mount\}\/config\/(urls|crl)$/, sends: [first.write, first.remove] },
]

export const frames: readonly Frame[] = [
  { written: /^POST \{mount\}\/roles\/[^/]+$/, gone: 'pki.roles.read', changed: () => 'pki.roles.read.own-fields' },
  { written: /^POST \{mount\}\/config\/urls$/, gone: 'pki.config-urls.reads', changed: () => 'pki.config-urls.reads' },
  {
    written: /^POST \{mount\}\/config\/crl$/,
    gone: 'pki.config-crl.reads-expiry',
    changed: (field) => `pki.config-crl.reads-${field}`,
  },
]
