import type { Ceremony, Exchange, Step } from '../../harness/vocabulary/index.ts'
import { del, isRefusal, isSuccess, lists, refused, topic } from '../../harness/vocabulary/index.ts'
import { attempted, cutShort } from '../given.ts'
import {
  bodyOf,
  check,
  container,
  listed,
  placedFile,
  pluginShown,
  read,
  registered,
  removed,
  returned,
  served,
  types,
  usable,
  use,
} from './given.ts'
import { absent, marked } from './then.ts'

const listing = lists(listed('secret'), '{plugin}')
const requirement = (id: string): string => `plugin-catalog.${id}`

/** A refused registration adds nothing. The control is the same one without its fault. */
const refuses = (id: string, row: string, when: Exchange | Ceremony, control: Exchange = registered('secret')) =>
  check(id, {
    requirement: requirement(row),
    given: [placedFile],
    when,
    then: [refused(pluginShown(read('secret')), listing)],
    control,
  })

const missing = (['sha256', 'command'] as const).map((name) =>
  refuses(`register-without-${name}-is-refused`, `${name}.required`, registered('secret', bodyOf({}, name))),
)

/** A refusal is not enough: the earlier registration must stay unchanged. */
const refusedUpdates = (['sha256', 'command'] as const).map((name) =>
  check(`update-without-${name}-changes-nothing`, {
    requirement: requirement(`${name}.required`),
    given: [placedFile, registered('secret', bodyOf(marked(1))), returned()],
    when: registered('secret', bodyOf(marked(2), name)),
    then: [refused(pluginShown(read('secret')), listing)],
    control: registered('secret', bodyOf(marked(2))),
  }),
)

/** Both fields are required for every type, also if there is a version. */
const versionsOfTypes = (['auth', 'database'] as const).flatMap((type) =>
  (['sha256', 'command'] as const).map((name) => {
    const [before, after] = [
      { ...marked(1), version: 'v1.0.0' },
      { ...marked(2), version: 'v1.0.0' },
    ]
    return check(`update-of-a-version-of-type-${type}-without-${name}-changes-nothing`, {
      requirement: requirement(`${name}.required`),
      given: [placedFile, registered(type, bodyOf(before)), returned('{plugin}', before.version, type)],
      when: registered(type, bodyOf(after, name)),
      then: [refused(pluginShown(read(type, '{plugin}', before.version)))],
      control: registered(type, bodyOf(after)),
    })
  }),
)

const ofImages = (['sha256', 'command'] as const).map((name) =>
  check(`register-of-an-image-without-${name}-is-refused`, {
    requirement: requirement(`${name}.required`),
    applies: { feature: 'plugin-catalog.oci-image' },
    given: [placedFile],
    when: registered('secret', bodyOf(container, name)),
    then: [refused(pluginShown(read('secret', '{plugin}', container.version)), listing)],
    control: registered('secret', bodyOf(container)),
  }),
)

/** Some servers read the unknown type as the first part of a name, and find out the type by themselves. The undo has
 * the path that they use. */
const asPartOfTheName: Exchange = { ...registered('assay'), undo: removed('secret', 'assay/{plugin}') }
const fromAnyType = types.map((type) => removed(type, 'assay/{plugin}'))
const underAnotherType: Ceremony = {
  kind: 'ceremony',
  words: 'register a plugin under a type that does not exist',
  touches: [asPartOfTheName, removed('assay'), ...fromAnyType],
  async run(scope) {
    const reply = await scope.send(asPartOfTheName)
    if (isSuccess(reply)) for (const removal of [removed('assay'), ...fromAnyType]) await scope.send(removal)
    return reply
  },
}

const underNoType = [
  pluginShown(read('secret')),
  ...types.map((type) => pluginShown(read(type, 'assay/{plugin}'), read('secret'))),
] as const

