import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PolicySource } from './acl/policy-source.ts'
import type { NewToken } from './auth/tokens.ts'
import type { ClusterCertificate } from './cluster/cluster-listener.ts'
import type { ReplicationKind } from './cluster/cluster-role.ts'
import type { Call, Reply } from './contracts.ts'
import type { Answer, Checked, IncomingRequest } from './http/request-context.ts'
import type { Mount, MountKind } from './mounts/mount.ts'
import type { Plugin } from './mounts/plugins.ts'

/** A login with a valid password, and the token that it asks for. It is plain data, so that it can be saved in a state
 * file. */
export interface Login {
  readonly token: NewToken
  readonly mount: Pick<Mount, 'accessor' | 'type'>
}

/** Decides where a password or a token is not enough. */
export interface SecondFactorCheck {
  /** Returns undefined if the login is granted at once, and otherwise the reply that asks for a second factor. Refuses
   * the login if its second factor is wrong. */
  onLogin(login: Login, call: Call): Reply | undefined
  /** Called if the policies of the token name MFA methods for the path. Refuses the request unless it satisfies all of
   * them. */
  onRequest(call: Call, methods: readonly string[]): void
}

export interface PluginSource {
  /** Returns the registered plugin, or undefined if the type is not registered. Refuses a plugin that must not run. */
  assertRunnable(kind: MountKind, type: string, version: string | undefined): Promise<Plugin | undefined>
}

/** Handles a request that another cluster sends to the cluster address. `serve` answers a request of the API. */
export type ClusterTraffic = (
  request: IncomingMessage,
  response: ServerResponse,
  serve: (incoming: IncomingRequest) => Answer | Promise<Answer>,
) => void

/** Forwards a request to the primary and returns its answer. Refuses the request if the primary cannot be reached. */
export type Forward = (request: IncomingRequest, checked: Checked) => Promise<Answer>

/** The tokens that authorize actions of an operator on a DR secondary. They belong to this cluster only. */
export interface OperationTokens {
  isLive(token: string): boolean
  /** Ends all tokens, and every attempt to generate one. Must be called when the root key of the cluster changes, and
   * when the cluster becomes a DR secondary or stops being one. */
  end(): void
}

/** The key pairs of a cluster that is to become a secondary. A primary encrypts the credentials for it with the public
 * key. */
export interface SecondaryKeys {
  /** Encrypts text for the holder of the private key. Refuses an invalid public key. */
  encryptTo(kind: ReplicationKind, publicKey: string, text: string): string
  /** Tells whether the text has the format that `encryptTo` makes. */
  isEncrypted(text: string): boolean
  /** Decrypts text. Refuses it unless it was encrypted for the current key of that kind. */
  decrypt(kind: ReplicationKind, text: string): string
}

/** What the kernel needs from engines. Each engine sets its own members when it is opened. */
export interface ExtensionPoints {
  policies?: PolicySource
  clusterTraffic?: ClusterTraffic
  /** Returns the certificate with which this cluster identifies itself to others. */
  clusterCertificate?: () => ClusterCertificate | undefined
  forward?: Forward
  operationTokens?: OperationTokens
  secondaryKeys?: SecondaryKeys
  secondFactor?: SecondFactorCheck
  /** Returns the MFA methods that a LIST in the namespaces below this one includes, each with what the LIST shows. */
  methodsBelow?: () => readonly (readonly [id: string, shown: object])[]
  plugins?: PluginSource
}
