/** The steps that prepare mounts, authorities, roles and certificates, and the requests that many checks send. */
import { certified, certifiedRequest, rootBundle } from '../../../fixtures/pki/authorities.ts'
import { type SigningRequest, signingRequest } from '../../../fixtures/pki/signing-requests.ts'
import {
  type Action,
  type Ceremony,
  del,
  type Exchange,
  get,
  isSuccess,
  type JsonObject,
  list,
  lists,
  notAsPrepared,
  type Operation,
  post,
  type Reply,
  reads,
  replyLacks,
  requestOf,
  requestWords,
  type Step,
  stepRefused,
  type Witness,
  works,
} from '../../../harness/vocabulary/index.ts'
import { action } from '../../records.ts'
import { pemOf } from '../judge/der.ts'
import { certificateIn, certificateOf, keysOf, signingRequestOf } from '../judge/reply.ts'

type Fields = Readonly<Record<string, JsonObject[string] | undefined>>

/** Returns a POST request whose description names the fields in `telling`. */
const posted = (path: string, body: JsonObject, telling: Fields): Exchange => {
  const told = Object.entries(telling).map(([name, value]) =>
    value === undefined ? `no ${name}` : `${name} ${JSON.stringify(value)}`,
  )
  return post(path, body, told.length > 0 ? { words: `${requestWords(post(path))} with ${told.join(', ')}` } : {})
}

/** Far longer than every lifetime that checks request. */
const tenYears = '87600h'
/** The lifetime of a root is longer than that of every certificate below it. It is a day, because a server may refuse a
 * lifetime above the maximum of the system, whatever that of the mount is. */
const day = '24h'
/** The lifetime of an intermediate is in the same bounds. */
const halfADay = '12h'

/** A mount is removed as a whole. */
export const mounted = (options: { as?: string; defaultTtl?: string; maxTtl?: string } = {}): Operation => {
  const { as = 'mount', defaultTtl, maxTtl = tenYears } = options
  return {
    kind: 'operation',
    operation: 'mount',
    args: { type: 'pki', as, maxTtl, ...(defaultTtl === undefined ? {} : { defaultTtl }) },
    words: `a certificate authority engine at \`${as}\`${defaultTtl ? `, default lifetime ${defaultTtl}` : ''}, longest lifetime ${maxTtl}`,
    provides: [],
  }
}

const ec = { key_type: 'ec', key_bits: 256 } as const

/** Bodies for the makers of CA certificates and CSRs. Keys are EC, since RSA keys take long to generate. */
export const rootBody = (fields: JsonObject = {}): JsonObject => ({
  common_name: 'root.example',
  ttl: day,
  ...ec,
  ...fields,
})
export const intermediateBody = (fields: JsonObject = {}): JsonObject => ({
  common_name: 'intermediate.example',
  ...ec,
  ...fields,
})

type Type = 'internal' | 'exported'
export const generateRoot = (fields: JsonObject = {}, type: Type = 'internal', mount = '{mount}'): Exchange =>
  posted(`${mount}/root/generate/${type}`, rootBody(fields), fields)
export const generateIntermediate = (fields: JsonObject = {}, type: Type = 'internal', mount = '{mount}'): Exchange =>
  posted(`${mount}/intermediate/generate/${type}`, intermediateBody(fields), fields)
export const signIntermediate = (fields: JsonObject = {}, mount = '{mount}'): Exchange => {
  const body = { csr: '{csr}', common_name: 'intermediate.example', ttl: halfADay, ...fields }
  return posted(`${mount}/root/sign-intermediate`, body, fields)
}
export const setSigned = (certificate: string, mount = '{mount}'): Exchange =>
  post(`${mount}/intermediate/set-signed`, { certificate })
export const configCa = (bundle: string, mount = '{mount}'): Exchange =>
  post(`${mount}/config/ca`, { pem_bundle: `{${bundle}}` })

/** The fields of a role that most checks do not judge. They are set so that no default matters. */
const openRole: JsonObject = { allow_any_name: true, enforce_hostnames: false, no_store: false, ttl: '1h', ...ec }
export const bareRole = (fields: JsonObject, name = 'leaf'): Exchange =>
  posted(`{mount}/roles/{use}${name}`, fields, fields)
