import { type Requirement, register } from '../../harness/vocabulary/index.ts'
import { authorityRows } from './pki-authority.ts'
import { nameRows } from './pki-names.ts'
import { openRows } from './pki-open.ts'
import { requestRows } from './pki-requests.ts'
import { roleRows } from './pki-roles.ts'

export const pki: readonly Requirement[] = register('pki', {
  ...nameRows,
  ...roleRows,
  ...requestRows,
  ...authorityRows,
  ...openRows,
})
