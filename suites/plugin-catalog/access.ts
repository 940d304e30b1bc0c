import type { Exchange, Expectation, Step } from '../../harness/vocabulary/index.ts'
import { check, refused, succeeds, topic } from '../../harness/vocabulary/index.ts'
import { readingOnly } from '../given.ts'
import {
  alone,
  bodyOf,
  holder,
  needs,
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
  /** The operator sends the same request: a request that everybody is refused is not refused for its capabilities. */
  readonly asOperator: readonly Step[]
}

const there = [placedFile, registered('secret')]
const deeds: readonly Deed[] = [
  {
    id: 'register',
    capabilities: ['create', 'update'],
    given: [placedFile],
    exchange: registered('secret'),
    refusal: refused(pluginShown(read('secret'))),
    asOperator: [registered('secret', bodyOf(), '{plugin}-more')],
  },
  {
    id: 'read',
    capabilities: ['read'],
    given: there,
    exchange: read('secret'),
    refusal: refused(readingOnly),
    asOperator: [read('secret')],
  },
  {
    id: 'delete',
    capabilities: ['delete'],
    given: there,
    exchange: removed('secret'),
    refusal: refused(pluginShown(read('secret'))),
    asOperator: [registered('secret', bodyOf(), '{plugin}-more'), removed('secret', '{plugin}-more')],
  },
]

const checks = deeds.flatMap(({ id, capabilities, given, exchange, refusal, asOperator }) => {
  const requirement = (part: string): string => `plugin-catalog.${id}.${part}`
  const both = holder('both', 'secret', [...capabilities, 'sudo'])
  const lacking = [
    { lack: 'sudo', has: capabilities, words: `${id}-without-sudo-is-refused`, fault: `${id}-without-sudo` },
    {
      lack: 'path-capability',
      has: ['sudo'],
      words: `${id}-with-sudo-alone-is-refused`,
      fault: `${id}-with-sudo-alone`,
    },
  ]
  return [
    ...lacking.map(({ lack, has, words, fault }) =>
      check(words, {
        requirement: requirement(`needs-${lack}`),
        needs,
        given: [...given, ...holder('lacking', 'secret', has), ...both],
        when: { ...exchange, as: 'lacking' },
        then: [refusal],
        control: { ...exchange, as: 'both' },
        mutants: [`plugin-catalog/${fault}`, ...(id === 'read' ? [] : ['kernel/denied-requests-act'])],
      }),
    ),
    check(`${id}-with-both-succeeds`, {
      requirement: [requirement('needs-sudo'), requirement('needs-path-capability')],
      needs,
      given: [unregistered(), ...given, ...asOperator, ...both],
      when: { ...exchange, as: 'both' },
      then: [succeeds],
      mutants: [`plugin-catalog/${id}-needs-root`],
    }),
  ]
})

export default topic('plugin-catalog/access', {
  about: 'Registering, reading and deleting need sudo in addition to the capability of the path.',
  names: ['plugin', 'access'],
  checks: alone(checks),
})
