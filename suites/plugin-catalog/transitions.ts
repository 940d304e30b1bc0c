/** These checks follow plugins through registration, listing, reading, removal and use. */
import {
  afterSuccess,
  type Check,
  del,
  matcher,
  next,
  refused,
  succeeds,
  topic,
  unchanged,
} from '../../harness/vocabulary/index.ts'
import { attempted, whereTaken } from '../given.ts'
import { listMethodCheck } from '../list-method.ts'
import {
  bodyOf,
  catalog,
  check,
  container,
  listed,
  needs,
  notUsed,
  placedFile,
  pluginShown,
  read,
  registered,
  removed,
  returned,
  served,
  shownBefore,
  types,
  unlessOfAnotherType,
  unlessUnseen,
  usable,
  use,
  useAsIs,
} from './given.ts'
import { absent, assignments, isReturnedAs, type Mark, marked, nameIfShown, stored, which } from './then.ts'
import { filesOwn, listsOwn, tells, tellsNot } from './then-lists.ts'

const requirement = (id: string): string => `plugin-catalog.${id}`
const of = (mark: Mark) => bodyOf(marked(mark))

const ofEveryType = types.flatMap((type) => {
  const others = types.filter((one) => one !== type)
  return [
    check(`${type}-register-is-read-back`, {
      requirement: [requirement(`register.${type}`), requirement('version.optional'), requirement('type.kept')],
      given: [placedFile],
      when: registered(type),
      then: [unlessOfAnotherType(type, next(read(type), isReturnedAs(type)))],
    }),
    check(`${type}-list-names-what-is-registered`, {
      requirement: requirement(`list.${type}`),
      given: [placedFile, registered(type), registered(type, bodyOf(), '{other}')],
      when: listed(type),
      then: [listsOwn(['{other}', '{plugin}'])],
    }),
    check(`${type}-list-names-no-other-type`, {
      requirement: requirement(`list.${type}`),
      given: [
        placedFile,
        registered(type, bodyOf(), '{other}'),
        shownBefore(listed(type), listsOwn(['{other}']), `${type}-list-names-what-is-registered`),
        ...others.flatMap((one) => [registered(one), registered(one, bodyOf(), '{other}')]),
      ],
      when: listed(type),
      then: [listsOwn(['{other}'])],
    }),
    check(`${type}-list-drops-what-is-deleted`, {
      requirement: [requirement(`list.${type}`), requirement('delete.removes')],
      given: [
        placedFile,
        registered(type),
        registered(type, bodyOf(), '{plugin}-more'),
        shownBefore(listed(type), listsOwn(['{plugin}', '{plugin}-more']), `${type}-list-names-what-is-registered`),
      ],
      when: removed(type),
      then: [afterSuccess(next(listed(type), listsOwn(['{plugin}-more'])))],
    }),
    check(`${type}-stands-in-the-catalog`, {
      requirement: requirement('catalog.by-type'),
      given: [placedFile, registered(type), registered(type, bodyOf(), '{other}')],
      when: catalog,
      then: [filesOwn(type, ['{other}', '{plugin}'])],
    }),
    check(`${type}-stands-in-the-catalog-under-no-other-type`, {
      requirement: requirement('catalog.by-type'),
      given: [
        placedFile,
        registered(type, bodyOf(), '{other}'),
        shownBefore(catalog, filesOwn(type, ['{other}']), `${type}-stands-in-the-catalog`),
        ...others.flatMap((one) => [registered(one), registered(one, bodyOf(), '{other}')]),
      ],
      when: catalog,
      then: [filesOwn(type, ['{other}'])],
    }),
  ]
})

