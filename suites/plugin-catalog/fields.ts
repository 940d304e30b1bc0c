import type { JsonObject, Matcher, Step } from '../../harness/vocabulary/index.ts'
import { afterSuccess, field, matcher, next, topic } from '../../harness/vocabulary/index.ts'
import { type CheckRow, rowsOf } from '../rows.ts'
import { theWord } from '../word.ts'
import { bodyOf, check, container, placedFile, read, registered, removed, returned, showsGiven } from './given.ts'
import { assignments, command, digest, empty, entries, isReturned, stored, version } from './then.ts'

/** The order counts, an argument may occur twice, and blanks and quotes in an argument have no meaning. No argument
 * begins or ends with a blank, because servers of this family trim the entries of lists. */
const args = [
  '--third=3',
  '-v',
  '--first="one  two"',
  '-v',
  'Größe',
  `C:\\temp $HOME <it's> & co`,
  `--long=${'x'.repeat(300)}`,
  ...Array.from({ length: 18 }, (_, at) => `-n${at}`),
]
const env = ['THIRD=3', 'First=1', 'SECOND=2=2', 'FOURTH=4', 'FIFTH=5', 'SIXTH=6']
const listingArgs = ['--list=one,two', '-v']
const listingEnv = ['LIST=1,2', 'SECOND=2']

interface FieldRow extends CheckRow {
  readonly name: string
  readonly body?: JsonObject
  readonly version?: string
  readonly given?: readonly [Step]
  readonly is: Matcher
}

const kept: readonly FieldRow[] = rowsOf<FieldRow>({
  'command-is-kept': { name: 'command', is: command, requirement: 'command.kept' },
  'type-is-kept': { name: 'type', is: theWord('secret', 'the type `secret`'), requirement: 'type.kept' },
  'sha256-is-kept': { name: 'sha256', is: digest, requirement: 'sha256.kept' },
  'version-is-kept': {
    name: 'version',
    body: { version: 'v1.2.3-rc.1+build.7' },
    version: 'v1.2.3-rc.1+build.7',
    is: version('v1.2.3-rc.1+build.7'),
    requirement: 'version.kept',
  },
  'args-are-kept': { name: 'args', body: { args }, is: entries(args), requirement: 'args.kept' },
  'env-is-kept': { name: 'env', body: { env }, is: assignments(env), requirement: 'env.kept' },
})

/** Whether a field is empty can be judged only if the target shows that field at all. */
const defaults: readonly FieldRow[] = [
  { name: 'args', given: { args } },
  { name: 'env', given: { env } },
  { name: 'oci_image', given: container },
  { name: 'runtime', given: container },
].map(({ name, given }) => {
  const word = name.replace('_', '-')
  const id = `${word}-is-empty-by-default`
  return { id, name, given: [showsGiven(name, given)], is: empty, requirement: `${word}.default` }
})

const rows = [...kept, ...defaults].map(({ id, name, body, version: asked, given = [], is, requirement }) => {
  return check(id, {
    requirement: `plugin-catalog.${requirement}`,
    given: [placedFile, ...given, registered('secret', bodyOf(body)), ...(is === empty ? [returned()] : [])],
    when: read('secret', '{plugin}', asked),
    then: [is === empty ? field(name, is) : stored(name, is)],
  })
})

const ofContainers = (['oci_image', 'runtime'] as const).map((name) => {
  const word = name.replace('_', '-')
  return check(`${word}-is-kept`, {
    requirement: `plugin-catalog.${word}.kept`,
    given: [placedFile, registered('secret', bodyOf({ ...container, args, env }))],
    when: read('secret', '{plugin}', container.version),
    then: [stored(name, container[name])],
  })
})

/** The command of an image is a path inside the image, so it may have any name. */
const commandOfImage = check('command-of-an-image-is-kept', {
  requirement: 'plugin-catalog.command.kept',
  applies: { feature: 'plugin-catalog.oci-image' },
  given: [placedFile, registered('secret', bodyOf({ ...container, command: 'bin/Another-Program' }))],
  when: read('secret', '{plugin}', container.version),
  then: [
    stored(
      'command',
      matcher('the program `bin/Another-Program`', (value) => String(value).endsWith('bin/Another-Program')),
    ),
  ],
})

