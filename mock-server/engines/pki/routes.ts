/** Every endpoint of the engine (document 2, Certificate authority engine), in the document's order. */
import type { Call, Reply, Route } from '../../kernel/contracts.ts'
import { Refusal } from '../../kernel/http/refusal.ts'
import { actAllTheSame } from './act-despite-refusal.ts'
import type { Context } from './context.ts'
import * as configuration from './handlers/configuration.ts'
import * as intermediates from './handlers/intermediates.ts'
import * as leaves from './handlers/leaves.ts'
import * as reads from './handlers/reads.ts'
import * as revocations from './handlers/revocations.ts'
import * as roles from './handlers/roles.ts'
import * as roots from './handlers/roots.ts'
import type { EndpointId } from './tables/access.ts'

type Handler = (context: Context, call: Call) => Reply | Promise<Reply>

const endpoints: readonly (readonly [EndpointId, Route['verb'], path: string, Handler])[] = [
  ['readCa', 'GET', 'ca', reads.readCa],
  ['readCaPem', 'GET', 'ca/pem', reads.readCaPem],
  ['readCaChain', 'GET', 'ca_chain', reads.readCaChain],
  ['readCertificate', 'GET', 'cert/:serial', reads.readCertificate],
  ['listCertificates', 'LIST', 'certs', reads.listCertificates],
  ['configCa', 'POST', 'config/ca', configuration.configCa],
  ['readConfigCrl', 'GET', 'config/crl', configuration.readConfigCrl],
  ['configCrl', 'POST', 'config/crl', configuration.configCrl],
  ['readConfigUrls', 'GET', 'config/urls', configuration.readConfigUrls],
  ['configUrls', 'POST', 'config/urls', configuration.configUrls],
  ['readCrl', 'GET', 'crl', reads.readCrl],
  ['readCrlPem', 'GET', 'crl/pem', reads.readCrlPem],
  ['rotateCrl', 'GET', 'crl/rotate', configuration.rotateCrl],
  ['generateIntermediate', 'POST', 'intermediate/generate/:type', intermediates.generateIntermediate],
  ['setSigned', 'POST', 'intermediate/set-signed', intermediates.setSigned],
  ['issue', 'POST', 'issue/:name', leaves.issue],
  ['revoke', 'POST', 'revoke', revocations.revoke],
  ['writeRole', 'POST', 'roles/:name', roles.writeRole],
  ['readRole', 'GET', 'roles/:name', roles.readRole],
  ['listRoles', 'LIST', 'roles', roles.listRoles],
  ['deleteRole', 'DELETE', 'roles/:name', roles.deleteRole],
  ['generateRoot', 'POST', 'root/generate/:type', roots.generateRoot],
  ['deleteRoot', 'DELETE', 'root', roots.deleteRoot],
  ['signIntermediate', 'POST', 'root/sign-intermediate', intermediates.signIntermediate],
  // The document names these operations without paths. The paths are those that clients of this family know.
  ['signSelfIssued', 'POST', 'root/sign-self-issued', roots.signSelfIssued],
  ['sign', 'POST', 'sign/:name', leaves.sign],
  ['signVerbatim', 'POST', 'sign-verbatim', leaves.signVerbatim],
  ['signVerbatim', 'POST', 'sign-verbatim/:name', leaves.signVerbatim],
  ['tidy', 'POST', 'tidy', revocations.tidy],
]

async function runDespiteRefusal(
  id: EndpointId,
  handle: () => Reply | Promise<Reply>,
  context: Context,
  call: Call,
): Promise<Reply> {
  try {
    return await handle()
  } catch (refusal) {
    await actAllTheSame(id, context, call).catch(() => {})
    throw refusal
  }
}

export const routesOf = (context: Context): Route[] =>
  endpoints.map(([id, verb, path, handle]) => ({
    verb,
    path,
    get access() {
      const who = context.tables.access[id]
      return who === 'root' ? 'sudo' : who
    },
    handle(call) {
      if (context.tables.access[id] === 'root' && !call.token?.policies.includes('root'))
        throw new Refusal('permission-denied')
      if (context.tables.refused === 'forgotten') return handle(context, call)
      return runDespiteRefusal(id, () => handle(context, call), context, call)
    },
  }))