const veryLong = `{plugin}-${'x'.repeat(140)}`
const long = '{plugin}-whose-name-is-longer-than-most-names'
const similarNames: readonly { readonly id: string; readonly one: string; readonly other: string }[] = [
  { id: 'long-names', one: `${long}-one`, other: `${long}-two` },
  // A server may refuse the longest names, and accept those of the row before.
  { id: 'very-long-names', one: `${veryLong}-one`, other: `${veryLong}-two` },
  // A framework may read the text after a dot as the format of the reply.
  { id: 'names-with-a-dot', one: '{plugin}.one', other: '{plugin}.two' },
]
const apart = similarNames.map(({ id, one, other }) =>
  check(`${id}-stand-apart`, {
    requirement: requirement('addressed-by.name'),

    // The documents do not say which names a server accepts, nor how long they may be.
    given: [placedFile, whereTaken(registered('secret', of(1), one)), returned(one)],
    when: registered('secret', of(2), other),
    then: [unchanged(pluginShown(read('secret', one)))],
  }),
)
const ofOne: readonly Check[] = [
  check('catalog-drops-what-is-deleted', {
    requirement: [requirement('catalog.by-type'), requirement('delete.removes')],
    given: [
      placedFile,
      registered('secret'),
      registered('secret', bodyOf(), '{other}'),
      shownBefore(catalog, filesOwn('secret', ['{other}', '{plugin}']), 'secret-stands-in-the-catalog'),
    ],
    when: removed('secret'),
    then: [afterSuccess(next(catalog, filesOwn('secret', ['{other}'])))],
  }),
  check('update-replaces-the-plugin', {
    requirement: [requirement('register.updates'), requirement('spelling.written-default')],
    given: [placedFile, registered('secret', of(1))],
    when: registered('secret', of(2)),
    then: [next(read('secret'), which(2))],
  }),
  check('update-replaces-the-digest', {
    requirement: [requirement('register.updates'), requirement('sha256.kept')],
    given: [placedFile, whereTaken(registered('secret', bodyOf({ sha256: '{wrongSha256}' })))],
    when: registered('secret'),
    then: [next(read('secret'), stored('sha256', '{sha256}'))],
  }),
  check('update-replaces-the-environment', {
    requirement: requirement('env.kept'),
    given: [placedFile, registered('secret', bodyOf({ env: ['BEFORE=1', 'BOTH=1'] }))],
    when: registered('secret', bodyOf({ env: ['BOTH=2', 'AFTER=2'] })),
    then: [next(read('secret'), stored('env', assignments(['BOTH=2', 'AFTER=2'])))],
  }),
  check('second-update-replaces-the-plugin', {
    requirement: requirement('register.updates'),
    given: [placedFile, registered('secret', of(1)), registered('secret', of(2))],
    when: registered('secret', of(3)),
    then: [next(read('secret'), which(3))],
  }),
  check('plugin-registered-again-is-the-new-one', {
    requirement: [requirement('register.updates'), requirement('delete.removes')],
    given: [placedFile, registered('secret', of(1)), removed('secret')],
    when: registered('secret', of(2)),
    then: [next(read('secret'), which(2))],
  }),
  ...(['oci_image', 'runtime', 'command'] as const).map((name) => {
    const word = name.replace('_', '-')
    const [before, after] = [
      { ...container, ...marked(1), command: 'bin/before' },
      {
        ...{ ...container, ...marked(2), command: 'bin/after' },
        ...{ oci_image: 'registry.example:5000/assay/after', runtime: 'after-Runtime' },
      },
    ]
    const wanted = matcher(`the value \`${after[name]}\``, (value) => String(value).endsWith(after[name]))
    return check(`update-replaces-the-${word}`, {
      requirement: requirement('register.updates'),
      applies: { feature: 'plugin-catalog.oci-image' },
      given: [placedFile, registered('secret', bodyOf(before))],
      when: registered('secret', bodyOf(after)),
      then: [
        next(read('secret', '{plugin}', container.version), stored(name, wanted)),
        // One of the three checks is enough to show that the lists are replaced as well.
        ...(name === 'command' ? [next(read('secret', '{plugin}', container.version), which(2))] : []),
      ],
    })
  }),
  check('read-returns-the-plugin-asked-for', {
    requirement: [requirement('read.returns-named'), requirement('spelling.escaped-name')],
    given: [placedFile, registered('secret', of(1)), registered('secret', of(2), '{plugin}-more')],
    when: read('secret'),
    then: [which(1), nameIfShown],
  }),
  check('delete-ends-reading', {
    requirement: requirement('delete.removes'),
    given: [placedFile, registered('secret'), returned()],
    when: removed('secret'),
    then: [afterSuccess(next(read('secret'), absent))],
  }),
  check('delete-leaves-other-names', {
    requirement: requirement('delete.only-named'),
    given: [placedFile, registered('secret'), registered('secret', of(2), '{plugin}-more'), returned('{plugin}-more')],
    when: removed('secret'),
    then: [afterSuccess(unchanged(pluginShown(read('secret', '{plugin}-more'))))],
  }),
  check('registering-leaves-other-types', {
    requirement: requirement('addressed-by.type'),
    given: [placedFile, registered('auth', of(1)), returned('{plugin}', undefined, 'auth')],
    when: registered('secret', of(2)),
    then: [afterSuccess(unchanged(pluginShown(read('auth'))))],
  }),
  ...(
    [
      ['auth', 'database'],
      ['database', 'secret'],
    ] as const
  ).flatMap(([type, neighbour]) => [
    check(`update-replaces-the-plugin-of-type-${type}`, {
      requirement: [requirement('register.updates'), requirement('addressed-by.type')],
      given: [placedFile, registered(type, of(1)), registered(neighbour, of(3))],
      when: registered(type, of(2)),
      then: [next(read(type), which(2)), unchanged(pluginShown(read(neighbour)))],
    }),
    check(`delete-ends-reading-and-showing-of-type-${type}`, {
      requirement: [requirement('delete.removes'), requirement('catalog.by-type'), requirement('addressed-by.type')],
      given: [
        placedFile,
        registered(neighbour),
        registered(type),
        registered(type, bodyOf(), '{other}'),
        returned('{plugin}', undefined, type),
        shownBefore(catalog, filesOwn(type, ['{other}', '{plugin}']), `${type}-stands-in-the-catalog`),
      ],
      when: removed(type),
      then: [
        afterSuccess(next(read(type), absent)),
        next(catalog, filesOwn(type, ['{other}'])),
        unchanged(pluginShown(read(neighbour))),
      ],
    }),
  ]),
  ...(['auth', 'database'] as const).flatMap((type) => {
    const versionsOf = [
      placedFile,
      registered(type, { ...of(3), version: 'v1.0.0' }),
      registered(type, { ...of(1), version: 'v1.0.0' }),
      registered(type, { ...of(2), version: 'v2.0.0' }),
    ]
    return [
      check(`each-version-of-type-${type}-is-read-by-itself`, {
        requirement: [requirement('read.by-version'), requirement('version.several'), requirement('register.updates')],
        given: versionsOf,
        when: read(type, '{plugin}', 'v1.0.0'),
        then: [which(1, 'v1.0.0')],
      }),
      check(`delete-removes-the-version-of-type-${type}`, {
        requirement: requirement('delete.by-version'),
        given: [...versionsOf, returned('{plugin}', 'v1.0.0', type)],
        when: removed(type, '{plugin}', 'v1.0.0'),
        then: [
          afterSuccess(next(read(type, '{plugin}', 'v1.0.0'), absent)),
          unchanged(pluginShown(read(type, '{plugin}', 'v2.0.0'))),
        ],
      }),
    ]
  }),
  check('deleting-under-another-type-removes-nothing', {
    requirement: requirement('addressed-by.type'),
    given: [placedFile, registered('auth'), returned('{plugin}', undefined, 'auth')],
    when: removed('secret'),
    then: [unchanged(pluginShown(read('auth')))],
  }),
  check('registering-leaves-other-names', {
    requirement: requirement('addressed-by.name'),
    given: [placedFile, registered('secret', of(1), '{plugin}-more'), returned('{plugin}-more')],
    when: registered('secret', of(2)),
    then: [afterSuccess(unchanged(pluginShown(read('secret', '{plugin}-more'))))],
  }),
  check('version-registered-again-is-the-new-one', {
    requirement: [requirement('register.updates'), requirement('delete.removes')],
    given: [placedFile, registered('secret', { ...of(1), version: 'v1.0.0' }), removed('secret', '{plugin}', 'v1.0.0')],
    when: registered('secret', { ...of(2), version: 'v1.0.0' }),
    then: [next(read('secret', '{plugin}', 'v1.0.0'), which(2, 'v1.0.0'))],
  }),
  check('plugin-registered-again-is-deleted-again', {
    requirement: requirement('delete.removes'),
    given: [placedFile, registered('secret'), removed('secret'), registered('secret'), returned()],
    when: removed('secret'),
    then: [afterSuccess(next(read('secret'), absent))],
  }),
  check('lists-name-what-was-registered-again', {
    requirement: [requirement('list.secret'), requirement('catalog.by-type')],
    given: [
      placedFile,
      ...[registered('secret', of(1)), registered('secret', of(2))],
      ...[registered('secret', of(1), '{other}'), removed('secret', '{other}'), registered('secret', of(2), '{other}')],
    ],
    when: listed('secret'),
    then: [listsOwn(['{other}', '{plugin}']), next(catalog, filesOwn('secret', ['{other}', '{plugin}']))],
  }),
  check('deleting-a-version-leaves-other-types', {
    requirement: requirement('addressed-by.type'),
    given: [
      placedFile,
      registered('auth', bodyOf({ version: 'v1.0.0' })),
      registered('secret', bodyOf({ version: 'v1.0.0' })),
      returned('{plugin}', 'v1.0.0', 'auth'),
    ],
    when: removed('secret', '{plugin}', 'v1.0.0'),
    then: [afterSuccess(unchanged(pluginShown(read('auth', '{plugin}', 'v1.0.0'))))],
  }),
  ...apart,
  check('deleting-leaves-other-types', {
    requirement: requirement('addressed-by.type'),
    given: [placedFile, registered('auth'), registered('secret'), returned('{plugin}', undefined, 'auth')],
    when: removed('secret'),
    then: [afterSuccess(unchanged(pluginShown(read('auth'))))],
  }),
  check('type-comes-from-the-url', {
    requirement: requirement('addressed-by.type'),
    given: [placedFile, registered('auth', of(1)), returned('{plugin}', undefined, 'auth')],
    when: registered('secret', { ...of(2), type: 'auth' }),
    then: [unchanged(pluginShown(read('auth')))],
  }),
  check('name-comes-from-the-url', {
    requirement: requirement('addressed-by.name'),
    given: [placedFile, registered('secret', of(1), '{other}'), returned('{other}')],
    when: registered('secret', { ...of(2), name: '{other}' }),
    then: [unchanged(pluginShown(read('secret', '{other}')))],
  }),
]

