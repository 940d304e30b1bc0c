/** Document 3, cloud credentials engine. */
import { register } from '../../harness/vocabulary/index.ts'
import { credentialsMust, credentialsShould, staticMust } from './cloud-credentials.ts'
import { cloudOpen } from './cloud-open.ts'
import { roleMust, roleShould } from './cloud-roles.ts'
import { rootMust, rootShould } from './cloud-root.ts'

export const cloud = register('cloud', {
  ...rootMust,
  ...roleMust,
  ...credentialsMust,
  ...staticMust,
  ...rootShould,
  ...roleShould,
  ...credentialsShould,
  ...cloudOpen,
})
