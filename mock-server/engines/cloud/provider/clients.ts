/** Calls the provider through its own SDK, which is loaded with the first call. */
import type * as Iam from '@aws-sdk/client-iam'
import type * as Sts from '@aws-sdk/client-sts'
import { optionalPackage } from '../../../kernel/optional-package.ts'

export interface Keys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

export interface Connection {
  /** Absent for calls that are not signed. */
  readonly keys: Keys | undefined
  readonly region: string
  readonly endpoint: string
  /** The number of attempts, including the first one. If it is undefined, the SDK decides. */
  readonly attempts: number | undefined
}

export interface IamActions {
  GetUser: [Iam.GetUserCommandInput, Iam.GetUserCommandOutput]
  CreateUser: [Iam.CreateUserCommandInput, Iam.CreateUserCommandOutput]
  TagUser: [Iam.TagUserCommandInput, Iam.TagUserCommandOutput]
  PutUserPermissionsBoundary: [Iam.PutUserPermissionsBoundaryCommandInput, Iam.PutUserPermissionsBoundaryCommandOutput]
  DeleteUser: [Iam.DeleteUserCommandInput, Iam.DeleteUserCommandOutput]
  AttachUserPolicy: [Iam.AttachUserPolicyCommandInput, Iam.AttachUserPolicyCommandOutput]
  DetachUserPolicy: [Iam.DetachUserPolicyCommandInput, Iam.DetachUserPolicyCommandOutput]
  ListAttachedUserPolicies: [Iam.ListAttachedUserPoliciesCommandInput, Iam.ListAttachedUserPoliciesCommandOutput]
  PutUserPolicy: [Iam.PutUserPolicyCommandInput, Iam.PutUserPolicyCommandOutput]
  DeleteUserPolicy: [Iam.DeleteUserPolicyCommandInput, Iam.DeleteUserPolicyCommandOutput]
  ListUserPolicies: [Iam.ListUserPoliciesCommandInput, Iam.ListUserPoliciesCommandOutput]
  AddUserToGroup: [Iam.AddUserToGroupCommandInput, Iam.AddUserToGroupCommandOutput]
  RemoveUserFromGroup: [Iam.RemoveUserFromGroupCommandInput, Iam.RemoveUserFromGroupCommandOutput]
  ListGroupsForUser: [Iam.ListGroupsForUserCommandInput, Iam.ListGroupsForUserCommandOutput]
  ListGroupPolicies: [Iam.ListGroupPoliciesCommandInput, Iam.ListGroupPoliciesCommandOutput]
  GetGroupPolicy: [Iam.GetGroupPolicyCommandInput, Iam.GetGroupPolicyCommandOutput]
  ListAttachedGroupPolicies: [Iam.ListAttachedGroupPoliciesCommandInput, Iam.ListAttachedGroupPoliciesCommandOutput]
  CreateAccessKey: [Iam.CreateAccessKeyCommandInput, Iam.CreateAccessKeyCommandOutput]
  DeleteAccessKey: [Iam.DeleteAccessKeyCommandInput, Iam.DeleteAccessKeyCommandOutput]
  ListAccessKeys: [Iam.ListAccessKeysCommandInput, Iam.ListAccessKeysCommandOutput]
}
export interface StsActions {
  AssumeRole: [Sts.AssumeRoleCommandInput, Sts.AssumeRoleCommandOutput]
  AssumeRoleWithWebIdentity: [Sts.AssumeRoleWithWebIdentityCommandInput, Sts.AssumeRoleWithWebIdentityCommandOutput]
  GetFederationToken: [Sts.GetFederationTokenCommandInput, Sts.GetFederationTokenCommandOutput]
  GetSessionToken: [Sts.GetSessionTokenCommandInput, Sts.GetSessionTokenCommandOutput]
  GetCallerIdentity: [Sts.GetCallerIdentityCommandInput, Sts.GetCallerIdentityCommandOutput]
}

/** Options that keep the SDK from reading configuration files and environment variables. */
const plain = {
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  retryMode: 'standard',
  defaultsMode: 'standard',
} as const
const patience = { connectionTimeout: 5000, requestTimeout: 10_000, throwOnRequestTimeout: true }

interface Client {
  send(command: unknown): Promise<unknown>
  readonly config: { readonly requestHandler: unknown }
}
type Make = (options: Record<string, unknown>) => Client
type Commands = Readonly<Record<string, new (input: unknown) => unknown>>
interface Sdk {
  readonly make: Make
  readonly commands: Commands
}

const loaders: Readonly<Record<'iam' | 'sts', () => Promise<Sdk>>> = {
  async iam() {
    const sdk = await optionalPackage('@aws-sdk/client-iam', 'the cloud engine', () => import('@aws-sdk/client-iam'))
    return { make: (options) => new sdk.IAMClient(options) as Client, commands: sdk as unknown as Commands }
  },
  async sts() {
    const sdk = await optionalPackage('@aws-sdk/client-sts', 'the cloud engine', () => import('@aws-sdk/client-sts'))
    return { make: (options) => new sdk.STSClient(options) as Client, commands: sdk as unknown as Commands }
  },
}

const loaded = new Map<'iam' | 'sts', Promise<Sdk>>()
/** All clients share one set of sockets. */
let sockets: unknown

/** Returns a function that calls actions of one service of the provider. */
export function createCaller(service: 'iam' | 'sts', { keys, region, endpoint, attempts }: Connection) {
  let client: Client | undefined
  return async (action: string, input: unknown): Promise<unknown> => {
    const sdk = loaded.get(service) ?? loaders[service]()
    loaded.set(service, sdk)
    const { make, commands } = await sdk
    client ??= make({
      ...{ ...plain, region, endpoint, requestHandler: sockets ?? patience },
      credentials: keys ?? { accessKeyId: '', secretAccessKey: '' },
      ...(attempts === undefined ? {} : { maxAttempts: attempts }),
    })
    sockets ??= client.config.requestHandler
    const Command = commands[`${action}Command`]
    if (!Command) throw new Error(`the SDK has no ${action}`)
    return client.send(new Command(input))
  }
}
