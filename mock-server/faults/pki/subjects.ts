/** Faults of the subjects of certificates. */
import { arrayCutAtCommas, arrayKeepsFirst, commaListIsOne, keepsTwo, none, requestField, roleField } from './cells.ts'
import { draftingOfFields } from './csr-values.ts'
import { withoutCommonName } from './drafts.ts'
import { faults, type PkiFault } from './pki-operations.ts'

const fields = [
  'ou',
  'organization',
  'country',
  'locality',
  'province',
  'street_address',
  'postal_code',
  'serial_number',
] as const
const rewritten = (rewrite: (value: string) => string) => ({ used: (values: readonly string[]) => values.map(rewrite) })
const operations = ['root', 'intermediate', 'signIntermediate'] as const

export const ofSubjects: readonly PkiFault[] = faults({
  'role-ou-ignored': 'ou of a role is not in the subject of issued certificates.',
  'role-organization-ignored': 'organization of a role is not in the subject of issued certificates.',
  'role-country-ignored': 'country of a role is not in the subject of issued certificates.',
  'role-locality-ignored': 'locality of a role is not in the subject of issued certificates.',
  'role-province-ignored': 'province of a role is not in the subject of issued certificates.',
  'role-street-address-ignored': 'street_address of a role is not in the subject of issued certificates.',
  'role-postal-code-ignored': 'postal_code of a role is not in the subject of issued certificates.',
  'subject-loses-letters-beyond-ascii':
    'Characters outside ASCII in the subject fields of a role become question marks.',
  'subject-values-end-at-a-slash':
    'A value of a subject field of a role ends at its first slash, as if the subject were written as /O=.../CN=....',
  'subject-values-end-at-a-plus-sign':
    'A value of a subject field of a role ends at its first plus sign, as if the subject were written as O=...+OU=....',
  'role-subject-default-set': 'A role written without organization issues with the organization "Added".',
  'request-subject-default-set':
    'Requests that make or sign a CA without organization get the organization "Added", unless use_csr_values is true.',
  'request-subject-ignored': 'Requests that make or sign a CA ignore all subject fields except common_name.',
  'subject-comma-list-is-one-value':
    'A comma-separated string in a subject field, of a role or for a CA, becomes one value with commas in it.',
  'subject-array-is-cut-at-commas':
    'A value with commas, in a JSON array in a subject field, is split into several values.',
  'subject-array-keeps-first':
    'Only the first value of a JSON array in a subject field, of a role or for a CA, is used.',
  'subject-fields-keep-two-values': 'Only the first two values of a subject field, of a role or for a CA, are used.',
  'common-name-not-in-subject':
    'Certificates and CSRs have no common name in their subject, unless use_csr_values is true.',
}).by({
  'role-ou-ignored': roleField('ou', { used: none }),
  'role-organization-ignored': roleField('organization', { used: none }),
  'role-country-ignored': roleField('country', { used: none }),
  'role-locality-ignored': roleField('locality', { used: none }),
  'role-province-ignored': roleField('province', { used: none }),
  'role-street-address-ignored': roleField('street_address', { used: none }),
  'role-postal-code-ignored': roleField('postal_code', { used: none }),
  'subject-loses-letters-beyond-ascii': roleField(
    fields,
    rewritten((value) => value.replaceAll(/[^ -~]/g, '?')),
  ),
  'subject-values-end-at-a-slash': roleField(
    fields,
    rewritten((value) => value.split('/')[0] ?? ''),
  ),
  'subject-values-end-at-a-plus-sign': roleField(
    fields,
    rewritten((value) => value.split('+')[0] ?? ''),
  ),
  'role-subject-default-set': roleField('organization', { fallback: ['Added'] }),
  'request-subject-default-set': requestField(operations, 'organization', { fallback: ['Added'] }),
  'request-subject-ignored': requestField(operations, fields, { used: none }),
  'subject-comma-list-is-one-value': [
    roleField(fields, { read: commaListIsOne }),
    requestField(operations, fields, { read: commaListIsOne }),
  ],
  'subject-array-is-cut-at-commas': [
    roleField(fields, { read: arrayCutAtCommas }),
    requestField(operations, fields, { read: arrayCutAtCommas }),
  ],
  'subject-array-keeps-first': [
    roleField(fields, { read: arrayKeepsFirst }),
    requestField(operations, fields, { read: arrayKeepsFirst }),
  ],
  'subject-fields-keep-two-values': [
    roleField(fields, { used: keepsTwo }),
    requestField(operations, fields, { used: keepsTwo }),
  ],
  'common-name-not-in-subject': draftingOfFields(() => withoutCommonName),
})
