/** Tests admission to clusters and their restoration. */
import { createMessage, encrypt, readKey } from 'openpgp'
import { describe, expect, test } from 'vitest'
import type { ClusterAccess, Exchange, Json, Reply } from '../../vocabulary/index.ts'
import { admission, replicationOff } from './vault-clusters.ts'

const replyOf = (status: number, json?: Json): Reply => ({
  ...{ status, headers: {}, json, bytes: Buffer.alloc(0), asked: '', at: 0 },
  text: JSON.stringify(json ?? ''),
})

type Answer = (exchange: Exchange, token: string | undefined) => Reply | undefined | Promise<Reply | undefined>

function placed(answer: Answer, given: Partial<ClusterAccess> = {}) {
  const sent: string[] = []
  const learnt: string[] = []
  const cluster: ClusterAccess = {
    async send(exchange, token) {
      sent.push(`${exchange.method} ${exchange.path}${token === undefined ? '' : ` as ${token}`}`)
      return answer(exchange, token)
    },
    tokens: ['own'],
    keyShares: [],
    mayBeWiped: true,
    learn: (secret) => void learnt.push(secret),
    made: (token) => void learnt.push(`made ${token}`),
    fitted: (shares) => void learnt.push(`fitted ${shares.join()}`),
    pause: async () => {},
    patienceMs: 1000,
    ...given,
  }
  return { cluster, sent, learnt }
}

/** Answers like a cluster with a role; `answer` gets all requests but those for its status, and may change the role. */
function withRole(
  mode: string,
  answer: (exchange: Exchange, token: string | undefined, become: (mode: string) => Reply) => ReturnType<Answer>,
  given: Partial<ClusterAccess> = {},
) {
  const become = (next: string): Reply => {
    mode = next
    return replyOf(204)
  }
  return placed(
    (exchange, token) =>
      exchange.path.endsWith('/status') ? replyOf(200, { data: { mode } }) : answer(exchange, token, become),
    given,
  )
}

/** Answers like a server that generates a token with two key shares. */
function ceremony(token: string, right: readonly string[]): Answer {
  let progress = 0
  const otp = 'x'.repeat(token.length)
  const encoded = Buffer.from(Buffer.from(token).map((byte) => byte ^ 'x'.charCodeAt(0))).toString('base64')
  return ({ method, path, body }) => {
    if (path.endsWith('/attempt')) {
      progress = 0
      return method === 'POST' ? replyOf(200, { nonce: 'n', otp }) : replyOf(204)
    }
    const { key } = body as { key: string }
    if (!right.includes(key)) return replyOf(400)
    progress += 1
    return replyOf(200, { encoded_token: progress === 2 ? encoded.replace(/=+$/, '') : '' })
  }
}

/** The same for a server that does not return a one-time password. */
function ceremonyByKey(token: string, right: readonly string[]): Answer {
  const plain = ceremony(token, right)
  let key: string | undefined
  return async (exchange, as) => {
    const reply = await plain(exchange, as)
    if (exchange.path.endsWith('/attempt')) {
      key = (exchange.body as { pgp_key?: string } | undefined)?.pgp_key
      return exchange.method === 'POST' ? replyOf(200, { nonce: 'n' }) : reply
    }
    const isLast = reply?.status === 200 && (reply.json as { encoded_token: string }).encoded_token !== ''
    return isLast ? replyOf(200, { encoded_token: await encryptedTo(key ?? '', token) }) : reply
  }
}

async function encryptedTo(publicKey: string, text: string): Promise<string> {
  const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
  const message = await encrypt({
    message: await createMessage({ text }),
    encryptionKeys: await readKey({ binaryKey: bytes(publicKey) }),
    format: 'binary',
  })
  return Buffer.from(message).toString('base64')
}

