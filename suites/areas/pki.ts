import { pki } from '../../fixtures/api/pki.ts'
import { areaOf } from '../area.ts'
import access from '../pki/access.ts'
import errors from '../pki/errors.ts'
import fieldsBundles from '../pki/fields-bundles.ts'
import fieldsCertificates from '../pki/fields-certificates.ts'
import fieldsConstraints from '../pki/fields-constraints.ts'
import fieldsFormats from '../pki/fields-formats.ts'
import fieldsIntermediates from '../pki/fields-intermediates.ts'
import fieldsKeys from '../pki/fields-keys.ts'
import fieldsLifetimes from '../pki/fields-lifetimes.ts'
import fieldsNamesAny from '../pki/fields-names-any.ts'
import fieldsNamesDenied from '../pki/fields-names-denied.ts'
import fieldsNamesDomains from '../pki/fields-names-domains.ts'
import fieldsNamesLocalhost from '../pki/fields-names-localhost.ts'
import fieldsNamesTogether from '../pki/fields-names-together.ts'
import fieldsSans from '../pki/fields-sans.ts'
import fieldsSansEverywhere from '../pki/fields-sans-everywhere.ts'
import fieldsSansLists from '../pki/fields-sans-lists.ts'
import fieldsSigning from '../pki/fields-signing.ts'
import fieldsStorage from '../pki/fields-storage.ts'
import fieldsSubject from '../pki/fields-subject.ts'
import fieldsUrls from '../pki/fields-urls.ts'
import fieldsUsages from '../pki/fields-usages.ts'
import { frames } from '../pki/ground.ts'
import transitions from '../pki/transitions.ts'
import transitionsAuthorities from '../pki/transitions-authorities.ts'
import transitionsCrl from '../pki/transitions-crl.ts'
import transitionsRevocation from '../pki/transitions-revocation.ts'
import transitionsRoles from '../pki/transitions-roles.ts'
import versions from '../pki/versions.ts'

/** The suite of this area, with its topics in reading order. */
export default areaOf(
  pki,
  [
    transitions,
    transitionsAuthorities,
    transitionsRevocation,
    transitionsCrl,
    transitionsRoles,
    fieldsNamesDomains,
    fieldsNamesAny,
    fieldsNamesLocalhost,
    fieldsNamesTogether,
    fieldsNamesDenied,
    fieldsSans,
    fieldsSansEverywhere,
    fieldsSansLists,
    fieldsUsages,
    fieldsSubject,
    fieldsKeys,
    fieldsLifetimes,
    fieldsStorage,
    fieldsSigning,
    fieldsFormats,
    fieldsBundles,
    fieldsConstraints,
    fieldsIntermediates,
    fieldsCertificates,
    fieldsUrls,
    errors,
    access,
    versions,
  ],
  { frames },
)
