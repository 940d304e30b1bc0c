/** Faults of the subjects of certificates. */
import { arrayCutAtCommas, arrayKeepsFirst, commaListIsOne, keepsTwo, none, requestField, roleField } from './cells.ts'
import { draftingOfFields } from './csr-values.ts'
import { withoutCommonName } from './drafts.ts'
import { fault, type PkiFault } from './pki-operations.ts'

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
const rewritten = (rewrite: (value: string) => string) => ({
  used: (values: readonly string[]) => values.map(rewrite),
})
const operations = ['root', 'intermediate', 'signIntermediate'] as const

export const ofSubjects: readonly PkiFault[] = [
  fault(
    'role-ou-ignored',
    'ou of a role is not in the subject of issued certificates.',
    roleField('ou', { used: none }),
  ),
  fault(
    'role-organization-ignored',
    'organization of a role is not in the subject of issued certificates.',
    roleField('organization', { used: none }),
  ),
  fault(
    'role-country-ignored',
    'country of a role is not in the subject of issued certificates.',
    roleField('country', { used: none }),
  ),
  fault(
    'role-locality-ignored',
    'locality of a role is not in the subject of issued certificates.',
    roleField('locality', { used: none }),
  ),
  fault(
    'role-province-ignored',
    'province of a role is not in the subject of issued certificates.',
    roleField('province', { used: none }),
  ),
  fault(
    'role-street-address-ignored',
    'street_address of a role is not in the subject of issued certificates.',
    roleField('street_address', { used: none }),
  ),
  fault(
    'role-postal-code-ignored',
    'postal_code of a role is not in the subject of issued certificates.',
    roleField('postal_code', { used: none }),
  ),
  fault(
    'subject-loses-letters-beyond-ascii',
    'Characters outside ASCII in the subject fields of a role become question marks.',
    roleField(
      fields,
      rewritten((value) => value.replaceAll(/[^ -~]/g, '?')),
    ),
  ),
  fault(
    'subject-values-end-at-a-slash',
    'A value of a subject field of a role ends at its first slash, as if the subject were written as /O=.../CN=....',
    roleField(
      fields,
      rewritten((value) => value.split('/')[0] ?? ''),
    ),
  ),
  fault(
    'subject-values-end-at-a-plus-sign',
    'A value of a subject field of a role ends at its first plus sign, as if the subject were written as O=...+OU=....',
    roleField(
      fields,
      rewritten((value) => value.split('+')[0] ?? ''),
    ),
  ),
  fault(
    'role-subject-default-set',
    'A role written without organization issues with the organization "Added".',
    roleField('organization', { fallback: ['Added'] }),
  ),
  fault(
    'request-subject-default-set',
    'Requests that make or sign a CA without organization get the organization "Added", unless use_csr_values is true.',
    requestField(operations, 'organization', { fallback: ['Added'] }),
  ),
  fault(
    'request-subject-ignored',
    'Requests that make or sign a CA ignore all subject fields except common_name.',
    requestField(operations, fields, { used: none }),
  ),
  fault(
    'subject-comma-list-is-one-value',
    'A comma-separated string in a subject field, of a role or for a CA, becomes one value with commas in it.',
    roleField(fields, { read: commaListIsOne }),
    requestField(operations, fields, { read: commaListIsOne }),
  ),
  fault(
    'subject-array-is-cut-at-commas',
    'A value with commas, in a JSON array in a subject field, is split into several values.',
    roleField(fields, { read: arrayCutAtCommas }),
    requestField(operations, fields, { read: arrayCutAtCommas }),
  ),
  fault(
    'subject-array-keeps-first',
    'Only the first value of a JSON array in a subject field, of a role or for a CA, is used.',
    roleField(fields, { read: arrayKeepsFirst }),
    requestField(operations, fields, { read: arrayKeepsFirst }),
  ),
  fault(
    'subject-fields-keep-two-values',
    'Only the first two values of a subject field, of a role or for a CA, are used.',
    roleField(fields, { used: keepsTwo }),
    requestField(operations, fields, { used: keepsTwo }),
  ),
  fault(
    'common-name-not-in-subject',
    'Certificates and CSRs have no common name in their subject, unless use_csr_values is true.',
    draftingOfFields(() => withoutCommonName),
  ),
]
