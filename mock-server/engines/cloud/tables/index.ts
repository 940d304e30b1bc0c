/** The rules of the cloud credentials engine, as cells. Handlers hold none of their own. */
import * as credentials from './credentials.ts'
import { lease } from './lease.ts'
import { names } from './names.ts'
import { provider } from './provider.ts'
import { legacy, oneOf, roleFields } from './role-fields.ts'
import { roles } from './roles.ts'
import { type RootRule, root, rootFields, rootRules, rotation } from './root.ts'
import { staticRoles } from './static-roles.ts'

export const cloudTables = {
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
  user: credentials.user,
  actions: credentials.actions,
  sessions: credentials.sessions,
  roleArn: credentials.roleArn,
  ttls: credentials.ttls,
  mfa: credentials.mfa,
  replies: credentials.replies,
  staticRoles,
  /** What was sent with a write that is refused. */
  refusedWrite: 'forgotten' as 'forgotten' | 'stored',
  /** What a request that is refused does at the provider. */
  refusedCalls: 'none' as 'none' | 'made',
  /** What becomes of a value that cannot be read. */
  invalidValues: 'refused' as 'refused' | 'dropped',
  /** What is answered where the provider refuses. */
  providerRefusal: 'passed-on' as 'passed-on' | 'made-up',
}
export type CloudTables = typeof cloudTables
