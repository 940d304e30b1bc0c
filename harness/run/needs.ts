/** What checks need beyond a URL and a token, and what to add to a profile that does not have it. */
import type { Need } from '../vocabulary/index.ts'
import { clustersOf } from './clusters.ts'
import type { Session } from './session.ts'

const isLoopback = (url: string): boolean => /^(localhost|127\..*|\[::1\])$/.test(new URL(url).hostname)

/** Time can be waited for, in bounds that only the check's own waiting can judge; a token with an entity comes from a login
 * that the dialect can set up. */
const offered: Readonly<Partial<Record<Need, (session: Session) => boolean>>> = {
  clock: ({ plan: { target } }) => target.control !== undefined || target.maxWaitSeconds > 0,
  entity: ({ dialect }) => 'createUser' in dialect.operations && 'login' in dialect.operations,
  clusters: (session) => wipeable(session) >= 1,
  'third-cluster': (session) => wipeable(session) >= 2,
  forwarder: ({ plan: { target } }) =>
    target.provides.forwarder !== undefined || [target, ...clustersOf(target)].every(({ url }) => isLoopback(url)),
}

/** The first two further clusters are the ones that checks use, and they wipe them. */
function wipeable({ plan: { target } }: Session): number {
  const uses = clustersOf(target).slice(0, 2)
  const first = uses.findIndex(({ mayBeWiped }) => !mayBeWiped)
  return first < 0 ? uses.length : first
}

export const offers = (need: Need, session: Session): boolean =>
  offered[need]?.(session) ?? session.plan.target.provides[need] !== undefined

const cluster = (name: string): string =>
  `clusters: [{ name: ${name}, url: https://${name}.example:8200, token: "\${env:${name.toUpperCase()}_TOKEN}", keySharesFile: ${name}-shares.txt, mayBeWiped: true }]`

/** The lines of a profile, in its flow form so that they fit into a sentence. */
const lines: Readonly<Record<Need, string>> = {
  clock: 'maxWaitSeconds: 120 (or control: <URL>, of a reference server)',
  clusters: cluster('second'),
  'third-cluster': `a second entry under clusters, such as ${cluster('third')}`,
  'key-shares': 'keySharesFile: shares.txt (one share a line)',
  forwarder: 'forwarder: { listen: "0.0.0.0", advertise: this-host.example }',
  provider: 'provider: { listen: "0.0.0.0:9400", advertise: "http://this-host.example" }',
  'plugin-files': 'pluginFiles: [{ command: my-plugin, sha256: <64 hexadecimal digits>, type: secret }]',
  entity: 'principals: { <name>: { username: …, passwordFile: … } }',
}

/** The lines that a profile lacks. */
export const linesFor = (needs: readonly Need[]): readonly string[] => needs.map((need) => lines[need])