/** A role that allows every name, with further fields; `undefined` leaves a field out. */
export function role(fields: Fields = {}, name = 'leaf', mount = '{mount}'): Exchange {
  const given = Object.entries({ ...openRole, ...fields }).filter(
    (entry): entry is [string, JsonObject[string]] => entry[1] !== undefined,
  )
  return posted(`${mount}/roles/{use}${name}`, Object.fromEntries(given), fields)
}

export const leafName = 'leaf.example.com'
export const issue = (fields: JsonObject = {}, name = 'leaf', mount = '{mount}'): Exchange =>
  posted(`${mount}/issue/{use}${name}`, { common_name: leafName, ...fields }, fields)

/** Generates a root on `{mount}` and saves its certificate as `{as}`. The documents do not describe the reply, so if it
 * shows no certificate, the documented path `ca/pem` is read. */
export function rootShown(generate: Exchange, as = 'ca'): Ceremony {
  const published = get('{mount}/ca/pem')
  return {
    kind: 'ceremony',
    words: `${requestWords(generate)}; its certificate \`${as}\` is in the reply, or else at \`ca/pem\``,
    touches: [generate, published],
    provides: [as],
    async run(scope) {
      const answered = await scope.send(generate)
      const reply = isSuccess(answered) && !certificateOf(answered) ? await scope.send(published) : answered
      const found = certificateOf(reply)
      if (found) scope.save(as, pemOf('CERTIFICATE', found.der))
      return found ? reply : answered
    },
  }
}

export const rootGeneration = (fields: JsonObject = {}): Ceremony => rootShown(generateRoot(fields))

/** A generated root; its certificate is `{as}`. */
export const rootMade = (generate: Exchange, as = 'ca'): Action => {
  const { touches, run } = rootShown(generate, as)
  return action(`a generated root; its certificate is \`${as}\``, { touches, provides: [as] }, async (scope) => {
    const reply = successOf(await run(scope))
    if (!scope.has(as)) throw replyLacks(reply, 'the certificate of the root')
  })
}

/** A generated root that lives a year, or a day if the server refuses a year. A server may let no CRL outlive its CA. */
export const longRoot = action('a root that lives a year, or a day', { touches: [generateRoot()] }, async (scope) => {
  const reply = await scope.send(generateRoot({ ttl: '8760h' }))
  if (!isSuccess(reply)) successOf(await scope.send(generateRoot()))
})

/** A generated root on a mount of its own; its certificate is `{ca}`. */
export const rooted = (fields: JsonObject = {}, options: Parameters<typeof mounted>[0] = {}): readonly Step[] => [
  mounted(options),
  rootMade(generateRoot(fields)),
]
/** A generated root. Shows that it has this path length, or no limit if `pathLength` is absent. */
export const rootedWithin = (pathLength?: number): readonly Step[] => [
  ...rooted(pathLength === undefined ? {} : { max_path_length: pathLength }),
  action(`the path length of the root is ${pathLength ?? 'without limit'}`, {}, async (scope) => {
    const saw = certificateIn(scope.value('ca'))?.basicConstraints?.pathLength
    if (saw !== pathLength)
      throw notAsPrepared({ asked: 'the root', at: 'path length', wanted: limit(pathLength), saw: limit(saw) })
  }),
]
const limit = (pathLength: number | undefined): string => String(pathLength ?? 'no limit')
/** A root that may sign intermediates. Its path length is set, so that the default of the server does not matter. */
export const signer: readonly Step[] = rooted({ max_path_length: 5 })
/** A generated root, and a role under it. */
export const rootedWith = (fields: Fields = {}): readonly Step[] => [...rooted(), role(fields)]

/** Makes a CSR and saves it as `{as}`. */
export const csr = (request: SigningRequest, as = 'csr') =>
  action(
    `\`${as}\` is a CSR of ${request.key}${request.fault ? ` (${request.fault})` : ''}`,
    { provides: [as] },
    async (scope) => {
      scope.save(as, await signingRequest(request))
    },
  )

/** Makes a text and saves it as `{as}`; `words` describe it. */
export const made = (as: string, words: string, make: () => Promise<string>) =>
  action(`\`${as}\` is ${words}`, { provides: [as] }, async (scope) => scope.save(as, await make()))

