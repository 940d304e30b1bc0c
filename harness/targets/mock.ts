/** The one bridge to the reference server. */
import { makePluginFolder, type PluginFolder } from './plugin-folder.ts'
import type { ResolvedTarget } from './target.ts'

export type ReferenceOptions = NonNullable<
  Parameters<typeof import('../../mock-server/server.ts')['createMockServer']>[0]
>
type MockServer = Awaited<ReturnType<typeof import('../../mock-server/server.ts')['createMockServer']>>

export interface ReferenceServer extends MockServer {
  /** Which shape it has of each API that has more than one. */
  readonly forms: Readonly<Record<string, string>>
  /** Made for it alone, unless it was given a folder. */
  readonly pluginFolder: PluginFolder | undefined
}

/** The shapes that a reference server has unless told otherwise. */
const newestForms = { 'plugin-catalog': 'newer', 'mfa-identity': 'served', cloud: 'newer' } as const

/** Starts a reference server; whoever starts it closes it. */
export async function startReference(options: ReferenceOptions = {}): Promise<ReferenceServer> {
  const { createMockServer } = await import('../../mock-server/server.ts')
  const forms = { ...newestForms, ...options.forms }
  const folder = options.pluginDirectory === undefined ? makePluginFolder() : undefined
  try {
    const server = await createMockServer({
      ...options,
      forms,
      ...(folder ? { pluginDirectory: folder.path, placed: { 'plugin-files': folder.files } } : {}),
    })
    const { close } = server
    // What it tells (token, key shares) is told anew on each look, so it is added to and not copied.
    return Object.assign(server, {
      forms,
      pluginFolder: folder,
      async close() {
        await close()
        folder?.remove()
      },
    })
  } catch (error) {
    folder?.remove()
    throw error
  }
}

export const referenceName = 'reference server'

/** The reference server as a target. It is thrown away afterwards, so everything may be done to it. */
export function referenceTarget(server: ReferenceServer): ResolvedTarget {
  return {
    url: server.url,
    name: referenceName,
    dialect: 'vault',
    token: server.rootToken,
    headers: {},
    tls: { insecure: false },
    allowedHosts: [],
    declared: { forms: server.forms },
    timeoutMs: 30_000,
    maxRps: 0,
    maxWaitSeconds: 0,
    patienceSeconds: 10,
    ...(server.controlUrl ? { control: server.controlUrl } : {}),
    provides: {
      'key-shares': server.keyShares,
      ...(server.pluginFolder ? { 'plugin-files': server.pluginFolder.files } : {}),
    },
    secrets: [server.rootToken, ...server.keyShares],
  }
}

/** Every fault the reference server can be given. */
export async function knownMutants(): Promise<
  readonly { readonly id: string; readonly area: string; readonly does: string }[]
> {
  const { mutants } = await import('../../mock-server/mutants.ts')
  return mutants
}

/** The version the reference server speaks unless told otherwise. */
export async function newestReference(): Promise<string> {
  const { newestVersion } = await import('../../mock-server/server.ts')
  return newestVersion
}
