/** Handles requests of other clusters to the cluster address: activates credentials, streams changes, and carries out
 * forwarded requests. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { ReplicationKind } from '../../../kernel/cluster/cluster-role.ts'
import type { ClusterTraffic } from '../../../kernel/extension-points.ts'
import { parseBoundedJson } from '../../../kernel/http/body-fields.ts'
import type { Services } from '../../../kernel/services.ts'
import type { Context } from '../context.ts'
import type { Registration } from '../membership.ts'
import { carryOut } from './forwarding.ts'

interface Introduction {
  readonly id: string
  readonly secret: string
  readonly cluster_id: string
  readonly set_id: string
  readonly api_address: string
  readonly cluster_address: string
  readonly authority: string
  /** The request that a secondary forwards to its primary. */
  readonly request: unknown
}

type Act = (context: Context, introduction: Introduction, response: ServerResponse, serve: Serve) => void
type Serve = Parameters<ClusterTraffic>[2]

/** The maximum size of a body in bytes, by operation. The body of `forward` contains the body of the forwarded
 * request. */
const longest = { usual: 2 ** 16, forward: 2 ** 26 } as const

async function bodyOf(request: IncomingMessage, operation: string): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += (chunk as Buffer).length
    if (length > (operation === 'forward' ? longest.forward : longest.usual)) throw new Error('too long')
    chunks.push(chunk as Buffer)
  }
  return parseBoundedJson(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>
}

function introductionIn(body: Record<string, unknown>): Introduction {
  const word = (name: string): string => {
    const value = body[name] ?? ''
    if (typeof value !== 'string') throw new TypeError(`${name} must be a string`)
    return value
  }
  return {
    ...{ id: word('id'), secret: word('secret'), cluster_id: word('cluster_id'), set_id: word('set_id') },
    ...{ api_address: word('api_address'), cluster_address: word('cluster_address') },
    ...{ authority: word('authority'), request: body.request },
  }
}

export function createTraffic(
  services: Services,
  contexts: Readonly<Record<ReplicationKind, Context>>,
): ClusterTraffic {
  const { clock, seal, addresses } = services

  function refuse(response: ServerResponse, status: number): void {
    response.writeHead(status).end()
  }

  function isTrusted({ socket }: IncomingMessage, { peers }: Context): boolean {
    const certificate = (socket as TLSSocket).getPeerX509Certificate()
    return certificate !== undefined && peers.isIssued(certificate)
  }

  const known = (context: Context, { id, secret }: Introduction): Registration | undefined =>
    context.membership.registrations.find((one) => one.id === id && context.peers.isSecret(secret, one))

  /** Registers the cluster that has these credentials. Its earlier credentials are dropped; if the credentials are new
   * to it, its filter is dropped, too. */
  function register(context: Context, registration: Registration, introduction: Introduction): void {
    const { id } = registration
    const isNew = registration.clusterId === ''
    const former = context.membership.registrations.filter(
      (one) => one.clusterId === introduction.cluster_id && one.id !== id,
    )
    context.drop(former.map((one) => one.id))
    if (isNew) context.filtering.drop(introduction.cluster_id)
    context.updateRegistration(id, {
      ...{ activated: true, clusterId: introduction.cluster_id },
      ...{ apiAddress: introduction.api_address, clusterAddress: introduction.cluster_address },
      authority: introduction.authority,
    })
    void services.storage.written()
  }

  function stream(context: Context, introduction: Introduction, response: ServerResponse): void {
    const registration = known(context, introduction)
    if (!registration) refuse(response, 403)
    else if (introduction.set_id !== registration.setId) refuse(response, 409)
    else {
      register(context, registration, introduction)
      context.sessions.open(registration.id, response, { node: addresses.cluster })
    }
  }

  function activate(context: Context, introduction: Introduction, response: ServerResponse): void {
    const registration = known(context, introduction)
    if (!registration || registration.activated || registration.expiresAt <= clock.now()) {
      refuse(response, 403)
      return
    }
    context.updateRegistration(registration.id, { activated: true })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }

  function forward(context: Context, introduction: Introduction, response: ServerResponse, serve: Serve): void {
    if (!known(context, introduction)?.activated) {
      refuse(response, 403)
      return
    }
    carryOut(introduction.request, serve, context).then(
      (returned) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(returned)),
      () => refuse(response, 400),
    )
  }

  const operations: Readonly<Record<string, Act>> = { stream, activate, forward }

  return (request, response, serve) => {
    const [, kind = '', operation = ''] = (request.url ?? '').split('/')
    const context = kind === 'dr' || kind === 'performance' ? contexts[kind] : undefined
    const act = Object.hasOwn(operations, operation) ? operations[operation] : undefined
    if (!context || !act || request.method !== 'POST') {
      refuse(response, 404)
      return
    }
    if (!isTrusted(request, context)) {
      refuse(response, 403)
      return
    }
    bodyOf(request, operation)
      .then(introductionIn)
      .then(
        (introduction) => {
          if (seal.sealed || !services.clusterRole.ready || !context.rules.serves[context.membership.mode])
            refuse(response, 503)
          else act(context, introduction, response, serve)
        },
        () => refuse(response, 400),
      )
      // This cluster must keep running, whatever another one sends.
      .catch(() => (response.headersSent ? response.destroy() : refuse(response, 500)))
  }
}
