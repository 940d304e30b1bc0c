/** The types that the pipeline, the kernel and the engines of the reference server share. */

export const capabilities = ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo', 'deny'] as const
export type Capability = (typeof capabilities)[number]
export type Verb = 'GET' | 'LIST' | 'POST' | 'PATCH' | 'DELETE'
export type Edition = 'community' | 'enterprise' | 'premium'

/** Counts milliseconds since the epoch. No code of the server reads any other clock. */
export interface Clock {
  now(): number
  /** Runs `due` once when the clock reaches `at`. The returned function cancels it. */
  at(at: number, due: () => void | Promise<void>): () => void
  /** Moves the clock forward and runs everything that falls due, in order. */
  advance(ms: number): Promise<void>
}

/** With a seed, the same requests give the same ids and tokens. Keys of certificates do not come from here. */
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
  /** Counts milliseconds since the epoch. */
  readonly createdAt: number
  /** Counts seconds; 0 for a token that does not expire. */
  readonly ttl: number
  /** Counts milliseconds since the epoch. */
  readonly expiresAt: number | undefined
  readonly renewable: boolean
  /** The path of the namespace of the token, such as `team-a/`. Absent for a token of the root namespace. */
  readonly namespace?: string
}

/** One request, after parsing and authentication. */
export interface Call {
  readonly verb: Verb
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
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly token: Token | undefined
  /** The address of the caller; empty if the server itself is the caller. */
  readonly peer: string
  /** True if a standby node answers for itself. */
  readonly isStandby: boolean
}

/** Credentials that end after a time, when they are revoked, or with the token that asked for them. */
export interface Lease {
  /** Counts seconds. */
  readonly ttl: number
  /** No renewal reaches further than this many seconds after issue. Absent if the mount's own bound is nearer. */
  readonly maxTtl?: number
  readonly renewable: boolean
  /** Revokes what the lease was issued for. If it throws, only a forced revocation removes the lease. */
  revoke(): void | Promise<void>
  /** JSON from which the engine's `revive` makes `revoke` again after a restart from a state file. */
  readonly kept?: unknown
}

/** A handler returns a reply. The pipeline makes the envelope. */
export type Reply =
  | {
      readonly kind: 'data'
      readonly data: object | null
      /** Replaces 200, for data that describe something deleted. */
      readonly status?: number
      /** True if the data are the caller's own or a map by names, to which no variation may add a field. */
      readonly verbatim?: boolean
      readonly warnings?: readonly string[]
      readonly lease?: Lease
      readonly auth?: object
      readonly topLevel?: object
      /** The reply is wrapped although the request does not ask for it. `ttl` counts seconds, `encode` encodes the
       * wrapping token, and `plain` shows it among the data, as if it were not a wrapping token. */
      readonly wrap?: { readonly ttl: number; readonly encode: (token: string) => string; readonly plain?: boolean }
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
  /** This says who may call: `token` needs a live token with the capability for the verb, `sudo` needs sudo as well,
   * `sudo-alone` needs sudo whatever else the policies say about the path, `root` needs a root token, `any-token` needs
   * a live token and no capability, and `anyone` needs nothing. */
  readonly access: 'token' | 'sudo' | 'sudo-alone' | 'root' | 'any-token' | 'anyone'
  /** Replaces `access` where it depends on the request. */
  readonly accessFor?: (call: Call) => Route['access']
  /** Replaces the usual capability for the verb. */
  readonly needs?: Capability
  /** For a POST that creates or updates: if the resource does not exist, `create` is needed instead of `update`. */
  readonly exists?: (call: Call) => boolean
  /** An endpoint that is not available in this version or edition answers like an unknown path. */
  readonly available?: (facts: ServerFacts) => boolean
  /** True if the request asks for a token. It is governed although it brings none. */
  readonly login?: boolean
  /** True for a GET that changes something. */
  readonly changes?: boolean
  /** True for a request that changes nothing which clusters of a performance set share. A performance secondary carries it
   * out itself, and leaves other changes to its primary. */
  readonly stays?: boolean | ((call: Call) => boolean)
  readonly handle: (call: Call) => Reply | Promise<Reply>
}

/** A deliberate fault: the tables of one part of the server, with one cell changed. */
export interface Mutant<Tables> {
  /** The id is `<area or kernel>/<fault>`, in kebab-case. */
  readonly id: string
  readonly does: string
  /** True if a judgement that many checks share notices the fault. Then only the checks that are about it have to name
   * it. */
  readonly shared?: boolean
  change(tables: Tables): Tables
}

/** These facts say what this server is. `forms` maps a subject to the older or newer form of its API. */
export interface ServerFacts {
  readonly version: string
  readonly edition: Edition
  readonly forms: Readonly<Record<string, string>>
}
