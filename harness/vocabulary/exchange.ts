/** Requests as data, their replies, and the operations that a dialect turns into requests. Strings may contain `{name}`
 * templates, which are filled in from the check's scope. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export type Method = 'GET' | 'LIST' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Exchange {
  readonly kind: 'exchange'
  readonly method: Method
  /** Below the dialect's prefix, without a leading slash: `sys/policies/acl/{policy}`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** The JSON body. Absent means no body. */
  readonly body?: Json
  readonly rawBody?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Who sends the request: `operator` (the token under test; the default), `nobody` (no token), or the scope name of a
   * token. */
  readonly as?: string
  /** If the reply has a status that servers send when a client token is missing (400, 401, 403), the request is
   * repeated with the operator's token, and that reply counts (readings of the documents, 51). */
  readonly orAs?: 'operator'
  /** The cluster to which the request is sent. The default is `main`; `second` and `third` are the first two further
   * clusters of the profile. */
  readonly cluster?: string
  /** Maps a scope name to the position of its value in the reply: a JSON pointer (`/auth/client_token`), or a field
   * name that is searched for at the top level and inside `data`. Templates are filled in. If the value is missing, the
   * step fails. */
  readonly saves?: Readonly<Record<string, string>>
  /** Names among `saves` whose values are secrets. */
  readonly secrets?: readonly string[]
  /** Names among `saves` that may be missing from the reply. */
  readonly mayLack?: readonly string[]
  /** Undoes what the exchange does. It is journaled before the exchange is sent. */
  readonly undo?: Exchange
  /** Alternatives that are tried in order until one succeeds, if the reply lacks what `undo` needs. They are never
   * journaled, so they may contain a secret. */
  readonly orUndo?: readonly Exchange[]
  /** In an operation: the exchange is sent only if this name has a value by then (`unlessKnown`: only if it has
   * none). */
  readonly ifKnown?: string
  readonly unlessKnown?: string
  /** In an undo: the dialect's restoration that performs it, if one exchange is not enough. */
  readonly restoration?: string
  /** Disables retries. Otherwise requests are retried after 429 and 503, and reads also after 502 and 504. */
  readonly once?: boolean
  /** A list is requested by the method LIST even where this target serves lists only by GET. Only the check of that
   * method asks so (readings of the documents, 72). */
  readonly isExact?: boolean
  /** True if the effect of the request shows in a state that is read afterwards. The check then receives a reply of the
   * way, which would otherwise end the check as `not-verified`. */
  readonly isTrigger?: boolean
  /** The request in words, for reports: "a policy of that name exists". Derived from method and path if absent. */
  readonly words?: string
}

type Options = Omit<Exchange, 'kind' | 'method' | 'path' | 'body'>

export const get = (path: string, options: Options = {}): Exchange => ({
  kind: 'exchange',
  method: 'GET',
  path,
  ...options,
})
export const list = (path: string, options: Options = {}): Exchange => ({
  kind: 'exchange',
  method: 'LIST',
  path,
  ...options,
})
export const post = (path: string, body?: Json, options: Options = {}): Exchange => ({
  kind: 'exchange',
  method: 'POST',
  path,
  ...(body === undefined ? {} : { body }),
  ...options,
})
export const put = (path: string, body?: Json, options: Options = {}): Exchange => ({
  ...post(path, body, options),
  method: 'PUT',
})
export const del = (path: string, options: Options = {}): Exchange => ({
  kind: 'exchange',
  method: 'DELETE',
  path,
  ...options,
})

/** Returns the request as a check writes it: `POST {mount}/roles/{use}leaf`. */
export const askedBy = ({ method, path }: Pick<Exchange, 'method' | 'path'>): string => `${method} ${path}`

/** The request that something is about. */
export interface AskedRequest {
  /** The request with its templates filled in, for findings: `POST sys/policies/acl/assay-…`. */
  readonly asked: string
  /** The index of the request among all that the check has sent. Absent if nothing is recorded. */
  readonly exchange?: number | undefined
}

export const requestOf = ({ asked, exchange }: AskedRequest): AskedRequest => ({ asked, exchange })

/** `json` is undefined if the body is empty or is not JSON; `text` and `bytes` always contain the body. */
export interface Reply extends AskedRequest {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json: Json | undefined
  readonly text: string
  readonly bytes: Uint8Array
  /** Milliseconds since the epoch: the time in the reply's `Date` header or, without that header, the time when the
   * reply arrived. */
  readonly at: number
  /** True if the request was sent more than once, so an earlier attempt may have taken effect. */
  readonly isRepeated?: boolean
}

export interface AclRule {
  readonly path: string
  readonly capabilities: readonly string[]
}

/** What a governing policy denies. It never denies everything, because nobody could undo that on a server that applies
 * it too widely. */
export type GoverningRule =
  | 'allow'
  | { readonly denyPath: string }
  /** Denies every path with this prefix. */
  | { readonly denyBelow: string }

/** A text, or the name of an input that the server fills in. */
export type TemplatePart = string | { readonly input: string }

type None = Readonly<Record<never, never>>