/** In a query, a plus means a blank unless it is encoded. */
const [one, two, preRelease, built] = ['v1.0.0', 'v2.0.0', 'v1.0.0-rc.1', 'v1.0.0+build.7']
const versions = [
  placedFile,
  registered('secret', { ...of(1), version: one }),
  registered('secret', { ...of(2), version: two }),
]
/** Requires that the versions of a name are separate: if the last one replaced all others, a later effect on one of
 * them would prove nothing. */
const toldApart = unlessUnseen(
  shownBefore(read('secret', '{plugin}', one), which(1, one), 'each-version-is-read-by-itself'),
)
const ofVersions: readonly Check[] = [
  check('each-version-is-read-by-itself', {
    requirement: [requirement('read.by-version'), requirement('version.several')],
    given: [...versions, registered('secret', { ...of(3), version: one }, '{plugin}-more')],
    when: read('secret', '{plugin}', one),
    then: [which(1, one)],
  }),
  check('update-of-a-version-replaces-it', {
    requirement: requirement('register.updates'),
    given: [
      placedFile,
      registered('secret', { ...of(3), version: two }),
      registered('secret', { ...of(1), version: one }),
      toldApart,
      returned('{plugin}', two),
    ],
    when: registered('secret', { ...of(2), version: one }),
    then: [
      next(read('secret', '{plugin}', one), which(2, one)),
      unchanged(pluginShown(read('secret', '{plugin}', two))),
    ],
  }),
  check('pre-release-is-a-version-of-its-own', {
    requirement: [requirement('read.by-version'), requirement('version.several')],
    given: [
      placedFile,
      registered('secret', { ...of(1), version: preRelease }),
      registered('secret', { ...of(2), version: one }),
    ],
    when: read('secret', '{plugin}', preRelease),
    then: [which(1, preRelease)],
  }),
  check('delete-of-a-release-leaves-its-pre-release', {
    requirement: requirement('delete.by-version'),
    given: [
      placedFile,
      registered('secret', { ...of(1), version: preRelease }),
      registered('secret', { ...of(2), version: one }),
      returned('{plugin}', preRelease),
    ],
    when: removed('secret', '{plugin}', one),
    then: [afterSuccess(unchanged(pluginShown(read('secret', '{plugin}', preRelease))))],
  }),
  check('delete-removes-the-version', {
    requirement: requirement('delete.by-version'),
    given: [...versions, returned('{plugin}', one)],
    when: removed('secret', '{plugin}', one),
    then: [afterSuccess(next(read('secret', '{plugin}', one), absent))],
  }),
  check('delete-removes-the-only-version', {
    requirement: [requirement('delete.by-version'), requirement('delete.removes')],
    given: [placedFile, registered('secret', bodyOf({ version: built })), returned('{plugin}', built)],
    when: removed('secret', '{plugin}', built),
    then: [
      afterSuccess(next(read('secret', '{plugin}', built), absent)),
      next(listed('secret'), tellsNot('{plugin}')),
      next(catalog, tellsNot('{plugin}')),
    ],
  }),
  check('delete-leaves-other-versions', {
    requirement: requirement('delete.by-version'),
    given: [...versions, toldApart, returned('{plugin}', two)],
    when: removed('secret', '{plugin}', one),
    then: [afterSuccess(unchanged(pluginShown(read('secret', '{plugin}', two))))],
  }),
]

