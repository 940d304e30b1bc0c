/** Every topic and every requirement, in reading order. */
import '../harness/vocabulary/node-version.ts'
import { fileURLToPath } from 'node:url'
import { cloud } from '../fixtures/api/cloud.ts'
import { laws } from '../fixtures/api/index.ts'
import { openLists } from '../fixtures/api/lists.ts'
import { mfaIdentity, mfaLegacy } from '../fixtures/api/mfa.ts'
import { pki } from '../fixtures/api/pki.ts'
import { pluginCatalog } from '../fixtures/api/plugin-catalog.ts'
import { policies } from '../fixtures/api/policies.ts'
import { drReplication, performanceReplication } from '../fixtures/api/replication.ts'
import { statementsOf } from '../fixtures/api/statements.ts'
import type { ListSite, Requirement, Topic } from '../harness/vocabulary/index.ts'
import cloudAccessSecrets from './cloud/access-secrets.ts'
import cloudErrors from './cloud/errors.ts'
import cloudErrorsBodies from './cloud/errors-bodies.ts'
import cloudErrorsProvider from './cloud/errors-provider.ts'
import cloudErrorsValues from './cloud/errors-values.ts'
import cloudFieldsIamUser from './cloud/fields-iam-user.ts'
import cloudFieldsLease from './cloud/fields-lease.ts'
import cloudFieldsRoles from './cloud/fields-roles.ts'
import cloudFieldsRoot from './cloud/fields-root.ts'
import cloudFieldsSessions from './cloud/fields-sessions.ts'
import cloudFieldsStaticRoles from './cloud/fields-static-roles.ts'
import cloudFieldsWhole from './cloud/fields-whole.ts'
import cloudLimits from './cloud/limits.ts'
import cloudTransitions from './cloud/transitions.ts'
import cloudTransitionsRoles from './cloud/transitions-roles.ts'
import cloudTransitionsStaticRoles from './cloud/transitions-static-roles.ts'
import cloudVersions from './cloud/versions.ts'
import drReplicationAccess from './dr-replication/access.ts'
import drReplicationErrorsCeremony from './dr-replication/errors-ceremony.ts'
import drReplicationFieldsCeremony from './dr-replication/fields-ceremony.ts'
import drReplicationFieldsFilters from './dr-replication/fields-filters.ts'
import drReplicationLimits from './dr-replication/limits.ts'
import drReplicationTransitionsCeremony from './dr-replication/transitions-ceremony.ts'
import drReplicationTransitionsOperationToken from './dr-replication/transitions-operation-token.ts'
import drReplicationTransitionsSets from './dr-replication/transitions-sets.ts'
import sharedMfaTopics, { identityTopics, legacyTopics } from './mfa/topics.ts'
import mfaIdentityAccessLogin from './mfa-identity/access-login.ts'
import mfaIdentityErrors from './mfa-identity/errors.ts'
import mfaIdentityTransitions from './mfa-identity/transitions.ts'
import performanceReplicationFieldsFilters from './performance-replication/fields-filters.ts'
import performanceReplicationTransitionsFilters from './performance-replication/transitions-filters.ts'
import pkiAccess from './pki/access.ts'
import pkiErrors from './pki/errors.ts'
import pkiFieldsBundles from './pki/fields-bundles.ts'
import pkiFieldsCertificates from './pki/fields-certificates.ts'
import pkiFieldsConstraints from './pki/fields-constraints.ts'
import pkiFieldsFormats from './pki/fields-formats.ts'
import pkiFieldsIntermediates from './pki/fields-intermediates.ts'
import pkiFieldsKeys from './pki/fields-keys.ts'
import pkiFieldsLifetimes from './pki/fields-lifetimes.ts'
import pkiFieldsNamesAny from './pki/fields-names-any.ts'
import pkiFieldsNamesDomains from './pki/fields-names-domains.ts'
import pkiFieldsNamesLocalhost from './pki/fields-names-localhost.ts'
import pkiFieldsSans from './pki/fields-sans.ts'
import pkiFieldsSansEverywhere from './pki/fields-sans-everywhere.ts'
import pkiFieldsSansLists from './pki/fields-sans-lists.ts'
import pkiFieldsSigning from './pki/fields-signing.ts'
import pkiFieldsStorage from './pki/fields-storage.ts'
import pkiFieldsSubject from './pki/fields-subject.ts'
import pkiFieldsUrls from './pki/fields-urls.ts'
import pkiFieldsUsages from './pki/fields-usages.ts'
import pkiTransitions from './pki/transitions.ts'
import pkiTransitionsRevocation from './pki/transitions-revocation.ts'
import pkiTransitionsRoles from './pki/transitions-roles.ts'
import pkiVersions from './pki/versions.ts'
import pluginCatalogAccess from './plugin-catalog/access.ts'
import pluginCatalogErrors from './plugin-catalog/errors.ts'
import pluginCatalogFields from './plugin-catalog/fields.ts'
import pluginCatalogTransitions from './plugin-catalog/transitions.ts'
import pluginCatalogVersions from './plugin-catalog/versions.ts'
import policiesAccess from './policies/access.ts'
import policiesAccessEgpPaths from './policies/access-egp-paths.ts'
import policiesAccessGoverning from './policies/access-governing.ts'
import policiesAccessSeveral from './policies/access-several.ts'
import policiesErrors from './policies/errors.ts'
import policiesFields from './policies/fields.ts'
import policiesTransitions from './policies/transitions.ts'
import policiesVersions from './policies/versions.ts'
import sharedReplicationTopics, { drTopics, performanceTopics } from './replication/topics.ts'

