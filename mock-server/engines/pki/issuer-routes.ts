/** The endpoints of versions in which a mount can have several issuers. No document describes them. */
import type { Call, Reply, Route } from '../../kernel/contracts.ts'
import { hasIssuers } from './certificates/issuers.ts'
import type { Context } from './context.ts'
import * as additions from './handlers/additions.ts'
import { signIntermediate } from './handlers/intermediates.ts'
import * as settings from './handlers/issuer-settings.ts'
import * as issuers from './handlers/issuers.ts'
import * as keys from './handlers/keys.ts'
import * as leaves from './handlers/leaves.ts'
import { listRevoked } from './handlers/reads.ts'
import { patchRole } from './handlers/roles.ts'
import { signSelfIssued } from './handlers/roots.ts'
import { canWait } from './rebuilding.ts'

type Handler = (call: Call, context: Context) => Reply | Promise<Reply>
type Row = readonly [Route['verb'], path: string, Route['access'], Handler]

const rows: readonly Row[] = [
  ['LIST', 'issuers', 'anyone', (_, context) => issuers.listIssuers(context)],
  ['POST', 'issuers/generate/root/:type', 'token', (call, context) => additions.addRoot(call, context)],
  ['POST', 'issuers/generate/intermediate/:type', 'token', additions.addRequest],
  ['POST', 'issuers/import/bundle', 'token', additions.importBundle],
  ['POST', 'issuers/import/cert', 'token', additions.importCertificates],
  ['POST', 'intermediate/cross-sign', 'token', additions.crossSign],
  ['POST', 'root/rotate/:type', 'token', additions.rotateRoot],
  ['POST', 'root/replace', 'token', settings.replaceRoot],
  ['GET', 'issuer/:ref', 'token', issuers.readIssuer],
  ['POST', 'issuer/:ref', 'token', settings.writeIssuer],
  ['PATCH', 'issuer/:ref', 'token', settings.patchIssuer],
  ['DELETE', 'issuer/:ref', 'token', settings.deleteIssuer],
  ['POST', 'issuer/:ref/revoke', 'token', settings.revokeIssuer],
  ['GET', 'issuer/:ref/json', 'anyone', issuers.readAsJson],
  ['GET', 'issuer/:ref/pem', 'anyone', issuers.readAsPem],
  ['GET', 'issuer/:ref/der', 'anyone', issuers.readAsDer],
  ['GET', 'issuer/:ref/crl', 'anyone', issuers.readList('complete', 'json')],
  ['GET', 'issuer/:ref/crl/pem', 'anyone', issuers.readList('complete', 'pem')],
  ['GET', 'issuer/:ref/crl/der', 'anyone', issuers.readList('complete', 'der')],
  ['POST', 'issuer/:ref/issue/:name', 'token', leaves.issue],
  ['POST', 'issuer/:ref/sign/:name', 'token', leaves.sign],
  ['POST', 'issuer/:ref/sign-verbatim', 'token', leaves.signVerbatim],
  ['POST', 'issuer/:ref/sign-verbatim/:name', 'token', leaves.signVerbatim],
  ['POST', 'issuer/:ref/sign-intermediate', 'token', signIntermediate],
  ['POST', 'issuer/:ref/sign-self-issued', 'sudo', signSelfIssued],
  ['LIST', 'keys', 'token', (_, context) => keys.listKeys(context)],
  ['POST', 'keys/generate/:type', 'token', keys.generateKey],
  ['POST', 'keys/import', 'token', keys.importKey],
  ['GET', 'key/:ref', 'token', keys.readKey],
  ['POST', 'key/:ref', 'token', keys.writeKey],
  ['DELETE', 'key/:ref', 'token', keys.deleteKey],
  ['GET', 'config/issuers', 'token', (_, context) => settings.readDefault(context)],
  ['POST', 'config/issuers', 'token', settings.writeDefault],
  ['GET', 'config/keys', 'token', (_, context) => keys.readDefaultKey(context)],
  ['POST', 'config/keys', 'token', keys.writeDefaultKey],
  ['PATCH', 'roles/:name', 'token', patchRole],
  ['LIST', 'certs/revoked', 'token', (_, context) => listRevoked(context)],
]

/** The endpoints that exist since version 1.12. */
const laterRows: readonly Row[] = [
  ['GET', 'crl/delta', 'anyone', issuers.readList('delta', 'der')],
  ['GET', 'crl/delta/pem', 'anyone', issuers.readList('delta', 'pem')],
  ['GET', 'crl/rotate-delta', 'token', (_, context) => issuers.rotateDelta(context)],
  ['GET', 'issuer/:ref/crl/delta', 'anyone', issuers.readList('delta', 'json')],
  ['GET', 'issuer/:ref/crl/delta/pem', 'anyone', issuers.readList('delta', 'pem')],
  ['GET', 'issuer/:ref/crl/delta/der', 'anyone', issuers.readList('delta', 'der')],
]

export function issuerRoutes(context: Context): Route[] {
  const routeOf =
    (available: NonNullable<Route['available']>) =>
    ([verb, path, access, handle]: Row): Route => ({
      ...{ verb, path, access, available },
      handle: (call) => handle(call, context),
    })
  return [
    ...rows.map(routeOf((facts) => hasIssuers({ facts }))),
    ...laterRows.map(routeOf((facts) => canWait({ facts }))),
  ]
}
