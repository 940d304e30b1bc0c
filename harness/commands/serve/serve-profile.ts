import { regionVariablesIn } from '../../profile/region-variables.ts'
import { replaceFile } from '../../safety/files.ts'
import { isLoopback } from '../../targets/health.ts'
import type { ReferenceServer } from '../../targets/mock.ts'
import { UsageError } from '../../targets/usage-error.ts'

/** Returns the environment variables, with their secrets, that a profile of several clusters reads. */
export function environmentOf(server: ReferenceServer): Readonly<Record<string, string>> {
  const shares = (name: string, keyShares: readonly string[]) =>
    Object.fromEntries(keyShares.map((share, index) => [shareVariable(name, index), share]))
  return {
    ASSAY_TOKEN: server.rootToken,
    ...shares('main', server.keyShares),
    ...Object.assign(
      {},
      ...server.peers.map((peer) => ({
        [tokenVariable(peer.name)]: peer.server.rootToken,
        ...shares(peer.name, peer.server.keyShares),
      })),
    ),
  }
}

const tokenVariable = (name: string): string => `ASSAY_${name.toUpperCase()}_TOKEN`
const shareVariable = (name: string, index: number): string => `ASSAY_${name.toUpperCase()}_SHARE_${index + 1}`
const substituted = (variable: string): string => `\${env:${variable}}`

const clustersOf = ({ keyShares, clusterAddress, peers }: ReferenceServer): object => ({
  clusterAddress,
  keyShares: keyShares.map((_, index) => substituted(shareVariable('main', index))),
  clusters: peers.map(({ name, server }) => ({
    name,
    url: server.url,
    token: substituted(tokenVariable(name)),
    keyShares: server.keyShares.map((_, index) => substituted(shareVariable(name, index))),
    clusterAddress: server.clusterAddress,
    mayBeWiped: true,
  })),
})

/** Returns a profile with which `assay run` judges a reference server in another process as fully as the embedded one:
 * with forms, plugin files, the clock, and a stub of the provider if that server can reach it. The profile does not
 * contain the token. */
export const profileOf = (server: ReferenceServer): object => ({
  url: server.balancerUrl ?? server.url,
  name: 'reference server',
  declared: { ...server.undescribed, forms: server.forms },
  ...(server.controlUrl ? { control: server.controlUrl } : {}),
  ...(server.peers.length > 0 ? { patienceSeconds: 10, ...clustersOf(server) } : {}),
  ...(isLoopback(server.url) ? { provider: { listen: '127.0.0.1:0' } } : {}),
  ...(server.pluginFolder ? { pluginFiles: server.pluginFolder.files } : {}),
  environment: regionVariablesIn(process.env),
})

/** Writes the profile as JSON, which is also YAML, readable by its owner only, because the control URL contains a key.
 * Throws `UsageError` if the file cannot be written. */
export function writeProfile(server: ReferenceServer, file: string): void {
  try {
    replaceFile(file, `${JSON.stringify(profileOf(server), null, 2)}\n`)
  } catch (error) {
    throw new UsageError(
      `--write-profile ${file} cannot be written (${(error as NodeJS.ErrnoException).code}): fix the path`,
    )
  }
}
