import { type Exchange, type Expectation, refused, type Step, succeeds, topic } from '../../harness/vocabulary/index.ts'
import { readingOnly } from '../given.ts'
import { rowsOf } from '../rows.ts'
import {
  bodyOf,
  check,
  holder,
  type PluginType,
  placedFile,
  pluginShown,
  read,
  registered,
  removed,
  unregistered,
} from './given.ts'

interface Deed {
  readonly id: 'register' | 'read' | 'delete'
  /** The capability that the path itself requires. */
  readonly capabilities: readonly string[]
  readonly given: readonly Step[]
  readonly exchange: Exchange
  readonly refusal: Expectation
  /** The operator sends the same request: if everybody is refused, the capabilities are not the reason. */
  readonly asOperator: readonly Step[]
}

const there = [placedFile, registered('secret')]
const deeds: readonly Deed[] = rowsOf<Deed>({
  register: {
    capabilities: ['create', 'update'],
    given: [placedFile],
    exchange: registered('secret'),
    refusal: refused(pluginShown(read('secret'))),
    asOperator: [registered('secret', bodyOf(), '{plugin}-more')],
  },
  read: {
    capabilities: ['read'],
    // The operator has read the plugin before: a server must not serve a cached reply to every caller.
    given: [...there, read('secret')],
    exchange: read('secret'),
    refusal: refused(readingOnly),
    asOperator: [read('secret')],
  },
  delete: {
    capabilities: ['delete'],
    given: there,
    exchange: removed('secret'),
    refusal: refused(pluginShown(read('secret'))),
    asOperator: [registered('secret', bodyOf(), '{plugin}-more'), removed('secret', '{plugin}-more')],
  },
})

const checks = deeds.flatMap(({ id, capabilities, given, exchange, refusal, asOperator }) => {
  const requirement = (part: string): string => `plugin-catalog.${id}.${part}`
  const both = holder('both', 'secret', [...capabilities, 'sudo'])
  const lacking = [
    { lack: 'sudo', has: capabilities, words: `${id}-without-sudo-is-refused` },
    { lack: 'path-capability', has: ['sudo'], words: `${id}-with-sudo-alone-is-refused` },
  ]
  return [
    ...lacking.map(({ lack, has, words }) =>
      check(words, {
        requirement: requirement(`needs-${lack}`),
        given: [...given, ...holder('lacking', 'secret', has), ...both],
        when: { ...exchange, as: 'lacking' },
        then: [refusal],
        control: { ...exchange, as: 'both' },
      }),
    ),
    check(`${id}-with-both-succeeds`, {
      requirement: [requirement('needs-sudo'), requirement('needs-path-capability')],
      given: [unregistered(), ...given, ...asOperator, ...both],
      when: { ...exchange, as: 'both' },
      then: [succeeds],
    }),
  ]
})

const otherBody = bodyOf({ args: ['--later'], env: ['LATER=1'] })
/** Judges the same for a plugin that is registered already: a server could require fewer or more capabilities than the
 * first time. */
const again = [
  { lack: 'sudo', has: ['create', 'update'] },
  { lack: 'path-capability', has: ['sudo'] },
].map(({ lack, has }) =>
  check(`register-again-${lack === 'sudo' ? 'without-sudo' : 'with-sudo-alone'}-is-refused`, {
    requirement: `plugin-catalog.register.needs-${lack}`,
    given: [...there, ...holder('lacking', 'secret', has), ...holder('both', 'secret', ['create', 'update', 'sudo'])],
    when: { ...registered('secret', otherBody), as: 'lacking' },
    then: [refused(pluginShown(read('secret')))],
    control: { ...registered('secret', otherBody), as: 'both' },
  }),
)

const versioned = { version: 'v1.2.3' }
interface Place {
  readonly id: string
  readonly type: PluginType
  readonly version?: string
}
const places: readonly Place[] = rowsOf<Place>({
  auth: { type: 'auth' },
  database: { type: 'database' },
  version: { type: 'secret', ...versioned },
})

/** Sudo is required for every type, and also with a version. */
const elsewhere = places.flatMap(({ id, type, version }) => {
  const body = version === undefined ? bodyOf() : bodyOf(versioned)
  const reading = read(type, '{plugin}', version)
  const made = [placedFile, registered(type, body)]
  const cases = [
    {
      deed: 'register',
      has: ['create', 'update'],
      given: [placedFile],
      exchange: registered(type, body),
      then: refused(pluginShown(reading)),
    },
    { deed: 'read', has: ['read'], given: made, exchange: reading, then: refused(readingOnly) },
    {
      deed: 'delete',
      has: ['delete'],
      given: made,
      exchange: removed(type, '{plugin}', version),
      then: refused(pluginShown(reading)),
    },
  ] as const
  return cases.map(({ deed, has, given, exchange, then }) =>
    check(`${deed}-of-${version === undefined ? `type-${id}` : `a-${id}`}-without-sudo-is-refused`, {
      requirement: `plugin-catalog.${deed}.needs-sudo`,
      given: [...given, ...holder('lacking', type, has), ...holder('both', type, [...has, 'sudo'])],
      when: { ...exchange, as: 'lacking' },
      then: [then],
      control: { ...exchange, as: 'both' },
    }),
  )
})

export default topic('plugin-catalog/access', {
  about: 'Registering, reading and deleting need sudo in addition to the capability of the path.',
  names: ['plugin', 'access'],
  checks: [...checks, ...again, ...elsewhere],
})
