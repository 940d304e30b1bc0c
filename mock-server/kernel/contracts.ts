/** The shapes that the pipeline, the kernel and the engines of the reference server share. */

export const capabilities = ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo', 'deny'] as const
export type Capability = (typeof capabilities)[number]
export type Verb = 'GET' | 'LIST' | 'POST' | 'PATCH' | 'DELETE'
export type Edition = 'community' | 'enterprise' | 'premium'

/** Milliseconds since the epoch. No code of the server reads any other clock. */
export interface Clock {
  now(): number
  /** Runs `due` once when the clock reaches `at`; the returned function cancels. */
  at(at: number, due: () => void | Promise<void>): () => void
  /** Moves the clock forward, running everything that falls due, in order. */
  advance(ms: number): Promise<void>
}

/** Seeded: the same seed and requests give the same ids and tokens. Keys of certificates do not come from here. */
export interface Random {
  bytes(length: number): Buffer
  uuid(): string
  /** Letters and digits. */
  token(length: number): string
  integer(below: number): number
}

export interface Token {
  readonly id: string
  readonly accessor: string
  readonly policies: readonly string[]
  readonly displayName: string
  readonly path: string
  readonly meta: Readonly<Record<string, string>>
  readonly entityId: string
  readonly parent: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Seconds; 0 where the token does not expire. */
  readonly ttl: number
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | undefined
  readonly renewable: boolean
}

/** One request, after parsing and authentication. */
export interface Call {
  readonly verb: Verb
  /** Below `/v1/`, without a trailing slash: `sys/policies/acl/p1`. */
  readonly path: string
  /** The same, below the mount. */
  readonly rest: string
  readonly mountPath: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The JSON object of the body; `{}` for an empty body or `null`. */
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly token: Token | undefined
}

export interface Lease {
  /** Seconds. */
  readonly ttl: number
  /** Seconds after issue beyond which no renewal reaches, where that is nearer than the mount's own bound. */
  readonly maxTtl?: number
  readonly renewable: boolean
  /** Takes back what the lease stands for; a throw blocks everything but a forced revocation. */
  revoke(): void | Promise<void>
  /** JSON from which the engine's `revive` makes `revoke` again after a restart from a state file. */
  readonly kept?: unknown
}

/** What a handler answers; the pipeline makes the envelope. */
export type Reply =
  | {
      readonly kind: 'data'
      readonly data: object | null
      /** The data are the caller's own, or a map by names: no variation adds a field to them. */
      readonly verbatim?: boolean
      readonly warnings?: readonly string[]
      readonly lease?: Lease
      readonly auth?: object
      readonly topLevel?: object
      /** It goes behind a single-use token although the request does not ask for it. Seconds; `form` puts the token into
       * another shape, and `plain` shows it among the data, as if it were no wrapping token. */
      readonly wrap?: { readonly ttl: number; readonly form: (token: string) => string; readonly plain?: boolean }
    }
  | { readonly kind: 'empty'; readonly warnings?: readonly string[] }
  | {
      readonly kind: 'bare'
      readonly status: number
      readonly contentType: string
      readonly bytes: Uint8Array | string
    }

/** The reply of a request that was carried out and has nothing to say. */
export const done: Reply = { kind: 'empty' }

export interface Route {
  readonly verb: Verb | readonly Verb[]
  /** Below the mount; `:name` is one segment, `:name*` is the rest of the path. */
  readonly path: string
  /** Who may: `token` (a live token with the capability that the verb needs), `sudo` (that and sudo), `sudo-alone` (sudo,
   * whatever else its policies say of the path), `root` (a root token), or `anyone`. */
  readonly access: 'token' | 'sudo' | 'sudo-alone' | 'root' | 'anyone'
  /** The capability for the verb, where it is not the usual one. */
  readonly needs?: Capability
  /** For POST on endpoints that tell create from update: without the resource, `create` is needed instead of `update`. */
  readonly exists?: (call: Call) => boolean
  /** An endpoint that is not available in this version or edition answers like an unknown path. */
  readonly available?: (facts: ServerFacts) => boolean
  /** The request asks for a token: it is governed although it brings none. */
  readonly login?: boolean
  /** A GET that changes something all the same. */
  readonly changes?: boolean
  readonly run: (call: Call) => Reply | Promise<Reply>
}

/** A deliberate fault: the tables of the thing it belongs to, with one cell changed. */
export interface Mutant<Tables> {
  /** `<area or kernel>/<fault>`, kebab-case. */
  readonly id: string
  readonly does: string
  /** A judgement that many checks share notices it: those that are about it name it, and the others need not. */
  readonly shared?: boolean
  change(tables: Tables): Tables
}

export interface ServerFacts {
  readonly version: string
  readonly edition: Edition
  readonly forms: Readonly<Record<string, string>>
}