describe('admission', () => {
  test('uses the first token that the cluster accepts', async () => {
    const { cluster, sent } = placed((_, token) => replyOf(token === 'other' ? 200 : 403), { tokens: ['own', 'other'] })
    expect(await admission(cluster)).toEqual({ token: 'other', atOnce: true })
    expect(sent).toEqual(['GET auth/token/lookup-self as own', 'GET auth/token/lookup-self as other'])
  })

  test('generates a token with the right key shares if no known token is accepted', async () => {
    const make = ceremony('new-root', ['c', 'd'])
    const { cluster, learnt } = placed((exchange, token) => (token ? replyOf(403) : make(exchange, token)), {
      keyShares: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    })
    expect(await admission(cluster)).toEqual({ token: 'new-root' })
    expect(learnt).toContain('made new-root')
    expect(learnt.filter((one) => one.startsWith('fitted'))).toEqual(['fitted c,d'])
  })

  test('has the token encrypted if the server does not return a one-time password', async () => {
    const make = ceremonyByKey('new-root', ['a', 'b'])
    const answer: Answer = (exchange, token) => (token ? replyOf(403) : make(exchange, token))
    const { cluster, sent } = placed(answer, { keyShares: [['a', 'b']] })
    expect(await admission(cluster)).toEqual({ token: 'new-root' })
    expect(sent.slice(1, 4)).toEqual([
      'POST sys/generate-root/attempt',
      'DELETE sys/generate-root/attempt',
      'POST sys/generate-root/attempt',
    ])
  })

  test('reads the nonce if the reply to the start does not contain it', async () => {
    const make = ceremonyByKey('new-root', ['a', 'b'])
    const answer: Answer = async (exchange, token) => {
      if (token) return replyOf(403)
      if (exchange.method === 'GET') return replyOf(200, { nonce: 'n' })
      const reply = await make(exchange, token)
      return exchange.method === 'POST' && exchange.path.endsWith('/attempt') ? replyOf(204) : reply
    }
    const { cluster, sent } = placed(answer, { keyShares: [['a', 'b']] })
    expect(await admission(cluster)).toEqual({ token: 'new-root' })
    expect(sent).toContain('GET sys/generate-root/attempt')
  })

  test('waits, until its deadline, if a cluster is not ready during a ceremony', async () => {
    const make = ceremony('new-root', ['a', 'b'])
    const isCeremony = ({ path }: Exchange) => path.startsWith('sys/generate-root')
    for (const [unready, outcome] of [
      [5, 'token'],
      [Number.POSITIVE_INFINITY, 'blocked'],
    ] as const) {
      let asked = 0
      const answer: Answer = (exchange, token) => {
        if (!isCeremony(exchange) || token !== 'own') return replyOf(403)
        asked += 1
        return asked > 1 && asked < 2 + unready ? replyOf(500) : make(exchange, token)
      }
      expect(await admission(placed(answer, { keyShares: [['a', 'b']] }).cluster)).toHaveProperty(outcome)
      expect(asked).toBeLessThan(50)
    }
  })

  test.each([400, 403])('starts a ceremony with a token if it is refused without one: %s', async (status) => {
    const make = ceremony('new-root', ['a', 'b'])
    const { cluster } = placed(
      (exchange, token) =>
        exchange.path.startsWith('sys/generate-root') && token === 'own' ? make(exchange, token) : replyOf(status),
      { keyShares: [['a', 'b']] },
    )
    expect(await admission(cluster)).toEqual({ token: 'new-root' })
  })

  test('reports why there is no token', async () => {
    const { cluster } = placed(() => replyOf(403))
    expect(await admission(cluster)).toEqual({ blocked: 'the profile has no key shares of this cluster' })
  })

  test('waits for a cluster that is not ready', async () => {
    let asked = 0
    const { cluster } = placed(() => (++asked < 3 ? undefined : replyOf(200)))
    expect(await admission(cluster)).toEqual({ token: 'own', atOnce: false })
  })

  test('cancels an earlier attempt on a cluster that may be wiped', async () => {
    const make = ceremony('new-root', ['a', 'b'])
    let isRunning = true
    const { cluster, sent } = placed(
      (exchange, token) => {
        if (token) return replyOf(403)
        if (exchange.method === 'DELETE') isRunning = false
        return isRunning ? replyOf(400) : make(exchange, token)
      },
      { keyShares: [['a', 'b']] },
    )
    expect(await admission(cluster)).toEqual({ token: 'new-root' })
    expect(sent).toContain('DELETE sys/generate-root/attempt')
  })

  test('does not start a ceremony on a cluster that may not be wiped', async () => {
    const { cluster, sent } = placed(() => replyOf(403), { keyShares: [['a', 'b']], mayBeWiped: false })
    expect(await admission(cluster)).toEqual({ blocked: 'it accepts none of the tokens of the profile' })
    expect(sent).toEqual(['GET auth/token/lookup-self as own'])
  })
})

