/** Mutants of the subjects of certificates. */
import {
  arrayCutAtCommas,
  arrayKeepsFirst,
  commaListIsOne,
  keepsTwo,
  mutant,
  namingCell,
  namingOperations,
  none,
  type PkiMutant,
  requestField,
  roleField,
} from './cells.ts'

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

export const subjectMutants: readonly PkiMutant[] = [
  mutant(
    'role-ou-ignored',
    'ou of a role is not in the subject of issued certificates.',
    roleField('ou', { used: none }),
  ),
  mutant(
    'role-organization-ignored',
    'organization of a role is not in the subject of issued certificates.',
    roleField('organization', { used: none }),
  ),
  mutant(
    'role-country-ignored',
    'country of a role is not in the subject of issued certificates.',
    roleField('country', { used: none }),
  ),
  mutant(
    'role-locality-ignored',
    'locality of a role is not in the subject of issued certificates.',
    roleField('locality', { used: none }),
  ),
  mutant(
    'role-province-ignored',
    'province of a role is not in the subject of issued certificates.',
    roleField('province', { used: none }),
  ),
  mutant(
    'role-street-address-ignored',
    'street_address of a role is not in the subject of issued certificates.',
    roleField('street_address', { used: none }),
  ),
  mutant(
    'role-postal-code-ignored',
    'postal_code of a role is not in the subject of issued certificates.',
    roleField('postal_code', { used: none }),
  ),
  mutant(
    'subject-loses-letters-beyond-ascii',
    'Characters outside ASCII in the subject fields of a role become question marks.',
    roleField(
      fields,
      rewritten((value) => value.replaceAll(/[^ -~]/g, '?')),
    ),
  ),
  mutant(
    'subject-values-end-at-a-slash',
    'A value of a subject field of a role ends at its first slash, as if the subject were written as /O=.../CN=....',
    roleField(
      fields,
      rewritten((value) => value.split('/')[0] ?? ''),
    ),
  ),
  mutant(
    'subject-values-end-at-a-plus-sign',
    'A value of a subject field of a role ends at its first plus sign, as if the subject were written as O=...+OU=....',
    roleField(
      fields,
      rewritten((value) => value.split('+')[0] ?? ''),
    ),
  ),
  mutant(
    'role-subject-default-set',
    'A role written without organization issues with the organization "Added".',
    roleField('organization', { fallback: ['Added'] }),
  ),
  mutant(
    'request-subject-default-set',
    'Requests that make or sign a CA without organization get the organization "Added", unless use_csr_values is true.',
    requestField(operations, 'organization', { fallback: ['Added'] }),
  ),
  mutant(
    'request-subject-ignored',
    'Requests that make or sign a CA ignore all subject fields except common_name.',
    requestField(operations, fields, { used: none }),
  ),
  mutant(
    'subject-comma-list-is-one-value',
    'A comma-separated string in a subject field, of a role or for a CA, becomes one value with commas in it.',
    roleField(fields, { read: commaListIsOne }),
    requestField(operations, fields, { read: commaListIsOne }),
  ),
  mutant(
    'subject-array-is-cut-at-commas',
    'A value with commas, in a JSON array in a subject field, is split into several values.',
    roleField(fields, { read: arrayCutAtCommas }),
    requestField(operations, fields, { read: arrayCutAtCommas }),
  ),
  mutant(
    'subject-array-keeps-first',
    'Only the first value of a JSON array in a subject field, of a role or for a CA, is used.',
    roleField(fields, { read: arrayKeepsFirst }),
    requestField(operations, fields, { read: arrayKeepsFirst }),
  ),
  mutant(
    'subject-fields-keep-two-values',
    'Only the first two values of a subject field, of a role or for a CA, are used.',
    roleField(fields, { used: keepsTwo }),
    requestField(operations, fields, { used: keepsTwo }),
  ),
  mutant(
    'common-name-not-in-subject',
    'Certificates and CSRs have no common name in their subject, unless use_csr_values is true.',
    namingCell(namingOperations, () => ({ commonNameInSubject: false })),
  ),
]