/** `.ts` in the sources, `.js` where the package was built. */
const ending = import.meta.url.slice(import.meta.url.lastIndexOf('.'))

/** A topic that several areas share is in the table of the folder which they share, every other in a file of its own. */
const folderOfShared = new Map<Topic, string>([
  ...sharedMfaTopics.map((topic) => [topic, 'mfa'] as const),
  ...sharedReplicationTopics.map((topic) => [topic, 'replication'] as const),
])

function withFile(topic: Topic): { readonly topic: Topic; readonly file: string } {
  const folder = folderOfShared.get(topic)
  const path = folder === undefined ? topic.id : `${folder}/topics`
  return { topic, file: fileURLToPath(new URL(`${path}${ending}`, import.meta.url)) }
}

export const topics = [
  policiesTransitions,
  policiesFields,
  policiesErrors,
  policiesAccess,
  policiesAccessGoverning,
  policiesAccessEgpPaths,
  policiesAccessSeveral,
  policiesVersions,
  pkiTransitions,
  pkiTransitionsRevocation,
  pkiTransitionsRoles,
  pkiFieldsNamesDomains,
  pkiFieldsNamesAny,
  pkiFieldsNamesLocalhost,
  pkiFieldsSans,
  pkiFieldsSansEverywhere,
  pkiFieldsSansLists,
  pkiFieldsUsages,
  pkiFieldsSubject,
  pkiFieldsKeys,
  pkiFieldsLifetimes,
  pkiFieldsStorage,
  pkiFieldsSigning,
  pkiFieldsFormats,
  pkiFieldsBundles,
  pkiFieldsConstraints,
  pkiFieldsIntermediates,
  pkiFieldsCertificates,
  pkiFieldsUrls,
  pkiErrors,
  pkiAccess,
  pkiVersions,
  pluginCatalogTransitions,
  pluginCatalogFields,
  pluginCatalogErrors,
  pluginCatalogAccess,
  pluginCatalogVersions,
  legacyTopics.transitions,
  legacyTopics.fields,
  legacyTopics.limits,
  legacyTopics.errors,
  legacyTopics.access,
  mfaIdentityTransitions,
  identityTopics.fields,
  identityTopics.limits,
  mfaIdentityErrors,
  identityTopics.access,
  mfaIdentityAccessLogin,
  cloudTransitions,
  cloudTransitionsRoles,
  cloudTransitionsStaticRoles,
  cloudFieldsRoles,
  cloudFieldsIamUser,
  cloudFieldsSessions,
  cloudFieldsWhole,
  cloudFieldsRoot,
  cloudFieldsLease,
  cloudFieldsStaticRoles,
  cloudLimits,
  cloudErrors,
  cloudErrorsBodies,
  cloudErrorsProvider,
  cloudErrorsValues,
  cloudAccessSecrets,
  cloudVersions,
  // Checks that take roles and data from clusters come last.
  drTopics.fields,
  drReplicationAccess,
  drReplicationLimits,
  drTopics.versions,
  drTopics.errorsFields,
  drTopics.fieldsAddresses,
  drReplicationTransitionsCeremony,
  drReplicationFieldsCeremony,
  drReplicationFieldsFilters,
  drReplicationErrorsCeremony,
  drReplicationTransitionsOperationToken,
  drTopics.transitions,
  drTopics.transitionsSecondary,
  drTopics.transitionsPrimary,
  drReplicationTransitionsSets,
  drTopics.errorsRoles,
  performanceTopics.fields,
  performanceTopics.access,
  performanceTopics.limits,
  performanceTopics.versions,
  performanceTopics.errorsFields,
  performanceReplicationFieldsFilters,
  performanceReplicationTransitionsFilters,
  performanceTopics.fieldsAddresses,
  performanceTopics.transitions,
  performanceTopics.transitionsSecondary,
  performanceTopics.transitionsPrimary,
  performanceTopics.errorsRoles,
].map(withFile)

export { documents } from './requirements/documents.ts'

export const lists: readonly ListSite[] = laws.flatMap((law) => openLists(law))

export const requirements: readonly Requirement[] = [
  ...statementsOf(policies),
  ...statementsOf(pki),
  ...statementsOf(pluginCatalog),
  ...statementsOf(mfaLegacy),
  ...statementsOf(mfaIdentity),
  ...statementsOf(cloud),
  ...statementsOf(drReplication),
  ...statementsOf(performanceReplication),
]

/** Every path that the documents state: `{pki}/roles/:name`. */
export const paths: readonly string[] = [
  ...new Set(laws.flatMap(({ entries }) => entries.flatMap((entry) => (entry.kind === 'endpoint' ? entry.path : [])))),
]
