/** Lists every fault of the server. */
import { ceremonyFaults } from './ceremony/index.ts'
import { cloudFaults } from './cloud/index.ts'
import type { Fault } from './fault.ts'
import { kernelFaults } from './kernel/index.ts'
import { mfaFaults } from './mfa/index.ts'
import { pkiFaults } from './pki/index.ts'
import { pluginCatalogFaults } from './plugin-catalog/index.ts'
import { policiesFaults } from './policies/index.ts'
import { replicationFaults } from './replication/index.ts'

export const faults: readonly Fault<never>[] = [
  ...kernelFaults,
  ...policiesFaults,
  ...pkiFaults,
  ...cloudFaults,
  ...ceremonyFaults,
  ...pluginCatalogFaults,
  ...mfaFaults,
  ...replicationFaults,
]
