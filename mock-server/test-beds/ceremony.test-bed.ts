/** Opens a server for tests of token generation. The test chooses whether it is a DR secondary. */
import { createMessage, generateKey, type PrivateKey } from 'openpgp'
import { engines } from '../engines/index.ts'
import type { Services } from '../kernel/services.ts'
import type { MockServerOptions } from '../server-options.ts'
import { startServer } from '../start.ts'

export const dr = 'sys/replication/dr/secondary'
export const operation = `${dr}/generate-operation-token`
export const root = 'sys/generate-root'

export interface Replied {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

type CeremonyOptions = MockServerOptions & { readonly isDrSecondary?: boolean }

export async function openCeremony({ isDrSecondary = true, ...options }: CeremonyOptions = {}) {
  let found: Pick<Services, 'clusterRole' | 'extensions' | 'keys'> | undefined
  const server = await startServer(options, {
    ...engines,
    fixed: [
      ...engines.fixed,
      (services) => {
        found = services
        services.clusterRole.servesOnDrSecondary = () => true
        return []
      },
    ],
  })

  if (!found) throw new Error('no engine was opened')
  const { clusterRole, extensions, keys } = found
  const become = (isDr: boolean): void => {
    clusterRole.modes.dr = isDr ? 'secondary' : 'disabled'
  }
  become(isDrSecondary)

  /** Sends a request; `line` is method and path. The fields of `data` are returned at the top level. */
  async function ask(line: string, sent?: object, token = ''): Promise<Replied> {
    const [method = '', path = ''] = line.split(' ')
    const reply = await fetch(`${server.url}/v1/${path}`, {
      method,
      headers: token ? { 'x-vault-token': token } : {},
      ...(sent && { body: JSON.stringify(sent) }),
    })
    const text = await reply.text()
    const { data, ...rest } = text === '' ? {} : JSON.parse(text)
    return { status: reply.status, body: { ...rest, ...data } }
  }

  return {
    server,
    extensions,
    operatorKeys: keys,
    adoptKeysOf: (other: { readonly operatorKeys: Services['keys'] }) =>
      keys.adopt(other.operatorKeys.snapshot(), 'root-key'),
    ask,
    become,
    /** Provides the shares to the attempt in progress, and returns the last reply. */
    async give(path: string, nonce: unknown, shares: readonly string[] = server.keyShares.slice(0, 3)) {
      let last: Replied = { status: 0, body: {} }
      for (const key of shares) last = await ask(`POST ${path}/update`, { key, nonce })
      return last
    },
  }
}

export type Ceremony = Awaited<ReturnType<typeof openCeremony>>

export const byOneTimePassword = (encoded: unknown, otp: unknown): string => {
  const pad = Buffer.from(String(otp))
  return Buffer.from(String(encoded), 'base64')
    .map((byte, index) => byte ^ (pad[index] ?? 0))
    .toString()
}

export interface PgpPair {
  readonly privateKey: PrivateKey
  /** The public key in the encoding that the endpoint accepts. */
  readonly field: string
}

export async function pgpPair(): Promise<PgpPair> {
  const { privateKey, publicKey } = await generateKey({
    ...{ type: 'curve25519', userIDs: [{ name: 'test' }], format: 'object' },
  })
  return { privateKey, field: Buffer.from(publicKey.write()).toString('base64') }
}

/** Returns a private key and a message in base64: valid PGP data, but not public keys. */
export async function pgpButNoPublicKey({ privateKey }: PgpPair): Promise<readonly string[]> {
  const message = await createMessage({ text: 'x' })
  return [privateKey.write(), message.write()].map((bytes) => Buffer.from(bytes).toString('base64'))
}
