/** Lists every fault of the engines. Those of an engine that is not here are its mutants. */
import { ceremonyFaults } from './ceremony/index.ts'
import { cloudFaults } from './cloud/index.ts'
import type { Fault } from './fault.ts'
import { kernelFaults } from './kernel/index.ts'
import { mfaFaults } from './mfa/index.ts'
import { pluginCatalogFaults } from './plugin-catalog/index.ts'
import { policiesFaults } from './policies/index.ts'
import { replicationFaults } from './replication/index.ts'

export const faults: readonly Fault<never>[] = [
  ...kernelFaults,
  ...policiesFaults,
  ...cloudFaults,
  ...ceremonyFaults,
  ...pluginCatalogFaults,
  ...mfaFaults,
  ...replicationFaults,
]
