/** Opens one mount of the PKI engine, without a server around it. */

import { createPki, type PkiServices } from '../engines/pki/index.ts'
import type { Call, Reply, Verb } from '../kernel/contracts.ts'
import { Refusal } from '../kernel/http/refusal.ts'
import { compileRoutes } from '../kernel/http/router.ts'
import type { StatePart } from '../kernel/state/state-part.ts'
import { variationOf } from '../kernel/variation.ts'

const plain = variationOf(0)

type Fields = Record<string, unknown>
/** The reply with its data, or the refusal. */
export interface Answered {
  readonly data: Record<string, string>
  readonly reply: Reply | undefined
  readonly refused: Refusal | undefined
}

export interface Bed {
  call(verb: Verb, path: string, body?: Fields): Promise<Answered>
  post(path: string, body?: Fields): Promise<Answered>
  get(path: string): Promise<Answered>
  /** Returns the body of a bare endpoint. */
  bare(path: string): Promise<Buffer>
  /** Moves the clock forward by this many seconds. */
  pass(seconds: number): void
  readonly now: () => number
  readonly state: StatePart
  readonly config: { default_lease_ttl: number; max_lease_ttl: number }
  accessOf(verb: Verb, path: string): string | undefined
}

export function createBed(options: { version?: string; identity?: Record<string, string>; state?: unknown } = {}): Bed {
  let ahead = 0
  const now = (): number => Date.now() + ahead
  const config = { default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false }
  const services = {
    clock: { now },
    entities: { templating: () => options.identity ?? {} },
    variation: () => plain,
    facts: { version: options.version ?? '1.14.0', edition: 'premium', forms: {} },
  } as unknown as PkiServices
  const engine = createPki(services)
  const instance = engine.open({ config } as Parameters<typeof engine.open>[0])
  if (options.state !== undefined) instance.state?.restore(options.state)
  const tree = compileRoutes(instance.routes)
  const token = { entityId: options.identity ? 'e' : '' }

  async function call(verb: Verb, path: string, body: Fields = {}): Promise<Answered> {
    const match = tree.match(path)
    const route = match?.routes[verb]
    if (!match || !route) throw new Error(`no route for ${verb} ${path}`)
    try {
      const reply = await route.handle({ verb, path, params: match.params, body, token } as unknown as Call)
      return { data: (reply.kind === 'data' ? reply.data : {}) as Record<string, string>, reply, refused: undefined }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { data: {}, reply: undefined, refused: error }
    }
  }

  return {
    call,
    post: (path, body) => call('POST', path, body),
    get: (path) => call('GET', path),
    async bare(path) {
      const { reply } = await call('GET', path)
      return Buffer.from(reply?.kind === 'bare' ? reply.bytes : '')
    },
    pass(seconds) {
      ahead += seconds * 1000
    },
    now,
    state: instance.state as StatePart,
    config,
    accessOf: (verb, path) => tree.match(path)?.routes[verb]?.access,
  }
}

/** Opens a mount with an EC root that is valid for ten years. */
export async function bedWithRoot(options: Parameters<typeof createBed>[0] = {}): Promise<Bed> {
  const bed = createBed(options)
  bed.config.max_lease_ttl = 315_360_000
  bed.config.default_lease_ttl = 86_400
  await bed.post('root/generate/internal', { common_name: 'Test Root', key_type: 'ec', ttl: '87600h' })
  return bed
}
