/** The engine `identity` stores entities and groups, and the aliases that tie login names to them. */

import type { FixedEngine } from '../../kernel/engine.ts'
import type { Services } from '../../kernel/services.ts'
import { aliasRoutes } from './aliases.ts'
import { entityRoutes } from './entities.ts'
import { groupAliasRoutes } from './group-aliases.ts'
import { groupRoutes } from './groups.ts'

export const createIdentity = (services: Services): FixedEngine => ({
  prefix: 'identity',
  routes: [entityRoutes, aliasRoutes, groupRoutes, groupAliasRoutes].flatMap((make) => make(services)),
  inventory: () => ({ groups: services.entities.groups.all().map(({ id }) => id) }),
})
