/** Sends the inputs to a server, and notes the facts of its replies. */
import { Client } from 'undici'
import type { Group, Step } from './inputs.ts'
import { type Facts, factsOf, parseReply, type RawReply } from './shapes.ts'

/** The facts of each input, one for each of its requests. */
export type Played = ReadonlyMap<string, readonly Facts[]>

type Kept = Map<string, string>

const contentTypes: Readonly<Record<string, string>> = { PATCH: 'application/merge-patch+json' }

/** Fills in the values that were kept. Returns undefined if one of them is not there, because an earlier request was
 * refused. */
function filled(text: string, kept: Kept, escaped: boolean): string | undefined {
  let whole = true
  const result = text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = kept.get(name)
    whole &&= value !== undefined
    return escaped ? JSON.stringify(value ?? '').slice(1, -1) : (value ?? '')
  })
  return whole ? result : undefined
}

function valueAt(reply: RawReply, path: string): string | undefined {
  if (path === 'body') return reply.body.toString('utf8')
  const whole = parseReply(reply.body.toString('utf8'))
  const found = path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], whole)
  return typeof found === 'string' ? found : undefined
}

class Player {
  readonly #client: Client
  readonly #token: string
  constructor(url: string, token: string) {
    this.#client = new Client(url)
    this.#token = token
  }

  async #send({ method, path, body, headers }: Step): Promise<RawReply> {
    const usual = { 'x-vault-token': this.#token, 'content-type': contentTypes[method] ?? 'application/json' }
    const all = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== '')
    const reply = await this.#client.request({
      method: method as 'GET',
      path: path.startsWith('/') ? path : `/v1/${path}`,
      headers: Object.fromEntries(all),
      body: body ?? null,
    })
    const { 'content-type': contentType = '', location } = reply.headers
    const bytes = Buffer.from(await reply.body.arrayBuffer())
    return { status: reply.statusCode, contentType: String(contentType), location: location?.toString(), body: bytes }
  }

  async step(step: Step, kept: Kept): Promise<Facts> {
    const path = filled(step.path, kept, false)
    const body = step.body === undefined ? '' : filled(step.body, kept, /^\s*\{/.test(step.body))
    const headers = Object.entries(step.headers).map(
      ([name, value]) => [name, filled(String(value), kept, false)] as const,
    )
    if (path === undefined || body === undefined || headers.some(([, value]) => value === undefined))
      return { status: 'not sent: it needs a value of a request that was refused' }
    const whole = { ...step, path, headers: Object.fromEntries(headers) as Record<string, string> }
    const reply = await this.#send({ ...whole, body: step.body === undefined ? undefined : body }).catch(
      () => undefined,
    )
    if (!reply) return { status: 'no reply' }
    for (const [name, where] of Object.entries(step.keep)) {
      const value = reply.status < 300 ? valueAt(reply, where) : undefined
      if (value !== undefined) kept.set(name, value)
    }
    return factsOf(reply)
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}

async function playGroup(player: Player, { name, setup, inputs }: Group, played: Map<string, Facts[]>): Promise<void> {
  const kept: Kept = new Map()
  for (const step of setup) {
    const { status } = await player.step(step, kept)
    if (!/^2/.test(status ?? ''))
      throw new Error(`the set-up of ${name} failed: ${step.method} ${step.path} (${status}); use a fresh server`)
  }
  for (const { id, steps } of inputs) {
    const facts: Facts[] = []
    for (const step of steps) facts.push(await player.step(step, kept))
    played.set(id, facts)
  }
}

export async function play(groups: readonly Group[], url: string, token: string): Promise<Played> {
  const player = new Player(url, token)
  const played = new Map<string, Facts[]>()
  try {
    for (const group of groups) await playGroup(player, group, played)
  } finally {
    await player.close()
  }
  return played
}
