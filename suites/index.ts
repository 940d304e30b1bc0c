/** Every topic and every requirement, in reading order. */
import '../harness/vocabulary/node-version.ts'
import type { ListSite, Requirement, SpellingSite } from '../harness/vocabulary/index.ts'
import cloud from './areas/cloud.ts'
import drReplication from './areas/dr-replication.ts'
import mfaIdentity from './areas/mfa-identity.ts'
import mfaLegacy from './areas/mfa-legacy.ts'
import performanceReplication from './areas/performance-replication.ts'
import pki from './areas/pki.ts'
import pluginCatalog from './areas/plugin-catalog.ts'
import policies from './areas/policies.ts'

const suites = [
  policies,
  pki,
  pluginCatalog,
  mfaLegacy,
  mfaIdentity,
  cloud,
  // The checks that remove roles and data from clusters come last.
  drReplication,
  performanceReplication,
]

export { documents } from './requirements/documents.ts'

export const topics = suites.flatMap(({ topics }) => topics)

export const lists: readonly ListSite[] = suites.flatMap(({ lists }) => lists)

export const spellings: readonly SpellingSite[] = suites.flatMap((suite) => suite.spellings)

export const requirements: readonly Requirement[] = suites.flatMap(({ requirements }) => requirements)

/** Every path in the documents: `{pki}/roles/:name`. */
export const paths: readonly string[] = [...new Set(suites.flatMap(({ paths }) => paths))]