/** The arguments of each operation, by the operation's name. An operation is something that checks and harness need
 * from a server and that the documents leave open. An argument called `as` is the scope name under which the result is
 * saved. */
export interface OperationArgs {
  /** Creates a token for a check. An orphan does not have the operator's entity. */
  readonly createToken: {
    readonly as: string
    readonly policies?: readonly string[]
    readonly ttl?: string
    readonly orphan?: boolean
    /** What a server may call the caller; by default the name of the run. */
    readonly displayName?: string
  }
  readonly aclDocument: { readonly as: string; readonly rules: readonly AclRule[]; readonly language?: 'hcl' | 'json' }
  readonly governingDocument: { readonly as: string; readonly rule: GoverningRule }
  /** `text` is the scope name of the text. */
  readonly writePolicy: { readonly name: string; readonly text: string }
  /** Saves the request header that asks to override a soft-mandatory policy. */
  readonly override: { readonly as: string }
  /** The user has `policies` by the login, and `entityPolicies` by the entity. */
  readonly createUser: {
    readonly as: string
    readonly policies: readonly string[]
    readonly entityPolicies?: readonly string[]
  }
  /** `in` is the path of a namespace with its slash; the root namespace by default. */
  readonly createEntity: { readonly as: string; readonly in?: string }
  /** Creates a namespace below that of the profile. The path of a request in the namespace begins with its name. */
  readonly createNamespace: { readonly as: string }
  readonly login: { readonly user: string; readonly as: string }
  /** Makes every login of the user require a code of one of the methods. `methods` are scope names of ids; `as` is a
   * template. */
  readonly enforceLogin: {
    readonly as: string
    readonly user: string
    readonly methods: readonly string[]
    /** How the user is selected: by its entity, by a login method that is mounted for it alone, or by a group of which
     * it is the only member. */
    readonly by: 'entity' | 'mount' | 'group'
  }
  readonly releaseLogin: { readonly as: string }
  readonly loginWithCode: { readonly user: string; readonly method: string; readonly code: string; readonly as: string }
  /** The TTLs tune the mount; `leased` revokes the leases of the mount before unmounting it. */
  readonly mount: {
    readonly type: string
    readonly as: string
    readonly defaultTtl?: string
    readonly maxTtl?: string
    readonly leased?: boolean
  }
  readonly mountByName: { readonly type: string; readonly as: string }
  /** Without `sts`, sessions are named by the template for users. */
  readonly usernameTemplate: {
    readonly as: string
    readonly iam: readonly TemplatePart[]
    readonly sts?: readonly TemplatePart[]
  }
  /** `lease` is the scope name of a lease id. */
  readonly revokeLease: { readonly lease: string }
  /** Ends all leases of a mount, even those that cannot be revoked. */
  readonly endLeases: { readonly of: string }
  /** Saves the path, below a certificate authority mount, that signs a CSR under a role. */
  readonly signPath: { readonly role: string; readonly as: string }
  /** Saves the JSON pointer to the lease id in a reply; empty if replies have no lease. */
  readonly leaseField: { readonly as: string }
  readonly capabilities: { readonly path: string; readonly token: string }

  /** The probe performs these operations before the first check. */
  readonly health: None
  readonly sealStatus: None
  readonly lookupSelf: None
  readonly capabilitiesSelf: { readonly paths: readonly string[] }
  readonly listGoverning: None
  readonly replicationStatus: None

  /** Sends one list request for each kind of object; the `words` of each exchange are the name of the kind. */
  readonly inventory: None
  /** For the clean-up of tokens, which have no name. */
  readonly tokenByAccessor: { readonly accessor: string }
  readonly revokeAccessor: { readonly accessor: string }
  readonly revokeSelf: None
}

export type OperationName = keyof OperationArgs

/** What a dialect turns an operation into: exchanges in order, and values that are known without a request. */
export interface Performance {
  readonly exchanges: readonly Exchange[]
  readonly values?: Readonly<Record<string, string>>
  /** Names among `values` whose values are secrets. */
  readonly secrets?: readonly string[]
}

export type Operations = { readonly [Name in OperationName]?: (args: OperationArgs[Name]) => Performance }

interface OperationOf<Name extends OperationName> {
  readonly kind: 'operation'
  readonly operation: Name
  readonly args: OperationArgs[Name]
  readonly words: string
  /** The scope names that the operation saves. */
  readonly provides: readonly string[]
}

/** An operation of the dialect as a step of a check. */
export type Operation = { readonly [Name in OperationName]: OperationOf<Name> }[OperationName]

export const operation = <Name extends OperationName>(
  name: Name,
  args: OperationArgs[Name],
  words: string,
  provides: readonly string[] = [],
): Operation => ({ kind: 'operation', operation: name, args, words, provides }) as OperationOf<Name> as Operation

/** Returns the exchanges and values of an operation; undefined if the dialect lacks the operation. */
export const performanceOf = <Name extends OperationName>(
  operations: Operations,
  { operation, args }: Pick<OperationOf<Name>, 'operation' | 'args'>,
): Performance | undefined => operations[operation]?.(args)
