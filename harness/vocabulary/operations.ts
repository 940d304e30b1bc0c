/** Operations of a dialect: what checks and harness need of a server and the documents leave open. Each has a name and
 * arguments; a dialect turns them into exchanges. An argument called `as` is the scope name under which the result is saved. */
import type { Exchange } from './exchange.ts'

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

/** The arguments of each operation, by its name. */
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
  readonly login: { readonly user: string; readonly as: string }
  /** Every login of the user needs a code of one of the methods, which are scope names of ids; `as` is a template. */
  readonly enforceLogin: { readonly as: string; readonly user: string; readonly methods: readonly string[] }
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
