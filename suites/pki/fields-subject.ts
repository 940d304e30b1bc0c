import {
  type Ceremony,
  type Check,
  check,
  type Expectation,
  isSuccess,
  requestWords,
  shortfall,
} from '../../harness/vocabulary/index.ts'
import { expectation } from '../records.ts'
import { issued } from './given/certificates.ts'
import { issue, role, rooted, rootedWith } from './given/given.ts'
import { issueUnder } from './given/in-turn.ts'
import { plainSerial } from './judge/serial.ts'
import { makerNames, makers } from './makers.ts'
import { document, findCertificate, listed, sameSet, subjectIs, subjectIsBare } from './then/then.ts'
import { topic } from './topic.ts'

/** Several values of each subject field; a country has two letters. */
const values = {
  ou: ['Unit One', 'Unit Two', 'Unit Three', 'Unit Four'],
  organization: ['Org One', 'Org Two', 'Org Three', 'Org Four'],
  country: ['DE', 'FR', 'IT', 'ES'],
  locality: ['City One', 'City Two', 'City Three', 'City Four'],
  province: ['Province One', 'Province Two', 'Province Three', 'Province Four'],
  street_address: ['1 Long Street of the First', '2 Long Street of the Second', '3 Long Street', '4 Long Street'],
  postal_code: ['01111', '22222', '33333', '44444'],
} as const
type Field = keyof typeof values
const fields = Object.keys(values) as readonly Field[]
const kebab = (field: string): string => field.replaceAll('_', '-')

const forms = {
  'comma-list': { of: (field: Field) => values[field].join(',') },
  array: { of: (field: Field) => values[field] },
} as const
type Form = keyof typeof forms
const everyForm = Object.keys(forms) as readonly Form[]

const ofRoles: readonly Check[] = fields.flatMap((field) =>
  everyForm.map((form) =>
    check(`role-${kebab(field)}-may-be-${form === 'array' ? 'an' : 'a'}-${form}`, {
      requirement: [`pki.role.${kebab(field)}.in-subject`, `pki.role.subject.${form}`],
      given: rooted(),
      when: issueUnder({ [field]: forms[form].of(field) }),
      then: [subjectIs(field, values[field])],
    }),
  ),
)

/** Values for arrays, in which a comma is part of a value. */
const withCommas: Readonly<Partial<Record<Field, readonly string[]>>> = {
  ou: ['Unit One, East', 'Unit Two'],
  organization: ['Org One, Limited', 'Org Two'],
  street_address: ['1 Long Street, First Floor', '2 Long Street'],
}

/** Characters that may be lost in an encoding, in a shell, or in a subject that is written as one text. */
const anyLetters: Readonly<Partial<Record<Field, readonly string[]>>> = {
  organization: ['R/D + Q=A'],
  locality: ['Zürich'],
}

const subjectHas = (wanted: Readonly<Partial<Record<Field, readonly string[]>>>): Expectation =>
  document('subject', `one with ${JSON.stringify(wanted)}`, ({ subject }) => {
    const wrong = fields.filter((field) => wanted[field] && !sameSet(subject[field] ?? [], wanted[field]))
    return wrong.length === 0 ? undefined : wrong.map((field) => `${field}: ${listed(subject[field])}`).join('; ')
  })

/** The makers whose request has subject fields; `issue` takes them from the role. */
const authorities = makerNames.filter((maker) => maker !== 'issue')

const ofRequests: readonly Check[] = authorities.flatMap((maker) => [
  ...everyForm.map((form) =>
    check(`${maker}-subject-fields-may-be-${form === 'array' ? 'arrays' : 'comma-lists'}`, {
      requirement: `pki.${maker}.subject.${form}`,
      given: makers[maker].given,
      when: makers[maker].ask({
        ...Object.fromEntries(fields.map((field) => [field, forms[form].of(field)])),
        ...(form === 'array' ? withCommas : {}),
      }),
      then: [subjectHas({ ...values, ...(form === 'array' ? withCommas : {}) })],
    }),
  ),
  check(`${maker}-subject-fields-are-empty-by-default`, {
    requirement: `pki.${maker}.subject.default`,
    given: makers[maker].given,
    when: makers[maker].ask({}),
    then: [subjectIsBare],
  }),
])

/** The name of an authority need not be that of a host. */
const commonNames: readonly Check[] = makerNames.map((maker) => {
  const name = maker === 'issue' ? 'asked.example.com' : 'Asked Authority 2'
  return check(`${maker}-common-name-is-in-the-subject`, {
    requirement: `pki.${maker}.common-name.subject`,
    given: [...makers[maker].given, ...(maker === 'issue' ? [role()] : [])],
    when: makers[maker].ask({ common_name: name }),
    then: [subjectIs('common_name', [name])],
  })
})

/** A server may refuse one of the requests while it serves the other. If it serves both, the serial of one is `twin`. */
const issuedAtOnce: Ceremony = {
  kind: 'ceremony',
  words: `${requestWords(issue())}, twice at the same time`,
  touches: [issue()],
  provides: ['twin'],
  async run(scope) {
    const [one, other] = await Promise.all([scope.send(issue()), scope.send(issue())])
    scope.save('twin', (isSuccess(other) && findCertificate(one)?.serial) || 'none')
    return isSuccess(other) ? other : one
  },
}

/** The certificate is none of those whose serials were saved. */
const serialIsAnother = expectation('the serial is not that of another certificate', ({ reply, scope }) => {
  const found = findCertificate(reply)
  const others = ['serial', 'twin'].map((name) => plainSerial(scope.value(name)))
  if (found && !others.includes(plainSerial(found.serial))) return undefined
  return shortfall(reply, 'serial', 'another than the others', found ? found.serial : 'none')
})

export default topic('pki/fields-subject', {
  about: 'The subject of certificates and CSRs, from roles and from requests.',
  checks: [
    ...ofRoles,
    check('value-of-a-subject-array-may-hold-a-comma', {
      requirement: 'pki.role.subject.array',
      given: rooted(),
      when: issueUnder(withCommas),
      then: [subjectHas(withCommas)],
    }),
    check('value-of-a-subject-field-may-have-any-letters', {
      requirement: ['pki.role.organization.in-subject', 'pki.role.locality.in-subject'],
      // If a server refuses the role because it accepts fewer characters, nothing is judged.
      given: rootedWith(anyLetters),
      when: issue(),
      then: [subjectHas(anyLetters)],
    }),
    check('role-subject-fields-are-empty-by-default', {
      requirement: 'pki.role.subject.default',
      given: rootedWith(),
      when: issue(),
      then: [subjectIsBare],
    }),
    ...ofRequests,
    ...commonNames,
    check('serials-differ', {
      requirement: 'pki.role.serial-number.random',
      given: [...rootedWith(), issued()],
      when: issuedAtOnce,
      then: [serialIsAnother],
    }),
  ],
})
