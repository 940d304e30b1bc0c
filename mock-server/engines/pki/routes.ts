/** Every endpoint of the engine (document 2, Certificate authority engine), in the document's order, and those of
 * several issuers, which newer clients use. */
import type { Call, Reply, Route } from '../../kernel/contracts.ts'
import type { Context } from './context.ts'
import * as configuration from './handlers/configuration.ts'
import * as intermediates from './handlers/intermediates.ts'
import * as leaves from './handlers/leaves.ts'
import * as reads from './handlers/reads.ts'
import * as revocations from './handlers/revocations.ts'
import * as roles from './handlers/roles.ts'
import * as roots from './handlers/roots.ts'
import { issuerRoutes } from './issuer-routes.ts'
import { access, type EndpointId } from './rules/access.ts'

type Handler = (call: Call, context: Context) => Reply | Promise<Reply>

const endpoints: readonly (readonly [EndpointId, Route['verb'], path: string, Handler])[] = [
  ['readCa', 'GET', 'ca', (_, context) => reads.readCa(context)],
  ['readCaPem', 'GET', 'ca/pem', (_, context) => reads.readCaPem(context)],
  ['readCaChain', 'GET', 'ca_chain', (_, context) => reads.readCaChain(context)],
  ['readCertificate', 'GET', 'cert/:serial', reads.readCertificate],
  ['listCertificates', 'LIST', 'certs', (_, context) => reads.listCertificates(context)],
  ['configCa', 'POST', 'config/ca', configuration.configCa],
  ['readConfigCrl', 'GET', 'config/crl', (_, context) => configuration.readConfigCrl(context)],
  ['configCrl', 'POST', 'config/crl', configuration.configCrl],
  ['readConfigUrls', 'GET', 'config/urls', (_, context) => configuration.readConfigUrls(context)],
  ['configUrls', 'POST', 'config/urls', configuration.configUrls],
  ['readCrl', 'GET', 'crl', (_, context) => reads.readCrl(context)],
  ['readCrlPem', 'GET', 'crl/pem', (_, context) => reads.readCrlPem(context)],
  ['rotateCrl', 'GET', 'crl/rotate', (_, context) => configuration.rotateCrl(context)],
  ['generateIntermediate', 'POST', 'intermediate/generate/:type', intermediates.generateIntermediate],
  ['setSigned', 'POST', 'intermediate/set-signed', intermediates.setSigned],
  ['issue', 'POST', 'issue/:name', leaves.issue],
  ['revoke', 'POST', 'revoke', revocations.revoke],
  ['writeRole', 'POST', 'roles/:name', roles.writeRole],
  ['readRole', 'GET', 'roles/:name', roles.readRole],
  ['listRoles', 'LIST', 'roles', (_, context) => roles.listRoles(context)],
  ['deleteRole', 'DELETE', 'roles/:name', roles.deleteRole],
  ['generateRoot', 'POST', 'root/generate/:type', roots.generateRoot],
  ['deleteRoot', 'DELETE', 'root', (_, context) => roots.deleteRoot(context)],
  ['signIntermediate', 'POST', 'root/sign-intermediate', intermediates.signIntermediate],
  // The document names these operations without paths. These are the paths that clients of this family use.
  ['signSelfIssued', 'POST', 'root/sign-self-issued', roots.signSelfIssued],
  ['sign', 'POST', 'sign/:name', leaves.sign],
  ['signVerbatim', 'POST', 'sign-verbatim', leaves.signVerbatim],
  ['signVerbatim', 'POST', 'sign-verbatim/:name', leaves.signVerbatim],
  ['tidy', 'POST', 'tidy', revocations.tidy],
]

const documentedRoutes = (context: Context): Route[] =>
  endpoints.map(([id, verb, path, handle]) => ({
    ...{ verb, path, access: access[id], changes: id === 'rotateCrl' },
    handle: (call) => handle(call, context),
  }))

export const routesOf = (context: Context): Route[] => [...documentedRoutes(context), ...issuerRoutes(context)]
