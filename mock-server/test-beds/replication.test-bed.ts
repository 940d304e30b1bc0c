/** Opens clusters for the tests of replication, with functions for what an operator does. */
import { decrypt, generateKey, readKey, readMessage, readPrivateKey } from 'openpgp'
import { afterAll, afterEach } from 'vitest'
import { createMockCluster, type MockCluster, type MockClusterOptions, type MockServer } from '../server.ts'

export type Kind = 'dr' | 'performance'
export const kinds = ['dr', 'performance'] as const satisfies readonly Kind[]

export interface Replied {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever fields they expect
  readonly body: any
}

/** One cluster, and a token that is valid on it. */
export interface Party {
  readonly server: MockServer
  token: string
  ask(method: string, path: string, body?: object): Promise<Replied>
  /** Sends a request, and fails unless it succeeds. */
  do(method: string, path: string, body?: object): Promise<Replied>
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever fields they expect
  status(kind: Kind): Promise<any>
  /** Generates a root token with the key shares that the cluster takes now, its own or those of its primary, and uses it
   * from then on. */
  admit(): Promise<void>
  operationToken(): Promise<string>
}

/** Returns the fields at the top level and those in `data` together. */
const fieldsOf = ({ body }: Replied) => ({ ...body.data, ...body })

function partyOf(server: MockServer): Party {
  async function ask(method: string, path: string, body?: object): Promise<Replied> {
    const response = await fetch(`${server.url}/v1/${path}`, {
      method,
      headers: { 'x-vault-token': party.token },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  /** Repeats the request while the cluster answers 500, because a cluster that has just changed its role may not be
   * ready. */
  async function askWhenReady(...request: Parameters<typeof ask>): Promise<Replied> {
    let replied = await ask(...request)
    await until(async () => {
      if (replied.status !== 500) return true
      replied = await ask(...request)
      return false
    }, 'ready')
    return replied
  }

  async function generate(at: string): Promise<string> {
    await askWhenReady('DELETE', `${at}/attempt`)
    let { nonce, otp } = fieldsOf(await party.do('POST', `${at}/attempt`, {}))
    // If the reply contains no one-time password, the token is encrypted for a PGP key instead.
    const pgp =
      otp === undefined ? await generateKey({ userIDs: [{ name: 'test key' }], format: 'armored' }) : undefined
    if (pgp) {
      const key = await readKey({ armoredKey: pgp.publicKey })
      await askWhenReady('DELETE', `${at}/attempt`)
      const body = { pgp_key: Buffer.from(key.write()).toString('base64') }
      ;({ nonce, otp } = fieldsOf(await party.do('POST', `${at}/attempt`, body)))
    }
    let encoded = ''
    for (const key of server.keyShares.slice(0, 3))
      encoded = fieldsOf(await party.do('POST', `${at}/update`, { key, nonce })).encoded_token
    if (pgp) {
      const message = await readMessage({ binaryMessage: Buffer.from(encoded, 'base64') })
      const decryptionKeys = await readPrivateKey({ armoredKey: pgp.privateKey })
      return String((await decrypt({ message, decryptionKeys })).data)
    }
    const pad = Buffer.from(otp)
    return Buffer.from(Buffer.from(encoded, 'base64').map((byte, at) => byte ^ (pad[at] ?? 0))).toString()
  }

  const party: Party = {
    server,
    token: server.rootToken,
    ask,
    async do(method, path, body) {
      const replied = await askWhenReady(method, path, body)
      if (replied.status >= 300) throw new Error(`${method} ${path}: ${replied.status} ${JSON.stringify(replied.body)}`)
      return replied
    },
    status: async (kind) => (await askWhenReady('GET', `sys/replication/${kind}/status`)).body.data,
    async admit() {
      party.token = await generate('sys/generate-root')
    },
    operationToken: () => generate('sys/replication/dr/secondary/generate-operation-token'),
  }
  return party
}

export interface Bed {
  readonly cluster: MockCluster
  readonly parties: readonly [Party, Party, Party]
}

export async function makeBed(options: Partial<MockClusterOptions> = {}): Promise<Bed> {
  const cluster = await createMockCluster({ clusters: 3, ...options })
  const [one, two, three] = cluster.servers.map(partyOf)
  if (!one || !two || !three) throw new Error('three clusters are expected')
  return { cluster, parties: [one, two, three] }
}

/** Opens clusters for all tests of a file, and resets them after each test. */
export async function openBed(): Promise<Bed> {
  const bed = await makeBed()
  afterEach(async () => {
    bed.cluster.vary(0)
    await bed.cluster.reset()
    for (const party of bed.parties) party.token = party.server.rootToken
  })
  afterAll(() => bed.cluster.close())
  return bed
}

/** Polls until the condition is true. Throws after 5 seconds. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 5000
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`timed out waiting for: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

export const at = (kind: Kind, path: string): string => `sys/replication/${kind}/${path}`

export async function tokenFor(primary: Party, kind: Kind, id: string, fields: object = {}): Promise<string> {
  const { body } = await primary.do('POST', at(kind, 'primary/secondary-token'), { id, ...fields })
  return body.wrap_info?.token ?? body.data.token
}

/** Waits for the mode, because a change of the mode may take effect only after its reply. */
const hasMode = (party: Party, kind: Kind, mode: string): Promise<void> =>
  until(async () => (await party.status(kind)).mode === mode, `${kind} ${mode}`)

export const inStep = (party: Party, kind: Kind): Promise<void> =>
  until(async () => (await party.status(kind)).state === 'stream-wals', `${kind} secondary in step`)

/** Waits until everything that the primary has written has arrived. */
export async function caughtUp(secondary: Party, primary: Party, kind: Kind): Promise<void> {
  const { last_wal } = await primary.status(kind)
  await until(async () => (await secondary.status(kind)).last_remote_wal >= last_wal, 'secondary caught up')
}

/** Makes one cluster a primary if it is not, makes the other one its secondary, and waits until it is in sync. */
export async function join(primary: Party, secondary: Party, kind: Kind, id = 'second'): Promise<void> {
  if ((await primary.status(kind)).mode !== 'primary') await primary.do('POST', at(kind, 'primary/enable'))
  await hasMode(primary, kind, 'primary')
  const token = await tokenFor(primary, kind, id)
  await secondary.do('POST', at(kind, 'secondary/enable'), { token })
  await inStep(secondary, kind)
  if (kind === 'performance') await secondary.admit()
}

/** Returns the fields that authorize a change of the mode of a secondary of that kind. */
export const authorization = async (party: Party, kind: Kind): Promise<object> =>
  kind === 'dr' ? { dr_operation_token: await party.operationToken() } : {}

export async function leave(party: Party, kind: Kind): Promise<void> {
  const { mode } = await party.status(kind)
  if (mode === 'secondary') await party.do('POST', at(kind, 'secondary/disable'), await authorization(party, kind))
  if (mode === 'primary') await party.do('POST', at(kind, 'primary/disable'))
  await until(async () => !/primary|secondary/.test((await party.status(kind)).mode), `no ${kind} replication`)
}

export const valueAt = async (party: Party, path: string): Promise<unknown> =>
  (await party.ask('GET', path)).body?.data?.v
