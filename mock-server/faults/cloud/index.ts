/** Every fault of the cloud engine. */
import type { CloudFault } from './cloud-operations.ts'
import { ofLeaseAndNames } from './lease-and-names.ts'
import { ofRefusalsAndForms } from './refusals-and-forms.ts'
import { ofRoleFields } from './role-fields.ts'
import { ofRoles } from './roles.ts'
import { ofRoot } from './root.ts'
import { ofRootRotations } from './rotations-of-the-root.ts'
import { ofSessions } from './sessions.ts'
import { ofStaticRoles } from './static-roles.ts'
import { ofStaticRotations } from './static-rotations.ts'
import { ofUsers } from './users.ts'

export const cloudFaults: readonly CloudFault[] = [
  ...ofRefusalsAndForms,
  ...ofRoleFields,
  ...ofRoles,
  ...ofUsers,
  ...ofSessions,
  ...ofRoot,
  ...ofRootRotations,
  ...ofLeaseAndNames,
  ...ofStaticRoles,
  ...ofStaticRotations,
]