interface ListRow {
  readonly name: 'args' | 'env'
  readonly is: Matcher
}

const images: readonly ListRow[] = [
  { name: 'args', is: entries(args) },
  { name: 'env', is: assignments(env) },
]

const listsOfImages = images.map(({ name, is }) =>
  check(`${name}-of-an-image-are-kept`, {
    requirement: `plugin-catalog.${name}.kept`,
    applies: { feature: 'plugin-catalog.oci-image' },
    given: [placedFile, registered('secret', bodyOf({ ...container, args, env }))],
    when: read('secret', '{plugin}', container.version),
    then: [stored(name, is)],
  }),
)

const digestOfImage = check('sha256-of-an-image-is-kept', {
  requirement: 'plugin-catalog.sha256.kept',
  applies: { feature: 'plugin-catalog.oci-image' },
  given: [placedFile, registered('secret', bodyOf(container))],
  when: read('secret', '{plugin}', container.version),
  then: [stored('sha256', digest)],
})

const withCommas: readonly (ListRow & { readonly id: string; readonly value: readonly string[] })[] = [
  { id: 'a-comma-does-not-end-an-argument', name: 'args', value: listingArgs, is: entries(listingArgs) },
  { id: 'a-comma-does-not-end-an-environment-variable', name: 'env', value: listingEnv, is: assignments(listingEnv) },
]

/** A server that splits an entry at its comma may refuse the parts, so the registration itself is judged. */
const commas = withCommas.map(({ id, name, value, is }) =>
  check(id, {
    requirement: `plugin-catalog.${name}.kept`,
    given: [placedFile],
    when: registered('secret', bodyOf({ [name]: value })),
    then: [afterSuccess(next(read('secret'), stored(name, is)))],
  }),
)

/** An omitted field has its default, whatever another version of the name has, or had before it was deleted. */
const leftOut = (['args', 'env'] as const).flatMap((name) => {
  const [filled, later] = [{ [name]: { args, env }[name] }, { version: 'v2.0.0' }]
  const common = { requirement: `plugin-catalog.${name}.default`, then: [field(name, empty)] as const }
  return [
    check(`${name}-of-another-version-are-not-inherited`, {
      ...common,
      given: [
        placedFile,
        showsGiven(name, filled),
        registered('secret', bodyOf({ ...filled, version: 'v1.0.0' })),
        registered('secret', bodyOf(later)),
        returned('{plugin}', later.version),
      ],
      when: read('secret', '{plugin}', later.version),
    }),
    check(`${name}-from-before-a-deletion-are-gone`, {
      ...common,
      given: [
        placedFile,
        showsGiven(name, filled),
        registered('secret', bodyOf(filled)),
        removed('secret'),
        registered('secret'),
        returned(),
      ],
      when: read('secret'),
    }),
  ]
})

const versions = (
  [
    ['a-pre-release-version-is-taken', 'v1.2.3-rc.1'],
    ['a-version-with-build-metadata-is-taken', 'v1.2.3+build.7'],
    ['a-version-with-both-parts-is-taken', 'v0.1.0-rc.1+build.7'],
    ['a-version-without-v-is-taken', '1.2.3'],
  ] as const
).map(([id, version]) =>
  check(id, {
    requirement: 'plugin-catalog.version.semantic',
    given: [placedFile],
    when: registered('secret', bodyOf({ version })),
    then: [next(read('secret', '{plugin}', version), isReturned('secret'))],
  }),
)

export default topic('plugin-catalog/fields', {
  about: 'The fields of a registered plugin: the values that are kept, and the defaults.',
  names: ['plugin', 'other'],
  checks: [
    ...rows,
    ...commas,
    ...ofContainers,
    ...listsOfImages,
    digestOfImage,
    commandOfImage,
    ...leftOut,
    ...versions,
  ],
})
