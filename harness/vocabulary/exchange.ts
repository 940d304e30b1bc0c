/** One request as data, the reply to it, and the operations that a dialect turns into requests. Strings may hold `{name}`
 * templates, filled from the check's scope. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export type Method = 'GET' | 'LIST' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Exchange {
  readonly kind: 'exchange'
  readonly method: Method
  /** Below the dialect's prefix, without a leading slash: `sys/policies/acl/{policy}`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** A JSON value, or `{ text }` for a body sent as it is. Absent: no body. */
  readonly body?: Json
  readonly rawBody?: string
  readonly headers?: Readonly<Record<string, string>>
  /** This caller asks: `operator` (the token under test; default), `nobody` (no token), or the scope name of a
   * token. */
  readonly as?: string
  /** Where the request is answered as one that lacks a client token (400, 401, 403), it is asked again with the operator's, and
   * that reply counts (readings of the documents, 51). */
  readonly orAs?: 'operator'
  /** The exchange goes to this cluster of the target: `main` unless told otherwise; `second` and `third` are the first
   * two further clusters of the profile. */
  readonly cluster?: string
  /** Scope name → where its value is in the reply: a JSON pointer (`/auth/client_token`), or a field name that is
   * looked for at the top level and inside `data`; templates in it are filled. A reply without it is a failed step. */
  readonly saves?: Readonly<Record<string, string>>
  /** Names among `saves` whose values are secrets. */
  readonly secrets?: readonly string[]
  /** Names among `saves` that a reply need not give. */
  readonly mayLack?: readonly string[]
  /** This exchange takes back what the exchange makes. It is journaled before the exchange is sent. */
  readonly undo?: Exchange
  /** These take it back where the reply does not give what `undo` needs: the first that succeeds. They are
   * never journaled, so that they may hold a secret. */
  readonly orUndo?: readonly Exchange[]
  /** Of an exchange of an operation: sent only where this name has a value by then, or has none. */
  readonly ifKnown?: string
  readonly unlessKnown?: string
  /** Of an undo: the restoration of the dialect that does it, where one exchange is not enough. */
  readonly restoration?: string
  /** Send once, whatever comes back (429 and 503 are otherwise tried again, and so are reads after 502 and 504). */
  readonly once?: boolean
  /** What it does shows in a state that is read afterwards. A reply of the way, which otherwise ends the check as not
   * verified, is given to the check. */
  readonly isTrigger?: boolean
  /** In words, for reports: "a policy of that name exists". Derived from method and path if absent. */
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

/** This names the request that something is about. */
export interface AskedRequest {
  /** What was asked, with templates filled in, for findings: `POST sys/policies/acl/assay-…`. */
  readonly asked: string
  /** Its place among all that the check has sent, counted from 0. Absent where nothing is recorded. */
  readonly exchange?: number | undefined
}

export const requestOf = ({ asked, exchange }: AskedRequest): AskedRequest => ({ asked, exchange })

/** A reply is what came back. `json` is undefined where the body is empty or no JSON; `text` and `bytes` always hold
 * the body. */
export interface Reply extends AskedRequest {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json: Json | undefined
  readonly text: string
  readonly bytes: Uint8Array
  /** The target's own clock when it answered (its `Date` header), else when the reply arrived; ms since the epoch. */
  readonly at: number
  /** The request was sent more than once, so that an earlier one may have been taken. */
  readonly isRepeated?: boolean
}

export interface AclRule {
  readonly path: string
  readonly capabilities: readonly string[]
}

/** A governing policy denies by such a rule. It never denies everything: on a server that applies it too widely nobody
 * could undo it. */
export type GoverningRule =
  | 'allow'
  | { readonly denyPath: string }
  /** Denies every path with this prefix. */
  | { readonly denyBelow: string }

/** Text, or the name of an input that the server fills in. */
export type TemplatePart = string | { readonly input: string }

/** No arguments. */
type None = Readonly<Record<never, never>>

/** The arguments of each operation, by its name. An operation is what checks and harness need of a server and the documents
 * leave open. An argument called `as` is the scope name under which the result is saved. */
export interface OperationArgs {
  /** A token for a check. An orphan has no entity of the operator's. */
  readonly createToken: {
    readonly as: string
    readonly policies?: readonly string[]
    readonly ttl?: string
    readonly orphan?: boolean
  }
  readonly aclDocument: { readonly as: string; readonly rules: readonly AclRule[] }
  readonly governingDocument: { readonly as: string; readonly rule: GoverningRule }
  /** `text` is the scope name of the text. */
  readonly writePolicy: { readonly name: string; readonly text: string }
  /** Saves the request header that asks to override a soft-mandatory policy. */
  readonly override: { readonly as: string }
  readonly createUser: { readonly as: string; readonly policies: readonly string[] }
  readonly createEntity: { readonly as: string }
  /** A namespace below that of the profile. The path of a request in it begins with its name. */
  readonly createNamespace: { readonly as: string }
  readonly login: { readonly user: string; readonly as: string }
  /** Every login of the user needs a code of one of the methods, which are scope names of ids; `as` is a template. */
  readonly enforceLogin: {
    readonly as: string
    readonly user: string
    readonly methods: readonly string[]
    /** The user is named by its entity, by the login method that is mounted for it alone, or by a group that is made of it
     * alone. */
    readonly by: 'entity' | 'mount' | 'group'
  }
  readonly releaseLogin: { readonly as: string }
  readonly loginWithCode: { readonly user: string; readonly method: string; readonly code: string; readonly as: string }
  /** The lifetimes tune the mount; `leased` gives up its leases before it is unmounted. */
  readonly mount: {
    readonly type: string
    readonly as: string
    readonly defaultTtl?: string
    readonly maxTtl?: string
    readonly leased?: boolean
  }
  readonly mountByName: { readonly type: string; readonly as: string }
  /** Without `sts`, sessions are named as users are. */
  readonly usernameTemplate: {
    readonly as: string
    readonly iam: readonly TemplatePart[]
    readonly sts?: readonly TemplatePart[]
  }
  /** `lease` is the scope name of a lease id. */
  readonly revokeLease: { readonly lease: string }
  /** Saves where, below a certificate authority mount, a CSR is signed under a role. */
  readonly signPath: { readonly role: string; readonly as: string }
  /** Saves where in a reply the id of its lease is, as a JSON pointer; empty where there is no lease. */
  readonly leaseField: { readonly as: string }
  readonly capabilities: { readonly path: string; readonly token: string }

  /** The probe performs these operations before the first check. */
  readonly health: None
  readonly sealStatus: None
  readonly lookupSelf: None
  readonly capabilitiesSelf: { readonly paths: readonly string[] }
  readonly listGoverning: None
  readonly replicationStatus: None

  /** One list for each kind of object; the words of an exchange are the kind's name. */
  readonly inventory: None
  /** What cleaning up needs for tokens, which have no name. */
  readonly tokenByAccessor: { readonly accessor: string }
  readonly revokeAccessor: { readonly accessor: string }
  readonly revokeSelf: None
}

export type OperationName = keyof OperationArgs

/** An operation comes to a performance: exchanges in order, and values that are known without asking. */
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
  /** Scope names that exist afterwards. */
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

/** Returns what a dialect makes of an operation; undefined where it lacks the operation. */
export const performanceOf = <Name extends OperationName>(
  operations: Operations,
  { operation, args }: Pick<OperationOf<Name>, 'operation' | 'args'>,
): Performance | undefined => operations[operation]?.(args)