export const submittedRoot = (as = 'bundle', name = 'submitted.example'): Action =>
  made(as, 'a bundle of a self-signed root and its key', () => rootBundle(name))
/** Submits a root, which is valid to the year 2120, as the CA of a mount. */
export const submitted = (options: Parameters<typeof mounted>[0] = {}): readonly Step[] => [
  mounted(options),
  submittedRoot(),
  configCa('bundle'),
]

/** A root of type `exported`; `{exported}` is the public half of the key in its reply, in PEM. */
export const exportedRoot = action(
  'a root of type exported; `exported` is the public half of its key',
  { touches: [generateRoot({}, 'exported')], provides: ['exported'] },
  async (scope) => {
    const reply = successOf(await scope.send(generateRoot({}, 'exported')))
    const [found] = keysOf(reply)
    if (!found) throw replyLacks(reply, 'a private key')
    scope.save('exported', String(found.publicKey.export({ type: 'spki', format: 'pem' })))
  },
)

export const successOf = (reply: Reply): Reply => {
  if (!isSuccess(reply)) throw stepRefused(reply)
  return reply
}

/** Revokes a certificate by its serial, which is in the server's own format by default. */
export const revoke = (serial = '{serialTold}'): Exchange => post('{mount}/revoke', { serial_number: serial })
export const caPem = get('{mount}/ca/pem')
export const caDer = get('{mount}/ca')
export const crlPem = get('{mount}/crl/pem')
export const crlDer = get('{mount}/crl')
/** The CRL in the standard structure. */
export const crlRead = get('{mount}/cert/crl')
export const configCrl = (fields: JsonObject): Exchange => post('{mount}/config/crl', fields)
export const listedCerts = list('{mount}/certs')
export const deleteRoot = del('{mount}/root')

/** Witness of a refused request: no certificate is stored. */
export const noneIssued = lists(listedCerts)
/** Witness of a refused request: the role `leaf` still cannot issue certificates. */
export const noRole: Witness = {
  kind: 'witness',
  words: 'POST `{mount}/issue/leaf` succeeds or not',
  touches: [issue()],
  steady: true,
  async look(scope) {
    const reply = await scope.send(issue())
    return { ...requestOf(reply), state: isSuccess(reply) ? 'a certificate is issued' : 'no certificate is issued' }
  },
}
/** Witness of a refused request: the certificate of the CA, if any, is unchanged. */
export const caStays = reads(caPem, { absentAs500: true })
/** Witness of a refused request: the CA can still issue. Its certificate does not show that, since it stays readable
 * without its key (document 2, States). */
export const caWorks = works(issue())

/** The suite signs a CSR of a mount, and saves the certificate as `{as}` and the root above it as `{top}`. The
 * certificate is not yet set as that of the mount's CA. */
export const csrSigned = (
  as = 'signed',
  mount = '{mount}',
  fields: JsonObject = {},
  type: Type = 'internal',
): Action => {
  const generate = generateIntermediate(fields, type, mount)
  return action(
    `an authority of our own signs a CSR of the mount: \`${as}\` is the certificate, \`top\` the root above it`,
    { touches: [generate], provides: [as, 'top'] },
    async (scope) => {
      const top = await certified({ name: 'top.example', key: 'ecAuthority' })
      scope.save('top', top.certificate)
      scope.save(as, await requestSigned(await scope.send(generate), top))
    },
  )
}

/** Signs the CSR in a reply, and returns the certificate of the intermediate in PEM. */
export async function requestSigned(reply: Reply, issuer: Parameters<typeof certifiedRequest>[2]): Promise<string> {
  const request = signingRequestOf(successOf(reply))
  if (!request) throw replyLacks(reply, 'a CSR')
  return certifiedRequest(pemOf('CERTIFICATE REQUEST', request.der), 'intermediate.example', issuer)
}
export const intermediateSigned: readonly Step[] = [mounted(), csrSigned()]
/** The same, and the certificate is set, so the intermediate is the CA of the mount. */
export const intermediate: readonly Step[] = [...intermediateSigned, setSigned('{signed}')]
