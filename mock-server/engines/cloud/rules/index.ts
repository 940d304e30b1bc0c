/** The rules of the cloud credentials engine, as cells: document 3. Handlers have no rules of their own. */
import * as credentials from './credentials.ts'
import { lease } from './lease.ts'
import { names } from './names.ts'
import { provider } from './provider.ts'
import { legacy, oneOf, roleFields } from './role-fields.ts'
import { type RootRule, rootFields, rootRules } from './root.ts'
import { staticRoles } from './static-roles.ts'
import { knownTypes } from './types.ts'

export const cloudRules = {
  knownTypes,
  roleFields,
  oneOf,
  legacy,
  rootFields,
  rootRules: rootRules as Readonly<Record<keyof typeof rootRules, RootRule>>,
  provider,
  lease,
  names,
  ways: credentials.ways,
  user: credentials.user,
  actions: credentials.actions,
  sessions: credentials.sessions,
  roleArn: credentials.roleArn,
  lifetimes: credentials.lifetimes,
  withDevice: credentials.withDevice,
  staticRoles,
}
export type CloudRules = typeof cloudRules
