/** Mutants of the subjects of certificates. */
import {
  arrayCutAtCommas,
  arrayKeepsFirst,
  commaListIsOne,
  mutant,
  namingCell,
  namingPlaces,
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
const places = ['root', 'intermediate', 'signIntermediate'] as const

export const subjectMutants: readonly PkiMutant[] = [
  mutant(
    'role-ou-ignored',
    'ou of a role does not reach the subject of issued certificates.',
    roleField('ou', { used: none }),
  ),
  mutant(
    'role-organization-ignored',
    'organization of a role does not reach the subject of issued certificates.',
    roleField('organization', { used: none }),
  ),
  mutant(
    'role-country-ignored',
    'country of a role does not reach the subject of issued certificates.',
    roleField('country', { used: none }),
  ),
  mutant(
    'role-locality-ignored',
    'locality of a role does not reach the subject of issued certificates.',
    roleField('locality', { used: none }),
  ),
  mutant(
    'role-province-ignored',
    'province of a role does not reach the subject of issued certificates.',
    roleField('province', { used: none }),
  ),
  mutant(
    'role-street-address-ignored',
    'street_address of a role does not reach the subject of issued certificates.',
    roleField('street_address', { used: none }),
  ),
  mutant(
    'role-postal-code-ignored',
    'postal_code of a role does not reach the subject of issued certificates.',
    roleField('postal_code', { used: none }),
  ),
  mutant(
    'subject-loses-letters-beyond-ascii',
    'Letters beyond ASCII in the subject fields of a role become question marks.',
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
    'root/generate, intermediate/generate and sign-intermediate without organization: the subject has the organization "Added" (for sign-intermediate only with use_csr_values false).',
    requestField(places, 'organization', { fallback: ['Added'] }),
  ),
  mutant(
    'request-subject-ignored',
    'root/generate, intermediate/generate and sign-intermediate: subject fields other than common_name are ignored.',
    requestField(places, fields, { used: none }),
  ),
  mutant(
    'subject-comma-list-is-one-value',
    'Subject fields (of a role or of one of those requests) given as a comma-separated string become one value with commas.',
    roleField(fields, { read: commaListIsOne }),
    requestField(places, fields, { read: commaListIsOne }),
  ),
  mutant(
    'subject-array-is-cut-at-commas',
    'A value of a subject field given as a JSON array is several values if it holds commas.',
    roleField(fields, { read: arrayCutAtCommas }),
    requestField(places, fields, { read: arrayCutAtCommas }),
  ),
  mutant(
    'subject-array-keeps-first',
    'Of a subject field (of a role or of one of those requests) given as a JSON array only the first value is used.',
    roleField(fields, { read: arrayKeepsFirst }),
    requestField(places, fields, { read: arrayKeepsFirst }),
  ),
  mutant(
    'common-name-not-in-subject',
    'issue, root/generate, intermediate/generate, sign-intermediate (with use_csr_values false): the subject has no CN (SANs are right).',
    namingCell(namingPlaces, () => ({ commonNameInSubject: false })),
  ),
]
