/** What the three documents state about requests and replies, and nothing more: each endpoint that they name, with the
 * fields that they say it returns. If they say nothing about a reply, it has no fields. The first row that matches
 * applies.
 *
 * "Response bodies: not shown except where stated in the notes": so reading a role, a method or a plugin returns no
 * fields. Some fields are only described (private key, issuing CA, credentials); they have the names that the family
 * uses. */
import type { Verb } from '../kernel/contracts.ts'

export interface Row {
  readonly verb: Verb
  /** The path below the area or the mount; `:name` is one segment. */
  readonly path: string
  readonly fields: readonly string[]
  /** The status of a reply without fields. */
  readonly empty: 200 | 204
}

const row =
  (verb: Verb) =>
  (path: string, ...fields: readonly string[]): Row => ({ verb, path, fields, empty: 204 })
const [get, list, post, del] = [row('GET'), row('LIST'), row('POST'), row('DELETE')]
/** Marks rows for which the document notes "Status 200 with an empty body". */
const noted = (reply: Row): Row => ({ ...reply, empty: 200 })

/** Document 1, Replication endpoints. The document names no field for the progress of the synchronization, so the row
 * has the numbers that show it. */
const replication: readonly Row[] = [
  get('status', 'mode', 'cluster_id', 'last_wal', 'last_remote_wal'),
  post('primary/enable'),
  post('primary/demote'),
  post('primary/disable'),
  post('primary/secondary-token', 'token'),
  post('primary/revoke-secondary'),
  post('secondary/generate-public-key', 'secondary_public_key'),
  post('secondary/enable'),
  post('secondary/promote'),
  post('secondary/disable'),
  post('secondary/update-primary'),
]

/** Document 1, DR-only endpoints. The document does not show the reply that starts an attempt, so that row has no
 * fields: no nonce and no one-time password. */
const drOnly: readonly Row[] = [
  get('secondary/generate-operation-token/attempt', 'progress', 'required', 'nonce', 'complete', 'pgp_fingerprint'),
  post('secondary/generate-operation-token/attempt'),
  del('secondary/generate-operation-token/attempt'),
  post('secondary/generate-operation-token/update', 'nonce', 'complete', 'encoded_token'),
  post('secondary/operation-token/delete'),
]

/** Document 1, Performance-only endpoints. */
const performanceOnly: readonly Row[] = [
  post('primary/paths-filter/:id'),
  noted(get('primary/paths-filter/:id', 'mode', 'paths')),
  del('primary/paths-filter/:id'),
  noted(get('primary/dynamic-filter/:id')),
  noted(get('secondary/dynamic-filter/:id')),
]

/** Document 1, Policy endpoints. "Returns the named policy": these are the fields of each kind of policy. */
const policies: readonly Row[] = [
  list('acl', 'keys'),
  list('rgp', 'keys'),
  list('egp', 'keys', 'name_path_map'),
  get('acl/:name', 'name', 'policy'),
  get('rgp/:name', 'name', 'policy', 'enforcement_level'),
  get('egp/:name', 'name', 'policy', 'enforcement_level', 'paths'),
  ...['acl', 'rgp', 'egp'].flatMap((kind) => [post(`${kind}/:name`), del(`${kind}/:name`)]),
]

/** Document 2, Certificate authority engine. A certificate is "returned in a `certificate` key", which includes new
 * certificates. The document gives the formats of the private key for each endpoint that generates one, so these rows
 * have the field. The raw endpoints have no fields. */
const pki: readonly Row[] = [
  get('ca'),
  get('ca/pem'),
  get('ca_chain'),
  get('cert/:serial', 'certificate'),
  get('cert/crl', 'certificate'),
  list('certs', 'keys'),
  post('config/ca'),
  get('config/crl', 'expiry', 'disable'),
  post('config/crl'),
  get('config/urls'),
  post('config/urls'),
  get('crl'),
  get('crl/pem'),
  get('crl/rotate'),
  post('intermediate/generate/:type', 'csr', 'private_key'),
  post('intermediate/set-signed'),
  post('issue/:name', 'private_key', 'certificate', 'issuing_ca'),
  post('revoke'),
  post('roles/:name'),
  get('roles/:name'),
  list('roles', 'keys'),
  del('roles/:name'),
  post('root/generate/:type', 'certificate', 'private_key'),
  del('root'),
  post('root/sign-intermediate', 'certificate'),
]

/** Document 2, Plugin catalog. */
const pluginCatalog: readonly Row[] = [
  get('', 'auth', 'database', 'secret'),
  list('auth', 'keys'),
  list('database', 'keys'),
  list('secret', 'keys'),
  post(':type/:name'),
  get(':type/:name'),
  del(':type/:name'),
]

/** Document 3, TOTP MFA. For a new secret the documents name the QR code, but no text field with the secret. */
const mfaLegacy: readonly Row[] = [
  post('method/totp/:name'),
  get('method/totp/:name'),
  del('method/totp/:name'),
  get('method/totp/:name/generate', 'barcode'),
  post('method/totp/:name/admin-generate', 'barcode'),
  post('method/:name/admin-destroy'),
]

const mfaIdentity: readonly Row[] = [
  list('totp', 'keys'),
  post('totp/generate', 'barcode'),
  post('totp/admin-generate', 'barcode'),
  post('totp/admin-destroy'),
  post('totp/:id'),
  get('totp/:id'),
  del('totp/:id'),
]

/** Document 3, Cloud credentials engine. */
const credentials = ['access_key', 'secret_key'] as const
const cloud: readonly Row[] = [
  post('config/root'),
  get(
    'config/root',
    ...['max_retries', 'access_key', 'role_arn', 'identity_token_audience', 'identity_token_ttl'],
    ...['region', 'iam_endpoint', 'sts_endpoint', 'username_template'],
  ),
  post('config/rotate-root', 'access_key'),
  post('config/lease'),
  get('config/lease', 'lease', 'lease_max'),
  post('roles/:name'),
  get('roles/:name', 'invalid_data'),
  list('roles', 'keys'),
  del('roles/:name'),
  get('creds/:name', ...credentials),
  post('sts/:name', ...credentials, 'security_token'),
  post('static-roles/:name'),
  get('static-roles/:name'),
  del('static-roles/:name'),
  get('static-creds/:name', ...credentials),
]

const below = (folder: string, rows: readonly Row[]): readonly Row[] =>
  rows.map((one) => ({ ...one, path: `${folder}/${one.path}` }))

/** The rows by the path of their area. */
export const areas: Readonly<Record<string, readonly Row[]>> = {
  'sys/replication': [
    ...below('dr', [...replication, ...drOnly]),
    ...below('performance', [...replication, ...performanceOnly]),
  ],
  'sys/policies': policies,
  'sys/plugins/catalog': pluginCatalog,
  'sys/mfa': mfaLegacy,
  'identity/mfa/method': mfaIdentity,
}

/** The rows by the type of their engine, which can be mounted at any path. */
export const engines: Readonly<Record<string, readonly Row[]>> = { pki, cloud, aws: cloud }

/** Patterns of path segments, where the document restricts them. */
export const segments: Readonly<Record<string, string>> = { serial: '[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2})+' }
