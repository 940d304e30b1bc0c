/** Gets the credentials of a secondary by an activation token, before this cluster changes any of its own data. */

import type { ReplicationKind } from '../../../kernel/cluster/cluster-role.ts'
import type { Network } from '../../../kernel/cluster/network.ts'
import type { SecondaryKeys } from '../../../kernel/extension-points.ts'
import { Refusal, refuse } from '../../../kernel/http/refusal.ts'
import { type Activation, type Credentials, readActivation, readCredentials, trustIn } from './activation-tokens.ts'
import { readAuthorities } from './certificate-authorities.ts'
import { type Asked, ask, reasonOf } from './peer-client.ts'

export interface Invitation {
  readonly token: string
  /** Replaces the address in the token, unless it is empty. */
  readonly primaryApiAddr: string
  readonly caFile: string
  readonly caPath: string
}

interface Joining {
  readonly kind: ReplicationKind
  readonly network: Network
  readonly keys: SecondaryKeys | undefined
}

function urlOf(path: string, origin: string): URL {
  const url = URL.parse(path, origin)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return refuse(`no address of an API: ${JSON.stringify(origin)}`)
  return url
}

async function reach(asking: Promise<Asked>): Promise<Asked> {
  try {
    return await asking
  } catch (error) {
    return refuse(`the primary cannot be reached: ${reasonOf(error)}`)
  }
}

/** Returns the credentials, and the API address of the primary. Refuses a token that is invalid, used up, or for the
 * other kind of replication. */
export async function accept(
  invitation: Invitation,
  joining: Joining,
): Promise<{ readonly credentials: Credentials; readonly apiAddress: string }> {
  const { kind, keys } = joining
  const authorities = authoritiesOf(invitation)
  if (keys?.isEncrypted(invitation.token)) {
    const text = keys.decrypt(kind, invitation.token)
    const credentials = readCredentials(JSON.parse(text))
    assertKind(credentials.kind, joining)
    await activate(credentials, joining)
    return { credentials, apiAddress: invitation.primaryApiAddr }
  }
  const activation = readActivation(invitation.token)
  assertKind(activation.kind, joining)
  const apiAddress = invitation.primaryApiAddr || activation.addr
  const credentials = await unwrap(invitation.token, apiAddress, authorities, joining)
  return { credentials, apiAddress }
}

const authoritiesOf = ({ caFile, caPath }: Invitation): readonly string[] | undefined =>
  readAuthorities({ file: caFile, path: caPath })

/** Thrown for an activation token of the other kind of replication. */
export class OtherKind extends Refusal {
  constructor(kind: Activation['kind']) {
    super('bad-request', { message: `the activation token is for ${kind} replication` })
  }
}

function assertKind(kind: Activation['kind'], joining: Joining): void {
  if (kind !== joining.kind) throw new OtherKind(kind)
}

/** Fetches wrapped credentials, which can be fetched only once. */
async function unwrap(
  token: string,
  origin: string,
  authorities: readonly string[] | undefined,
  { network }: Joining,
): Promise<Credentials> {
  const url = urlOf('/v1/sys/wrapping/unwrap', origin)
  const { status, body } = await reach(
    ask({ url, headers: { 'x-vault-token': token }, body: {}, authorities }, network),
  )
  if (status !== 200) refuse(`error unwrapping the activation token: the primary answers ${status}`)
  return readCredentials((body as { data?: unknown } | undefined)?.data)
}

/** Activates encrypted credentials at the primary, which accepts them only once. */
async function activate(credentials: Credentials, { network }: Joining): Promise<void> {
  const { kind, id, secret, primary_cluster_addr } = credentials
  const url = urlOf(`/${kind}/activate`, `https://${primary_cluster_addr}`)
  const { authority, ...own } = trustIn(credentials)
  const proof = { ...own, authorities: [authority] }
  const { status } = await reach(ask({ url, body: { id, secret }, proof }, network))
  if (status !== 200) refuse(`error activating the credentials: the primary answers ${status}`)
}
