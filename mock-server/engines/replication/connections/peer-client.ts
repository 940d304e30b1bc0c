/** Sends requests to other clusters. */
import type { ClusterCertificate } from '../../../kernel/cluster/cluster-listener.ts'
import type { Network } from '../../../kernel/cluster/network.ts'
import { systemRoots } from './certificate-authorities.ts'

export interface Asked {
  readonly status: number
  readonly body: unknown
}

/** The certificate with which this cluster proves itself to another one, and the authorities that it trusts. */
export interface Proof extends ClusterCertificate {
  /** The certificate authorities of the other side, as PEM. */
  readonly authorities: readonly string[]
}

/** Returns the options of a TLS connection to another cluster, which is identified by its authority and not by a
 * name. */
export const tlsOf = ({ authorities, certificate, key }: Proof) => ({
  ...{ ca: [...authorities], cert: certificate, key },
  checkServerIdentity: () => undefined,
})

const untrusted: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
])

/** Returns the reason why a connection to another cluster failed, in words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '' } = error as NodeJS.ErrnoException
  if (!untrusted.has(code)) return error.message || code
  return `its certificate is not from the certificate authority that the activation token names (${code})`
}

interface Question {
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
  readonly authorities?: readonly string[] | undefined
  /** Set for a request to the cluster address. */
  readonly proof?: Proof
  /** The maximum size of the response in bytes, if it may be larger than usual. */
  readonly longestAnswer?: number
}

/** How long another cluster may be silent, in milliseconds. */
export const longestSilence = 10_000

const usualAnswer = 2 ** 20

/** Sends a request to another cluster. Throws if there is no response. */
export async function ask(question: Question, network: Network): Promise<Asked> {
  const number = network.depart()
  try {
    await network.pass(question.url.host)
    return await send(question, network)
  } finally {
    network.arrive(number)
  }
}

function send(
  { url, headers, body, authorities, proof, longestAnswer = usualAnswer }: Question,
  network: Network,
): Promise<Asked> {
  const secure = url.protocol === 'https:'
  const bytes = Buffer.from(JSON.stringify(body))
  const options = {
    method: 'POST',
    agent: false as const,
    headers: { 'content-type': 'application/json', 'content-length': bytes.length, ...headers },
    timeout: longestSilence,
    ...(proof ? tlsOf(proof) : secure ? { ca: [...(authorities ?? systemRoots())] } : {}),
  }
  return new Promise((resolve, reject) => {
    const sent = process.getBuiltinModule(secure ? 'node:https' : 'node:http').request(url, options, (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > longestAnswer) sent.destroy(new Error(`an answer over ${longestAnswer} bytes`))
        else chunks.push(chunk)
      })
      response.on('error', reject)
      response.on('close', () => {
        if (!response.complete) reject(new Error('the connection ended before the answer did'))
        else resolve({ status: response.statusCode ?? 0, body: parse(Buffer.concat(chunks).toString('utf8')) })
      })
    })
    const stop = network.onCut(url.host, () => sent.destroy(new Error('the way was cut')))
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
    sent.on('error', reject)
    sent.on('close', stop)
    sent.end(bytes)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
