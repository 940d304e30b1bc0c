/** The rules of the cloud credentials engine, as cells. Handlers have no rules of their own. */
import * as credentials from './credentials.ts'
import { lease } from './lease.ts'
import { names } from './names.ts'
import { provider } from './provider.ts'
import { legacy, oneOf, roleFields } from './role-fields.ts'
import { roles } from './roles.ts'
import { type RootRule, root, rootFields, rootRules, rotation } from './root.ts'
import { staticRoles } from './static-roles.ts'

export const cloudRules = {
  roleFields,
  oneOf,
  legacy,
  roles,
  root,
  rootFields,
  rootRules: rootRules as Readonly<Record<keyof typeof rootRules, RootRule>>,
  rotation,
  provider,
  lease,
  names,
  ways: credentials.ways,
  lacks: credentials.lacks,
  implied: credentials.implied,
  groupDocument: credentials.groupDocument,
  user: credentials.user,
  actions: credentials.actions,
  sessions: credentials.sessions,
  roleArn: credentials.roleArn,
  ttls: credentials.ttls,
  mfa: credentials.mfa,
  replies: credentials.replies,
  staticRoles,
  /** A session has the role_arn and ttl of its own request, or of the first request for the role. */
  requests: 'each' as 'each' | 'first',
  /** A refused write is forgotten, or its fields are nevertheless stored. */
  refusedWrite: 'forgotten' as 'forgotten' | 'stored',
  /** These requests are carried out, although the reply is a refusal. */
  refusedYetDone: [] as readonly ('deletion of a role' | 'lease' | 'replacement of the root')[],
  /** A refused request makes no calls to the provider, or nevertheless makes some. */
  refusedCalls: 'none' as 'none' | 'made',
  /** A value that cannot be read is refused, or dropped. */
  invalidValues: 'refused' as 'refused' | 'dropped',
  /** A refusal by the provider is passed on, is passed on with the secret key of the root, or is replaced by an
   * invented reply. */
  providerRefusal: 'passed-on' as 'passed-on' | 'with-secret' | 'made-up',
}
export type CloudRules = typeof cloudRules
