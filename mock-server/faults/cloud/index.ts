/** Every fault of the cloud engine. */

import { ofForms } from './api-forms.ts'
import type { CloudMutant } from './cells.ts'
import { ofConfiguration } from './configuration.ts'
import { ofCredentials } from './credentials.ts'
import { ofRoles } from './roles.ts'
import { ofStaticRoles } from './static-roles.ts'

export const cloudFaults: readonly CloudMutant[] = [
  ...ofForms,
  ...ofRoles,
  ...ofCredentials,
  ...ofConfiguration,
  ...ofStaticRoles,
]
