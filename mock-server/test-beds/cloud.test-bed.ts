/** Opens a server with one mount of the cloud engine, and a provider stub that it calls. */
import { type Provider, startProvider } from '../../fixtures/servers/provider/index.ts'
import { createClock } from '../kernel/state/clock.ts'
import { createMockServer, type MockServer, type MockServerOptions } from '../server.ts'

type Fields = Readonly<Record<string, unknown>>
export interface Answered {
  readonly status: number
  readonly leaseId: string
  readonly leaseSeconds: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever fields they expect
  readonly data: any
  readonly errors: readonly string[]
}
type Account = ReturnType<Provider['openAccount']>
export interface SeenUser {
  readonly name: string
  readonly path: string
  readonly keys: readonly { readonly id: string }[]
  readonly tags: Fields
  readonly boundary?: string
  readonly attached: readonly string[]
  readonly inline: Readonly<Record<string, string>>
  readonly groups: readonly string[]
}
export interface SeenCall {
  readonly endpoint: string
  readonly action: string
  readonly parameters: Readonly<Record<string, string>>
  readonly key: string
  readonly region: string
  readonly outcome: string
}
export interface Script {
  readonly kind: 'throttle' | 'failure' | 'denied' | 'cut' | 'cut-late'
  readonly action?: string
  readonly skip?: number
  readonly times?: number
}

export interface Bed {
  readonly server: MockServer
  readonly provider: Provider
  readonly account: Account
  post(path: string, body?: Fields): Promise<Answered>
  get(path: string): Promise<Answered>
  remove(path: string): Promise<Answered>
  /** Sends a request to a path that is not below the mount: `sys/leases/revoke`. */
  system(method: string, path: string, body?: Fields): Promise<Answered>
  /** Writes `config/root` with the account's keys. */
  configure(more?: Fields): Promise<Answered>
  users(): Promise<readonly SeenUser[]>
  user(name: string): Promise<SeenUser | undefined>
  calls(): Promise<readonly SeenCall[]>
  script(script: Script): Promise<void>
  endScripts(): Promise<void>
  leases(): readonly string[]
  /** Moves the clock forward by this many seconds. */
  pass(seconds: number): Promise<void>
  close(): Promise<void>
}

/** A server and a provider stub that several test beds share. Each test bed has its own mount and account. */
export interface Ground {
  readonly server: MockServer
  readonly provider: Provider
  close(): Promise<void>
}

export async function openGround(options: MockServerOptions = {}): Promise<Ground> {
  const provider = await startProvider()
  const server = await createMockServer({ clock: createClock(), ...options })
  return {
    ...{ server, provider },
    async close() {
      await server.close()
      await provider.close()
    },
  }
}

let mounts = 0

export async function openBed(
  state: Parameters<Provider['openAccount']>[0] = {},
  options: MockServerOptions = {},
  shared?: Ground,
): Promise<Bed> {
  const ground = shared ?? (await openGround(options))
  const { provider, server } = ground
  const mount = `cloud${mounts++}`
  const account = provider.openAccount(state)
  const { accessKey, secretKey } = account

  async function system(method: string, path: string, body?: Fields): Promise<Answered> {
    const reply = await fetch(`${server.url}/v1/${path}`, {
      method,
      headers: { 'X-Vault-Token': server.rootToken },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await reply.text()
    const parsed = text === '' ? {} : JSON.parse(text)
    const { lease_id = '', lease_duration = 0, data = null, errors = [] } = parsed
    return { status: reply.status, leaseId: lease_id, leaseSeconds: lease_duration, data, errors }
  }
  const control = async (method: string, part: string, body?: Fields): Promise<unknown> => {
    const json = { 'content-type': 'application/json' }
    const init = { method, ...(body ? { headers: json, body: JSON.stringify(body) } : {}) }
    return (await fetch(`${provider.control}/accounts/${account.account}${part}`, init)).json()
  }
  const users = async (): Promise<readonly SeenUser[]> =>
    ((await control('GET', '')) as { users: SeenUser[] }).users.filter(({ name }) => name !== account.userName)

  await system('POST', `sys/mounts/${mount}`, { type: 'cloud' })
  const at = (method: string) => (path: string, body?: Fields) => system(method, `${mount}/${path}`, body)
  return {
    ...{ server, provider, account, system, users },
    post: at('POST'),
    get: at('GET'),
    remove: at('DELETE'),
    configure: (more = {}) =>
      system('POST', `${mount}/config/root`, {
        ...{ access_key: accessKey, secret_key: secretKey, max_retries: 0 },
        ...{ iam_endpoint: provider.iam, sts_endpoint: provider.sts, ...more },
      }),
    user: async (name) =>
      ((await control('GET', '')) as { users: SeenUser[] }).users.find((user) => user.name === name),
    calls: async () => (await control('GET', '/log')) as SeenCall[],
    script: async (script) => void (await control('POST', '/faults', { ...script })),
    endScripts: async () => void (await control('DELETE', '/faults')),
    pass: (seconds) => server.clock.advance(seconds * 1000),
    leases: () => (server.inventory().leases ?? []).filter((id) => id.startsWith(`${mount}/`)),
    async close() {
      if (!shared) return ground.close()
      await system('POST', `sys/leases/revoke-force/${mount}`)
      await system('DELETE', `sys/mounts/${mount}`)
    },
  }
}
