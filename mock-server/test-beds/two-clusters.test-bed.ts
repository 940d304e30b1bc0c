/** Opens two clusters with gates in front of them, with functions for what an operator does. */
import { expect } from 'vitest'
import { createMockCluster } from '../cluster.ts'
import type { ReplicationKind } from '../kernel/cluster/cluster-role.ts'
import type { MockServer } from '../start.ts'
import { type Gate, startGate } from './gate.test-bed.ts'

export interface Replied {
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

/** A text that is too long to be sent in one piece. */
export const long = 'x'.repeat(200_000)

export async function openTwo(kind: ReplicationKind) {
  const group = await createMockCluster({ clusters: 2 })
  const [first, second] = group.servers
  if (!first || !second) throw new Error('two clusters were asked for')
  const gates = new Map<MockServer, { readonly api: Gate; readonly link: Gate }>()
  for (const server of group.servers)
    gates.set(server, { api: await startGate(new URL(server.url).host), link: await startGate(server.clusterAddress) })
  const gatesTo = (server: MockServer) => gates.get(server) as { readonly api: Gate; readonly link: Gate }
  const shares = first.keyShares
  const path = `sys/replication/${kind}`

  async function ask(server: MockServer, line: string, sent?: object, token = server.rootToken): Promise<Replied> {
    const [method = '', below = ''] = line.split(' ')
    const reply = await fetch(`${server.url}/v1/${below}`, {
      method,
      headers: token ? { 'x-vault-token': token } : {},
      ...(sent && { body: JSON.stringify(sent) }),
    })
    const text = await reply.text()
    const body = text === '' ? {} : JSON.parse(text)
    return { status: reply.status, data: body.data ?? {}, body }
  }

  /** Generates a token with shares of the root key. */
  async function generate(server: MockServer, below: string, by: readonly string[]): Promise<string> {
    await ask(server, `DELETE ${below}/attempt`, undefined, '')
    const { nonce, otp } = (await ask(server, `POST ${below}/attempt`, {}, '')).data
    let encoded = ''
    for (const key of by.slice(0, 3)) {
      const { data } = await ask(server, `POST ${below}/update`, { key, nonce }, '')
      encoded = String(data.encoded_token ?? '')
    }
    const pad = Buffer.from(String(otp))
    return Buffer.from(encoded, 'base64')
      .map((byte, index) => byte ^ (pad[index] ?? 0))
      .toString()
  }
  const operationToken = async (server: MockServer, by = shares) =>
    kind === 'dr'
      ? { dr_operation_token: await generate(server, `${path}/secondary/generate-operation-token`, by) }
      : {}

  const status = async (server: MockServer) => (await ask(server, `GET ${path}/status`, undefined, '')).data
  const write = (server: MockServer, name: string, value = name, token?: string) =>
    ask(server, `POST ${name}`, { value }, token)

  const read = async (server: MockServer, name: string, token?: string) =>
    (await ask(server, `GET ${name}`, undefined, token)).data.value

  async function activationToken(server: MockServer, id = 'other'): Promise<string> {
    const { body } = await ask(server, `POST ${path}/primary/secondary-token`, { id })
    return (body.wrap_info as { token: string }).token
  }

  async function makePrimary(server: MockServer): Promise<void> {
    const sent = { primary_cluster_addr: gatesTo(server).link.address }
    expect((await ask(server, `POST ${path}/primary/enable`, sent)).status).toBeLessThan(300)
  }

  /** Returns the status of the answer. */
  async function join(server: MockServer, primary: MockServer, token: string): Promise<number> {
    const sent = { token, primary_api_addr: `http://${gatesTo(primary).api.address}` }
    return (await ask(server, `POST ${path}/secondary/enable`, sent)).status
  }

  async function rejoin(server: MockServer, primary: MockServer, token: string): Promise<number> {
    const sent = {
      ...{ token, primary_api_addr: `http://${gatesTo(primary).api.address}` },
      ...(await operationToken(server)),
    }
    return (await ask(server, `POST ${path}/secondary/update-primary`, sent)).status
  }

  async function promote(server: MockServer, sent: object = {}, by = shares): Promise<number> {
    const address = { primary_cluster_addr: gatesTo(server).link.address }
    const body = { ...address, ...(await operationToken(server, by)), ...sent }
    const token = kind === 'dr' ? '' : await generate(server, 'sys/generate-root', by)
    return (await ask(server, `POST ${path}/secondary/promote`, body, token)).status
  }

  /** Waits until a secondary has all data of its primary. */
  async function caughtUp(server: MockServer, primary: MockServer): Promise<void> {
    // The status of the primary is read again, because a connecting secondary causes a write on the primary.
    const lacks = async (): Promise<unknown> => {
      const [own, wanted] = [await status(server), await status(primary)]
      return own.state === 'stream-wals' ? Number(wanted.last_wal) - Number(own.last_remote_wal) : own
    }
    await expect.poll(lacks, { interval: 5 }).toBe(0)
  }

  return {
    ...{ kind, first, second, shares, path, gatesTo, ask, generate, operationToken, status, write, read },
    ...{ activationToken, makePrimary, join, rejoin, promote, caughtUp },
    async demote(server: MockServer): Promise<void> {
      expect((await ask(server, `POST ${path}/primary/demote`)).status).toBeLessThan(300)
    },
    /** Generates a root token. On a performance secondary, this needs the shares of the primary. */
    admin: (server: MockServer, by = shares) => generate(server, 'sys/generate-root', by),
    async close(): Promise<void> {
      await group.close()
      for (const { api, link } of gates.values()) await Promise.all([api.close(), link.close()])
    },
  }
}

export type Two = Awaited<ReturnType<typeof openTwo>>