/** Registers one name without a version and with two versions. The later version comes last, so that "the newest" is
 * another registration than the one without a version. */
const bothWays = [
  placedFile,
  registered('secret', of(3)),
  registered('secret', { ...of(1), version: one }),
  registered('secret', { ...of(2), version: two }),
]
const ofDefaults: readonly Check[] = [
  check('without-a-version-the-one-without-is-read', {
    requirement: requirement('read.version-default'),
    given: [...bothWays, toldApart],
    when: read('secret'),
    then: [which(3)],
  }),
  check('registering-without-a-version-leaves-versions', {
    requirement: requirement('version.several'),
    given: [placedFile, registered('secret', { ...of(1), version: one }), returned('{plugin}', one)],
    when: registered('secret', of(2)),
    then: [afterSuccess(unchanged(pluginShown(read('secret', '{plugin}', one))))],
  }),
  check('delete-without-a-version-leaves-the-only-version', {
    requirement: requirement('delete.version-default'),
    given: [placedFile, registered('secret', { ...of(1), version: one }), returned('{plugin}', one)],
    when: removed('secret'),
    then: [unchanged(pluginShown(read('secret', '{plugin}', one)))],
  }),
  check('delete-of-another-version-leaves-the-one-without', {
    requirement: requirement('delete.by-version'),
    given: [
      placedFile,
      registered('secret', of(3)),
      registered('secret', { ...of(1), version: one }),
      returned('{plugin}', one),
      returned(),
    ],
    when: removed('secret', '{plugin}', two),
    then: [unchanged(pluginShown(read('secret'))), unchanged(pluginShown(read('secret', '{plugin}', one)))],
  }),
  check('a-version-is-read-beside-one-without', {
    requirement: requirement('read.by-version'),
    given: bothWays,
    when: read('secret', '{plugin}', one),
    then: [which(1, one)],
  }),
  check('delete-without-a-version-removes-the-one-without', {
    requirement: requirement('delete.version-default'),
    given: [...bothWays, returned()],
    when: removed('secret'),
    then: [afterSuccess(next(read('secret'), absent))],
  }),
  ...(
    [
      ['list', listed('secret')],
      ['catalog', catalog],
    ] as const
  ).map(([view, reading]) =>
    check(`${view}-names-what-has-versions-alone`, {
      requirement: requirement(`${view}.versioned`),
      given: [placedFile, registered('secret', bodyOf({ version: one }))],
      when: reading,
      then: [tells('{plugin}')],
    }),
  ),
  ...(
    [
      ['list', listed('secret'), listsOwn(['{plugin}']), 'list.secret', 'secret-list-names-what-is-registered'],
      ['catalog', catalog, filesOwn('secret', ['{plugin}']), 'catalog.by-type', 'secret-stands-in-the-catalog'],
    ] as const
  ).map(([view, reading, isNamed, row, see]) =>
    check(`${view}-keeps-a-name-of-which-a-version-is-deleted`, {
      requirement: requirement(row),
      given: [
        placedFile,
        registered('secret', of(3)),
        registered('secret', { ...of(1), version: one }),
        unlessUnseen(shownBefore(read('secret'), which(3), 'without-a-version-the-one-without-is-read')),
        shownBefore(reading, isNamed, see),
      ],
      when: removed('secret', '{plugin}', one),
      then: [afterSuccess(next(reading, isNamed))],
    }),
  ),
  check('delete-without-a-version-leaves-versions', {
    requirement: requirement('delete.version-default'),
    given: [...bothWays, toldApart, returned('{plugin}', two)],
    when: removed('secret'),
    then: [afterSuccess(unchanged(pluginShown(read('secret', '{plugin}', two))))],
  }),
]

