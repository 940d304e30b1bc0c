import type { JsonObject, Matcher, Step } from '../../harness/vocabulary/index.ts'
import { check, field, matcher, next, topic } from '../../harness/vocabulary/index.ts'
import { alone, bodyOf, needs, placedFile, read, registered, shows, unregistered } from './given.ts'
import { assignments, digest, empty, entries, stored, version } from './then.ts'

const mutant = (id: string): string => `plugin-catalog/${id}`
const args = ['--first=1', '--second=2', '--third=3']
const env = ['FIRST=1', 'SECOND=2', 'THIRD=3']

interface Row {
  readonly id: string
  readonly name: string
  readonly body?: JsonObject
  readonly version?: string
  readonly given?: readonly Step[]
  readonly is: Matcher
  readonly requirement: string
  readonly mutants: readonly [string, ...string[]]
}

const kept: readonly Row[] = [
  { id: 'sha256-is-kept', name: 'sha256', is: digest, requirement: 'sha256.kept', mutants: ['read-alters-sha256'] },
  {
    id: 'version-is-kept',
    name: 'version',
    body: { version: 'v1.2.3' },
    version: 'v1.2.3',
    is: version('v1.2.3'),
    requirement: 'version.kept',
    mutants: ['read-alters-version'],
  },
  {
    id: 'args-are-kept',
    name: 'args',
    body: { args },
    is: entries(args),
    requirement: 'args.kept',
    mutants: ['read-alters-args', 'args-keep-first'],
  },
  {
    id: 'env-is-kept',
    name: 'env',
    body: { env },
    is: assignments(env),
    requirement: 'env.kept',
    mutants: ['env-keeps-first'],
  },
]

/** What is never shown is not seen to be empty. */
const shownElsewhere = (name: 'args' | 'env', value: readonly string[]): readonly Step[] => [
  registered('secret', bodyOf({ [name]: value }), '{other}'),
  shows(name, '{other}'),
]

const defaults: readonly Row[] = [
  { name: 'args', fault: 'args-default-filled', given: shownElsewhere('args', args) },
  { name: 'env', fault: 'env-default-filled', given: shownElsewhere('env', env) },
  { name: 'oci_image', fault: 'oci-image-default-filled' },
  { name: 'runtime', fault: 'runtime-default-filled' },
].map(({ name, fault, given = [] }) => {
  const word = name.replace('_', '-')
  return { id: `${word}-is-empty-by-default`, name, given, is: empty, requirement: `${word}.default`, mutants: [fault] }
})

const rows = [...kept, ...defaults].map(({ id, name, body, version: asked, given = [], is, requirement, mutants }) => {
  const [first, ...others] = mutants
  return check(id, {
    requirement: `plugin-catalog.${requirement}`,
    needs,
    given: [
      placedFile,
      ...given,
      registered('secret', bodyOf(body)),
      ...(is === empty ? [unregistered(), shows('command', '{plugin}')] : []),
    ],
    when: read('secret', '{plugin}', asked),
    then: [is === empty ? field(name, is) : stored(name, is)],
    mutants: [mutant(first), ...others.map(mutant)],
  })
})

/** Image and runtime are not looked for at registration here, but a server may: then the check is not verified. */
const container = { oci_image: 'registry.example/assay/plugin', runtime: 'assay-runtime', version: 'v1.0.0' }
const ofContainers = (['oci_image', 'runtime'] as const).map((name) => {
  const word = name.replace('_', '-')
  return check(`${word}-is-kept`, {
    requirement: `plugin-catalog.${word}.kept`,
    needs,
    given: [placedFile, registered('secret', bodyOf(container))],
    when: read('secret', '{plugin}', container.version),
    then: [stored(name, container[name])],
    mutants: [mutant(`read-alters-${word}`)],
  })
})

/** The program of an image is looked for in the image, so that it may have any name. */
const commandOfImage = check('command-of-an-image-is-kept', {
  requirement: 'plugin-catalog.command.kept',
  applies: { form: { 'plugin-catalog': 'newer' } },
  needs,
  given: [placedFile, registered('secret', bodyOf({ ...container, command: 'another-program' }))],
  when: read('secret', '{plugin}', container.version),
  then: [
    stored(
      'command',
      matcher('the program `another-program`', (value) => String(value).endsWith('another-program')),
    ),
  ],
  mutants: [mutant('read-alters-command')],
})

const prerelease = check('a-pre-release-version-is-taken', {
  requirement: 'plugin-catalog.version.semantic',
  needs,
  given: [placedFile],
  when: registered('secret', bodyOf({ version: 'v1.2.3-rc.1' })),
  then: [next(read('secret', '{plugin}', 'v1.2.3-rc.1'), stored('version', version('v1.2.3-rc.1')))],
  mutants: [mutant('version-refuses-prerelease'), mutant('read-alters-version')],
})

export default topic('plugin-catalog/fields', {
  about: 'What a registered plugin keeps of its fields, and what it has without them.',
  names: ['plugin', 'other'],
  checks: alone([...rows, ...ofContainers, commandOfImage, prerelease]),
})
