/** Opens a server with a user whose logins can require MFA codes. */
import { createClock } from '../kernel/state/clock.ts'
import type { MockServerOptions } from '../server.ts'
import { type Answered, openServer } from './policies.test-bed.ts'

/** A time at which periods of 30 s, 45 s and 60 s all begin, in milliseconds. */
export const start = 1_800_000_000_000

export const openMfa = async (options: MockServerOptions = {}) => {
  const server = await openServer({ clock: createClock(() => start), ...options })
  return {
    ...server,
    /** Creates the user `ann`, and returns a token of hers and the id of her entity. */
    async user(policies: readonly string[] = []) {
      await server.ask('POST sys/auth/people', { type: 'userpass' })
      await server.ask('POST auth/people/users/ann', { password: 'pw', token_policies: policies })
      const login = await server.ask('POST auth/people/login/ann', { password: 'pw' }, '')
      return { token: login.auth.client_token, entity: login.auth.entity_id }
    },
    login: (headers: Record<string, string> = {}): Promise<Answered> =>
      server.ask('POST auth/people/login/ann', { password: 'pw' }, '', headers),
    /** Makes every login of the user require a code of the MFA method. Returns the status. */
    async enforce(method: string, name = 'all') {
      const accessor = await accessorOf(server.url, server.rootToken)
      const body = { mfa_method_ids: [method], auth_method_accessors: [accessor] }
      return (await server.ask(`POST identity/mfa/login-enforcement/${name}`, body)).status
    },
  }
}

async function accessorOf(url: string, token: string): Promise<string> {
  const reply = await fetch(`${url}/v1/sys/auth`, { headers: { 'x-vault-token': token } })
  return ((await reply.json()) as { data: Record<string, { accessor: string }> }).data['people/']?.accessor ?? ''
}

export type Mfa = Awaited<ReturnType<typeof openMfa>>

/** Returns the URL in an answer that generates a secret. */
export const urlIn = ({ data }: Answered): URL => new URL(String(data.url))