const good = registered('secret', bodyOf(), '{other}')
const ofUse: readonly Check[] = [
  check('a-registered-plugin-is-used', {
    requirement: requirement('use.registered'),
    given: [placedFile, notUsed('good'), registered('secret')],
    when: useAsIs(),
    then: [succeeds],
  }),
  check('an-unregistered-plugin-is-not-used', {
    requirement: requirement('use.registered-first'),
    given: [placedFile, good, usable('{other}')],
    when: use(),
    then: [refused(served)],
  }),
  check('a-plugin-of-another-type-is-not-used', {
    requirement: requirement('use.registered-first'),

    // A server may look at the file and refuse to register it under a type that it does not have.
    given: [placedFile, good, usable('{other}'), whereTaken(registered('auth'))],
    when: use(),
    then: [refused(served)],
  }),
  check('a-deleted-plugin-is-not-used', {
    requirement: [requirement('use.registered-first'), requirement('delete.removes')],

    // A server that has run the plugin may still know it. The mount is removed first, so that nothing needs the plugin.
    given: [
      placedFile,
      registered('secret'),
      usable('{plugin}'),
      attempted(del('sys/mounts/{good}')),
      removed('secret'),
    ],
    when: use(),
    then: [refused(served)],
  }),
  check('a-mended-digest-is-heeded', {
    requirement: [requirement('register.updates'), requirement('use.registered')],
    given: [
      placedFile,
      notUsed('mount'),
      good,
      usable('{other}'),
      registered('secret', bodyOf({ sha256: '{wrongSha256}' })),
      registered('secret'),
    ],
    when: useAsIs(true),
    then: [succeeds],
  }),
]

const method = listMethodCheck('plugin-catalog', {
  needs,
  given: [placedFile, registered('secret')],
  listing: listed('secret'),
  names: listsOwn(['{plugin}']),
  restsOn: 'plugin-catalog/transitions/secret-list-names-what-is-registered',
})

export default topic('plugin-catalog/transitions', {
  about: 'Plugins are registered, listed, read, replaced, deleted and used, by type, name and version.',
  names: ['plugin', 'other', 'mount', 'good'],
  checks: [method, ...ofEveryType, ...ofOne, ...ofVersions, ...ofDefaults, ...ofUse],
})
