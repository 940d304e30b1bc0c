import type { Check, Exchange, Expectation, JsonObject, Step, Witness } from '../../harness/vocabulary/index.ts'
import { check, post, refused } from '../../harness/vocabulary/index.ts'
import { rowsOf } from '../rows.ts'
import {
  caStays,
  caWorks,
  csr,
  generateRoot,
  issue,
  mounted,
  noneIssued,
  rootedWith,
  signer,
  signIntermediate,
} from './given/given.ts'
import { encodedAs, type Field, keyBelongs, keyEncodedAs, whereEncoded } from './then/encodings.ts'
import { topic } from './topic.ts'

type KeyType = 'rsa' | 'ec'
const sizes: Readonly<Record<KeyType, JsonObject>> = {
  rsa: { key_type: 'rsa', key_bits: 2048 },
  ec: { key_type: 'ec', key_bits: 256 },
}

interface Maker {
  readonly field: Field
  given(key: KeyType): readonly Step[]
  ask(key: KeyType, fields: JsonObject, mount?: string): Exchange
}

const generating = (path: string, field: Field): Maker => ({
  field,
  given: () => [mounted()],
  ask: (key, fields, mount = '{mount}') =>
    post(`${mount}/${path}/exported`, { common_name: 'named.example', ...sizes[key], ...fields }),
})
const makers = {
  root: generating('root/generate', 'certificate'),
  intermediate: generating('intermediate/generate', 'csr'),
  issue: { field: 'certificate', given: (key) => rootedWith(sizes[key]), ask: (_, fields) => issue(fields) },
} as const satisfies Readonly<Record<string, Maker>>
type MakerName = keyof typeof makers
const everyMaker = Object.keys(makers) as readonly MakerName[]

/** One combination of format and private key format. */
interface Cell {
  /** `{maker}` and `{key}` are replaced. */
  readonly id: string
  readonly format: string
  readonly keyFormat: string
  readonly then: (field: Field) => readonly [Expectation, ...Expectation[]]
}
const cells: readonly Cell[] = rowsOf<Cell>({
  '{maker}-{key}-as-pem-with-der-key': {
    format: 'pem',
    keyFormat: 'der',
    then: (field) => [encodedAs(field, 'pem'), keyEncodedAs(['pem'], false), keyBelongs],
  },
  '{maker}-{key}-as-pem-with-pkcs8-key': {
    format: 'pem',
    keyFormat: 'pkcs8',
    then: (field) => [encodedAs(field, 'pem'), keyEncodedAs(['pem'], true), keyBelongs],
  },
  '{maker}-{key}-as-der-with-der-key': {
    format: 'der',
    keyFormat: 'der',
    then: (field) => [encodedAs(field, 'der'), keyEncodedAs(['der'], false), keyBelongs],
  },
  '{maker}-{key}-as-der-with-pkcs8-key': {
    format: 'der',
    keyFormat: 'pkcs8',
    // One sentence of the documents says PEM, another says base64 DER, so both are accepted.
    then: (field) => [encodedAs(field, 'der'), keyEncodedAs(['pem', 'der'], true), keyBelongs],
  },
  '{maker}-{key}-as-pem-bundle-with-der-key': {
    format: 'pem_bundle',
    keyFormat: 'der',
    then: (field) => [encodedAs(field, 'pem'), keyBelongs],
  },
  '{maker}-{key}-as-pem-bundle-with-pkcs8-key': {
    format: 'pem_bundle',
    keyFormat: 'pkcs8',
    then: (field) => [encodedAs(field, 'pem'), keyEncodedAs(['pem'], true), keyBelongs],
  },
})

const matrix: readonly Check[] = everyMaker.flatMap((name) =>
  (['rsa', 'ec'] as const).flatMap((key) =>
    cells.map(({ id, format, keyFormat, then }) => {
      const maker: Maker = makers[name]
      return check(id.replace('{maker}', name).replace('{key}', key), {
        requirement: [
          `pki.format.${format.replace('_', '-')}`,
          `pki.private-key-format.${keyFormat}`,
          `pki.${name}.format`,
          `pki.${name}.private-key-format`,
          `pki.${name}.private-key.belongs`,
        ],
        given: maker.given(key),
        when: maker.ask(key, { format, private_key_format: keyFormat }),
        then: then(maker.field),
      })
    }),
  ),
)

const defaults: readonly Check[] = everyMaker.flatMap((name) => {
  const maker: Maker = makers[name]
  return [
    check(`${name}-format-is-pem-by-default`, {
      requirement: `pki.${name}.format.default`,
      given: maker.given('ec'),
      when: maker.ask('ec', {}),
      then: [encodedAs(maker.field, 'pem')],
    }),
    check(`${name}-private-key-format-is-der-by-default`, {
      requirement: `pki.${name}.private-key-format.default`,
      given: maker.given('ec'),
      when: maker.ask('ec', { format: 'der' }),
      then: [whereEncoded(maker.field, 'der', keyEncodedAs(['der'], false))],
    }),
  ]
})

const twin = mounted({ as: 'twin' })
/** For each maker, the preparation of a refusal, and the witness that must stay unchanged. */
const refusals: Readonly<Record<MakerName, { readonly given: readonly Step[]; readonly witness: Witness }>> = {
  root: { given: [mounted(), twin], witness: caStays },
  // If a refused request is carried out nevertheless, its only visible effect is that it replaces the key of the CA.
  intermediate: { given: [...rootedWith(), twin, generateRoot({}, 'internal', '{twin}')], witness: caWorks },
  issue: { given: makers.issue.given('ec'), witness: noneIssued },
}

const others: readonly Check[] = everyMaker.flatMap((name) => {
  const maker: Maker = makers[name]
  const { given, witness } = refusals[name]
  const control = maker.ask('ec', {}, '{twin}')
  return [
    check(`${name}-other-format-is-refused`, {
      requirement: 'pki.format.other-refused',
      given,
      when: maker.ask('ec', { format: 'jks' }),
      then: [refused(witness)],
      control,
    }),
    check(`${name}-other-private-key-format-is-refused`, {
      requirement: 'pki.private-key-format.other-refused',
      given,
      when: maker.ask('ec', { private_key_format: 'jks' }),
      then: [refused(witness)],
      control,
    }),
  ]
})

const request = [...signer, csr({ key: 'ecLeaf', commonName: 'csr.example' })]
const ofSigned: readonly Check[] = [
  ...(
    [
      ['pem', 'pem'],
      ['der', 'der'],
      ['pem_bundle', 'pem'],
    ] as const
  ).map(([format, encoding]) =>
    check(`sign-intermediate-as-${format.replace('_', '-')}`, {
      requirement: [`pki.format.${format.replace('_', '-')}`, 'pki.sign-intermediate.format'],
      given: request,
      when: signIntermediate({ format }),
      then: [encodedAs('certificate', encoding)],
    }),
  ),
  check('sign-intermediate-format-is-pem-by-default', {
    requirement: 'pki.sign-intermediate.format.default',
    given: request,
    when: signIntermediate(),
    then: [encodedAs('certificate', 'pem')],
  }),
  check('sign-intermediate-other-format-is-refused', {
    requirement: 'pki.format.other-refused',
    given: request,
    when: signIntermediate({ format: 'jks' }),
    then: [refused(noneIssued)],
    control: signIntermediate({ format: 'pem' }),
  }),
]

export default topic('pki/fields-formats', {
  about: 'The encodings in which certificates, CSRs and private keys are returned.',
  names: ['mount', 'twin'],
  checks: [...matrix, ...defaults, ...others, ...ofSigned],
})