describe('switching replication off', () => {
  const path = 'sys/replication/performance/primary/disable'

  test('sends nothing but the status request if replication is disabled or not served', async () => {
    const off = [{ mode: 'disabled' }, { mode: 'off', cluster_id: '' }].map((data) => replyOf(200, { data }))
    for (const status of [...off, replyOf(404, { errors: [] })]) {
      const { cluster, sent } = placed(() => status)
      expect(await replicationOff(cluster, path)).toBeUndefined()
      expect(sent).toEqual(['GET sys/replication/performance/status'])
    }
  })

  test('waits while a cluster is about to get a role', async () => {
    const modes = ['bootstrapping', 'unknown', 'secondary', 'disabled']
    const { cluster, sent } = placed(({ path: asked }) =>
      asked.endsWith('/status')
        ? replyOf(200, { data: { mode: modes.shift() ?? 'disabled', cluster_id: '' } })
        : replyOf(204),
    )
    expect(await replicationOff(cluster, path)).toBeUndefined()
    expect(sent.filter((one) => one.endsWith('/status'))).toHaveLength(4)
    expect(sent).toContain('POST sys/replication/performance/secondary/disable as own')
  })

  test('uses the role that the cluster has now', async () => {
    const { cluster, sent } = withRole('secondary', ({ path: asked }, _, become) =>
      asked.endsWith('/disable') ? become('disabled') : replyOf(204),
    )
    expect(await replicationOff(cluster, path)).toBeUndefined()
    expect(sent).toContain('POST sys/replication/performance/secondary/disable as own')
  })

  test.each([
    ['the cluster has', 'primary', 1],
    ['has ended since', 'disabled', 2],
  ])('does not look first where a role is known, which %s', async (_, mode, most) => {
    const shown = replyOf(200, { data: { mode: 'primary' } })
    const { cluster, sent } = withRole(mode, (_exchange, _token, become) => become('disabled'), { shown })
    expect(await replicationOff(cluster, path)).toBeUndefined()
    expect(sent[0]).toBe(`POST ${path} as own`)
    expect(sent.filter((one) => one.endsWith('/status')).length).toBeLessThanOrEqual(most)
  })

  test('looks where it is known that a cluster had no role', async () => {
    const shown = replyOf(200, { data: { mode: 'disabled' } })
    const { cluster, sent } = withRole('primary', (_exchange, _token, become) => become('disabled'), { shown })
    expect(await replicationOff(cluster, path)).toBeUndefined()
    expect(sent[0]).toMatch(/status$/)
  })

  test('does not repeat an accepted request, and does not wait longer than needed', async () => {
    const { cluster, sent } = withRole('primary', (_exchange, _token, become) => become('disabled'), {
      pause: async () => void sent.push('a pause'),
    })
    expect(await replicationOff(cluster, path)).toBeUndefined()
    const status = 'GET sys/replication/performance/status'
    expect(sent).toEqual([status, `POST ${path} as own`, status])
  })

  test('looks for another token if the likeliest is denied', async () => {
    const { cluster, sent } = withRole(
      'primary',
      ({ path: asked }, token, become) => {
        if (token !== 'other') return replyOf(403)
        return asked.endsWith('/disable') ? become('disabled') : replyOf(200)
      },
      { tokens: ['own', 'other'] },
    )
    expect(await replicationOff(cluster, path)).toBeUndefined()
    expect(sent).toContain(`POST ${path} as other`)
  })

  test.each([undefined, 'own'])('sends an operation token to a DR secondary, with the client token %s', async (as) => {
    const make = ceremony('op-token', ['a', 'b'])
    const { cluster } = withRole(
      'secondary',
      (exchange, token, become) => {
        if (exchange.path.includes('generate-operation-token')) return make(exchange, token)
        const isRight = (exchange.body as { dr_operation_token?: string }).dr_operation_token === 'op-token'
        return isRight && token === as ? become('disabled') : replyOf(403)
      },
      { keyShares: [['a', 'b']] },
    )
    expect(await replicationOff(cluster, 'sys/replication/dr/primary/disable')).toBeUndefined()
  })

  test.each(['dr', 'performance'])('promotes a %s secondary that refuses to be disabled', async (kind) => {
    const make = ceremony('op-token', ['a', 'b'])
    const { cluster, sent } = withRole(
      'secondary',
      (exchange, token, become) => {
        if (exchange.path.includes('generate-operation-token')) return make(exchange, token)
        if (exchange.path.endsWith('secondary/disable')) return replyOf(400)
        return become(exchange.path.endsWith('/promote') ? 'primary' : 'disabled')
      },
      { keyShares: [['a', 'b']] },
    )
    expect(await replicationOff(cluster, `sys/replication/${kind}/primary/disable`)).toBeUndefined()
    expect(sent.findIndex((one) => one.includes('promote'))).toBeGreaterThan(0)
  })

  test('does not promote a secondary that may not be wiped', async () => {
    const { cluster, sent } = withRole('secondary', ({ path: asked }) => replyOf(/disable/.test(asked) ? 400 : 204), {
      mayBeWiped: false,
    })
    expect(await replicationOff(cluster, path)).toMatch(/^still a performance secondary: .*disable answered status 400/)
    expect(sent.filter((one) => one.includes('promote'))).toEqual([])
  })

  test('reports that a ceremony supports neither a one-time password nor a PGP key', async () => {
    const { cluster } = withRole(
      'secondary',
      ({ path: asked, body, method }) => {
        if (!asked.endsWith('/attempt') || method !== 'POST') return replyOf(asked.endsWith('-self') ? 200 : 400)
        return replyOf((body as { pgp_key?: string }).pgp_key ? 400 : 200, { nonce: 'n' })
      },
      { keyShares: [['a', 'b']] },
    )
    const said = await replicationOff(cluster, 'sys/replication/dr/primary/disable')
    expect(said).toContain('generate-operation-token returns no one-time password and cannot be started with a PGP key')
    expect(said).toMatch(/; by hand: make a DR operation token with key shares/)
  })

  test('reports which role is left and why', async () => {
    const { cluster } = withRole('primary', ({ path: asked }) => replyOf(asked.endsWith('-self') ? 200 : 500))
    expect(await replicationOff(cluster, path)).toBe(
      'still a performance primary: sys/replication/performance/primary/disable answered status 500; by hand: POST sys/replication/performance/primary/disable with a token of that cluster',
    )
  })
})

test('a cluster that is unreachable or never ready is waited for only once', async () => {
  for (const answer of [undefined, replyOf(500)]) {
    let waited = 0
    const pause = async (ms: number) => {
      waited += ms
    }
    const { cluster } = placed(() => answer, { patienceMs: 1000, pause })
    expect(await replicationOff(cluster, 'sys/replication/dr/primary/disable')).toMatch(/^still (no reply|status 500)/)
    expect(await admission(cluster)).toHaveProperty('blocked')
    expect(waited).toBeLessThan(4000)
  }
})
