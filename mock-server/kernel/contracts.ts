/** The types that the pipeline, the kernel and the engines of the reference server share. */

export const capabilities = ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo', 'deny'] as const
export type Capability = (typeof capabilities)[number]
export type Verb = 'GET' | 'LIST' | 'POST' | 'PATCH' | 'DELETE'
export type Edition = 'community' | 'enterprise' | 'premium'

/** The clock of the server, in milliseconds since the epoch. No code of the server reads any other clock. */
export interface Clock {
  now(): number
  /** Runs `due` once when the clock reaches `at`. The returned function cancels it. */
  at(at: number, due: () => void | Promise<void>): () => void
  /** Moves the clock forward and runs everything that falls due, in order. */
  advance(ms: number): Promise<void>
}

/** The source of ids and tokens. With a seed, the same requests give the same ones. Keys of certificates are made
 * elsewhere. */
export interface Random {
  bytes(length: number): Buffer
  uuid(): string
  /** Returns letters and digits. */
  token(length: number): string
  integer(below: number): number
}

/** A live token, as handlers see it. */
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
  /** The lifetime in seconds; 0 for a token that does not expire. */
  readonly ttl: number
  /** Milliseconds since the epoch; undefined for a token that does not expire. */
  readonly expiresAt: number | undefined
  readonly renewable: boolean
  /** The path of the token's namespace, such as `team-a/`. It is absent for a token of the root namespace. */
  readonly namespace?: string
}

/** One request, after parsing and authentication. */
export interface Call {
  readonly verb: Verb
  /** The HTTP method, where the same verb can be sent with several. Absent if the server itself is the caller. */
  readonly method?: string
  /** The path below `/v1/`, without a trailing slash: `sys/policies/acl/p1`. */
  readonly path: string
  /** The same with its percent escapes, as it was sent. */
  readonly pathAsSent: string
  /** The path below the mount. */
  readonly rest: string
  readonly mountPath: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The JSON object of the body; `{}` for an empty body or `null`. */
  readonly body: Readonly<Record<string, unknown>>
  /** The body for callers who get it back: it keeps the text of numbers (`exact-numbers.ts`). */
  readonly bodyToStore: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly token: Token | undefined
  /** The IP address of the caller; empty if the server itself is the caller. */
  readonly peer: string
  /** True if a standby node answers the request itself. */
  readonly isStandby: boolean
}

/** Credentials that end when they expire, when they are revoked, or when the token that requested them ends. */
export interface Lease {
  /** The lifetime in seconds. */
  readonly ttl: number
  /** Renewals extend the lease to at most this many seconds after issue. If absent, only the bound of the mount
   * applies. */
  readonly maxTtl?: number
  readonly renewable: boolean
  /** Revokes the credentials. If this throws, the lease stays until a later attempt succeeds or a revocation is
   * forced. */
  revoke(): void | Promise<void>
  /** Data that is saved as JSON. After a restart from a state file, the engine's `revive` makes `revoke` from it
   * again. */
  readonly kept?: unknown
}

/** A handler returns a reply. The pipeline makes the envelope. */
export type Reply =
  | {
      readonly kind: 'data'
      readonly data: object | null
      /** The status, if it is not 200: for data that describe something deleted. */
      readonly status?: number
      /** True if the data were written by the caller or are a map by names. No variation may change their fields. */
      readonly verbatim?: boolean
      readonly warnings?: readonly string[]
      readonly lease?: Lease
      readonly auth?: object
      readonly topLevel?: object
      /** Wraps the reply even if the request does not ask for it. `ttl` is in seconds, and `encode` encodes the
       * wrapping token. */
      readonly wrap?: { readonly ttl: number; readonly encode: (token: string) => string }
    }
  | { readonly kind: 'empty'; readonly warnings?: readonly string[] }
  | {
      readonly kind: 'bare'
      readonly status: number
      readonly contentType: string
      readonly bytes: Uint8Array | string
    }

/** The reply of a request that was carried out and returns nothing. */
export const done: Reply = { kind: 'empty' }

/** One endpoint. Throwing a `Refusal` from `handle` refuses the request. */
export interface Route {
  readonly verb: Verb | readonly Verb[]
  /** The path below the mount; `:name` is one segment, `:name*` is the rest of the path. */
  readonly path: string
  /** Who may call the endpoint: `token` needs a live token with the capability for the verb, `sudo` needs sudo as well,
   * `sudo-alone` needs only sudo on the path, `root` needs a root token, `any-token` needs a live token and no
   * capability, and `anyone` needs no token. */
  readonly access: 'token' | 'sudo' | 'sudo-alone' | 'root' | 'any-token' | 'anyone'
  /** Replaces `access` where it depends on the request. */
  readonly accessFor?: (call: Call) => Route['access']
  /** Replaces the usual capability for the verb. */
  readonly needs?: Capability
  /** For a POST that creates or updates: if the resource does not exist, `create` is needed instead of `update`. */
  readonly exists?: (call: Call) => boolean
  /** If this returns false for the version and edition of the server, the endpoint is refused like an unknown path. */
  readonly available?: (facts: ServerFacts) => boolean
  /** True if the request asks for a token. Governing policies then apply to it although it presents no token. */
  readonly login?: boolean
  /** True for a GET that changes something. */
  readonly changes?: boolean
  /** True for a request that changes no data which the clusters of a performance set share. A performance secondary
   * carries it out itself, and forwards other changes to its primary. */
  readonly stays?: boolean | ((call: Call) => boolean)
  readonly handle: (call: Call) => Reply | Promise<Reply>
}

/** Describes what kind of server this is. `forms` maps a subject to the form of its API. */
export interface ServerFacts {
  readonly version: string
  readonly edition: Edition
  readonly forms: Readonly<Record<string, string>>
}