const faulty = [
  check('register-with-a-malformed-version-is-refused', {
    requirement: requirement('version.malformed-refused'),
    given: [placedFile],
    when: registered('secret', bodyOf({ version: 'one.two.three' })),
    // The list names what is registered under another version, or under none.
    then: [
      refused(pluginShown(read('secret', '{plugin}', 'one.two.three'), read('secret', '{plugin}', 'v1.2.3')), listing),
    ],
    control: registered('secret', bodyOf({ version: 'v1.2.3' })),
  }),
  check('register-under-another-type-is-refused', {
    requirement: requirement('type.other-refused'),
    given: [placedFile],
    when: underAnotherType,
    then: [refused(...underNoType)],
    control: registered('secret'),
  }),
  refuses(
    'a-command-outside-the-plugin-folder-is-refused',
    'command.relative',
    registered('secret', bodyOf({ command: '../{command}' })),
  ),
  refuses(
    'a-command-that-leads-outside-by-a-subfolder-is-refused',
    'command.relative',
    registered('secret', bodyOf({ command: 'folder/../../{command}' })),
  ),
  refuses(
    'a-command-with-arguments-beside-args-is-refused',
    'command.program-only',
    registered('secret', bodyOf({ command: '{command} --first=1', args: ['--second=2'] })),
    registered('secret', bodyOf({ args: ['--second=2'] })),
  ),
]

/** The body is not JSON. A server must not use the beginning that it can parse. */
const malformed = [
  refuses('register-with-a-malformed-body-is-refused', 'register.malformed-refused', cutShort(registered('secret'))),
]

const [one, two] = ['v1.0.0', 'v2.0.0']
const ofVersions = [
  check('read-without-the-version-is-refused', {
    requirement: requirement('read.version-required'),
    given: [placedFile, registered('secret', bodyOf({ version: one })), returned('{plugin}', one)],
    when: read('secret'),
    then: [absent],
    control: read('secret', '{plugin}', one),
  }),
  check('read-under-another-type-is-refused', {
    requirement: requirement('addressed-by.type'),
    given: [placedFile, registered('secret'), returned()],
    when: read('auth'),
    then: [absent],
    control: read('secret'),
  }),
  check('read-of-a-version-does-not-find-the-one-without', {
    requirement: requirement('read.by-version'),
    given: [placedFile, registered('secret'), returned()],
    when: read('secret', '{plugin}', two),
    then: [absent],
    control: read('secret'),
  }),
  check('read-of-another-version-is-refused', {
    requirement: requirement('read.by-version'),

    // The stored version begins with the requested one.
    given: [placedFile, registered('secret', bodyOf({ version: 'v1.2.10' })), returned('{plugin}', 'v1.2.10')],
    when: read('secret', '{plugin}', 'v1.2.1'),
    then: [absent],
    control: read('secret', '{plugin}', 'v1.2.10'),
  }),
]

/** A server may compare digests at any time, so a refused registration counts like a plugin that cannot be run. */
function usedWithAnotherDigest(version?: string): Ceremony {
  const wrong = registered('secret', bodyOf({ sha256: '{wrongSha256}', ...(version === undefined ? {} : { version }) }))
  return {
    kind: 'ceremony',
    words: `register a plugin${version === undefined ? '' : ` of version ${version}`} with the digest of another file, and use it`,
    touches: [wrong, ...use().touches],
    async run(scope) {
      const registration = await scope.send(wrong)
      return isRefusal(registration) ? registration : use().run(scope)
    },
  }
}

const cannotRun = (id: string, given: readonly Step[], version?: string) =>
  check(id, {
    requirement: requirement('digest.mismatch-cannot-run'),
    given: [placedFile, ...given],
    when: usedWithAnotherDigest(version),
    then: [refused(served)],
  })

const ofDigests = [
  cannotRun('a-plugin-with-another-digest-cannot-run', [registered('secret', bodyOf(), '{other}'), usable('{other}')]),
  cannotRun('a-plugin-that-is-given-another-digest-cannot-run', [
    ...[registered('secret', bodyOf(), '{other}'), usable('{other}'), registered('secret')],
  ]),
  // The mount is removed again, so that no process of the plugin has to run any more.
  cannotRun('a-plugin-that-has-run-cannot-run-with-another-digest', [
    ...[registered('secret'), usable('{plugin}'), attempted(del('sys/mounts/{good}'))],
  ]),
  // A server may not run a plugin that has a version unless the mount names the version. The other plugin shows that
  // this server does.
  cannotRun(
    'a-version-with-another-digest-cannot-run',
    [registered('secret', bodyOf({ version: one }), '{other}'), usable('{other}')],
    one,
  ),
]

export default topic('plugin-catalog/errors', {
  about: 'Registrations and reads with missing or invalid fields, and plugins that differ from their registration.',
  names: ['plugin', 'other', 'mount', 'good'],
  checks: [
    ...missing,
    ...refusedUpdates,
    ...versionsOfTypes,
    ...ofImages,
    ...faulty,
    ...malformed,
    ...ofVersions,
    ...ofDigests,
  ],
})
