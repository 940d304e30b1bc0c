/** Defines the questions that show which features a server of this family has. A feature is absent only if the
 * server accepts the same request without its field, or if it stores the other fields but not this one. If it
 * refuses all such requests, the feature stays open. */
import type {
  AreaSign,
  Dialect,
  Exchange,
  FeatureSeen,
  FeatureSight,
  JsonObject,
  Reply,
} from '../../vocabulary/index.ts'
import { del, fieldOf, get, isSuccess, post } from '../../vocabulary/index.ts'
import { engineTypes, errorsOf, namePrefix, saysUnserved } from './vault-areas.ts'

type Send = (exchange: Exchange) => Promise<Reply>

const answered = (reply: Reply): string => `${reply.asked} answered ${reply.status}`
const seen = (sign: AreaSign, ...replies: readonly Reply[]): FeatureSeen => ({
  sign,
  evidence: replies.map(answered).join(', and '),
})

/** Tells whether a refusal is due to the caller or to a proxy, and so does not show whether the feature is served. */
const isOpen = ({ status }: Reply): boolean => [401, 403, 429, 502, 503, 504].includes(status)

const isShown = (reply: Reply, field: string): boolean => {
  const value = isSuccess(reply) ? fieldOf(reply, field) : undefined
  return value !== undefined && value !== null && value !== '' && JSON.stringify(value) !== '{}' && !isEmptyList(value)
}
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

const at = '{probe}'
const arn = 'arn:aws:iam::123456789012:role/reader'
const policy = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }],
})
const assumed = { credential_type: 'assumed_role', role_arns: [arn] }
const user = { credential_type: 'iam_user', policy_document: policy }
const keys = { access_key: 'AKIAASSAYPROBE000000', secret_key: 'assay-probe-is-no-real-secret-key-000000' }

/** A path that no API has. It shows how the server replies to unknown paths. */
const stranger = `${namePrefix}no-such-path`

async function staticRoles(send: Send): Promise<FeatureSeen> {
  const own = await send(post(`${at}/static-roles/${namePrefix}probe`, {}))
  if (isOpen(own)) return seen(undefined, own)
  if (isSuccess(own)) return seen('served', own)
  const other = await send(post(`${at}/${stranger}/${namePrefix}probe`, {}))
  const words = (reply: Reply, path: string) => `${reply.status} ${errorsOf(reply)?.join(' ').replaceAll(path, '')}`
  const isSame = words(own, 'static-roles') === words(other, stranger)
  const isUnserved = [404, 405, 501].includes(own.status)
  if (saysUnserved.test(errorsOf(own)?.join(' ') ?? '') || (isSame && isUnserved)) return seen('absent', own, other)
  return seen(isSame || isOpen(other) ? undefined : 'served', own, other)
}

const role = (name: string, body: JsonObject): Exchange => post(`${at}/roles/${namePrefix}${name}`, body)

async function sessionToken(send: Send): Promise<FeatureSeen> {
  const own = await send(role('session', { credential_type: 'session_token' }))
  if (isSuccess(own)) return seen('served', own)
  const other = await send(role('user', user))
  return seen(isSuccess(other) && !isOpen(own) ? 'absent' : undefined, own, other)
}

/** If `onlyHere` is true, the documents require that roles of other types refuse the field. */
async function roleField(
  send: Send,
  field: string,
  value: JsonObject[string],
  onlyHere: boolean,
): Promise<FeatureSeen> {
  const name = field.replaceAll('_', '-')
  const own = await send(role(name, { ...assumed, [field]: value }))
  if (!isSuccess(own)) {
    const plain = await send(role(name, assumed))
    return seen(isSuccess(plain) && !isOpen(own) ? 'absent' : undefined, own, plain)
  }
  const shown = await send(get(`${at}/roles/${namePrefix}${name}`))
  if (isShown(shown, field)) return seen('served', shown)
  if (onlyHere) {
    const elsewhere = await send(role('user', { ...user, [field]: value }))
    const plain = await send(role('user', user))
    if (!isSuccess(elsewhere) && !isOpen(elsewhere) && isSuccess(plain)) return seen('served', elsewhere, plain)
  }
  return seen(isShown(shown, 'role_arns') ? 'absent' : undefined, own, shown)
}

const root = (body: JsonObject): Exchange => post(`${at}/config/root`, body)

async function rootKeys(send: Send): Promise<FeatureSeen> {
  const own = await send(root({ region: 'eu-west-1' }))
  if (isSuccess(own)) return seen('served', own)
  const other = await send(root({ ...keys, region: 'eu-west-1' }))
  return seen(isSuccess(other) && !isOpen(own) ? 'absent' : undefined, own, other)
}

/** A server with this feature refuses the audience together with keys. */
async function identityTokens(send: Send): Promise<FeatureSeen> {
  const audience = { identity_token_audience: 'assay', role_arn: arn, region: 'eu-west-1' }
  const own = await send(root(audience))
  if (isSuccess(own)) {
    const shown = await send(get(`${at}/config/root`))
    if (isShown(shown, 'identity_token_audience')) return seen('served', shown)
    return seen(isShown(shown, 'region') ? 'absent' : undefined, own, shown)
  }
  const beside = await send(root({ ...audience, ...keys }))
  return seen(isSuccess(beside) && !isOpen(own) ? 'absent' : undefined, own, beside)
}

const cloud: FeatureSight = async (send) => {
  const type = engineTypes.cloud ?? 'cloud'
  const mounted = await send(post(`sys/mounts/${at}`, { type }, { undo: del(`sys/mounts/${at}`) }))
  if (!isSuccess(mounted)) return {}
  return {
    'cloud.optional-root-keys': await rootKeys(send),
    'cloud.identity-tokens': await identityTokens(send),
    'cloud.session-token': await sessionToken(send),
    'cloud.session-tags': await roleField(send, 'session_tags', { team: 'assay' }, true),
    'cloud.external-id': await roleField(send, 'external_id', 'assay', true),
    'cloud.mfa': await roleField(send, 'mfa_serial_number', 'arn:aws:iam::123456789012:mfa/probe', false),
    'cloud.static-roles': await staticRoles(send),
  }
}

const plugin = `sys/plugins/catalog/secret/${at}`

/** Registers a plugin file of the profile if there is one, because servers may refuse a plugin whose file does not
 * exist. */
async function pluginField(send: Send, field: string, file: JsonObject, fields: JsonObject): Promise<FeatureSeen> {
  const body = { ...file, ...fields }
  const own = await send(post(plugin, body, { undo: del(plugin) }))
  if (!isSuccess(own)) return seen(undefined, own)
  const shown = await send(get(plugin))
  if (isShown(shown, field)) return seen('served', shown)
  return seen(isShown(shown, 'sha256') ? 'absent' : undefined, own, shown)
}

const plugins: FeatureSight = async (send, provided) => {
  const [placed] = (provided('plugin-files') ?? []) as readonly { readonly command: string; readonly sha256: string }[]
  const { command, sha256 } = placed ?? { command: `${namePrefix}probe`, sha256: 'ab'.repeat(32) }
  const file = { command, sha256 }
  const image = { oci_image: 'registry.test/assay' }
  return {
    'plugin-catalog.oci-image': await pluginField(send, 'oci_image', file, image),
    'plugin-catalog.runtime': await pluginField(send, 'runtime', file, { ...image, runtime: `${namePrefix}probe` }),
  }
}

export const features: NonNullable<Dialect['features']> = { cloud, 'plugin-catalog': plugins }
