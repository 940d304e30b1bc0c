/** Faults of paths filters and dynamic filters. */

import { everyMount, filterPathOf } from '../../engines/replication/data/data-parts.ts'
import { withSlash } from '../../engines/replication/data/filtered-mounts.ts'
import { secondaryIn } from '../../engines/replication/handlers/filters.ts'
import { type Filter, type FilterRules, filterModes } from '../../engines/replication/rules/filters.ts'
import { type Call, done, type Reply } from '../../kernel/contracts.ts'
import { listField } from '../../kernel/http/body-fields.ts'
import { Refusal, refuse } from '../../kernel/http/refusal.ts'
import type { Handle } from '../fault.ts'
import { during, withMethods } from '../with-methods.ts'
import {
  around,
  faultOfDr,
  faultsOfPerformance,
  type Here,
  rule,
  stored,
  textIn,
  withBody,
} from './cluster-operations.ts'

const path = 'primary/paths-filter/:id'
const inRules = (change: (rules: FilterRules) => Partial<FilterRules>) =>
  rule(({ filters }) => ({ filters: { ...filters, ...change(filters) } }))

/** What a request is about: the cluster id of a secondary, and its filter. */
interface Asked {
  readonly call: Call
  readonly id: string
  readonly filter: Filter | undefined
}
function asked(call: Call, { context }: Here): Asked | undefined {
  try {
    const id = secondaryIn(call, context)
    return { call, id, filter: context.membership.filters[id] }
  } catch {
    return undefined
  }
}
type When = (what: Asked, here: Here) => boolean
type Does = (what: Asked, next: (changed?: object) => ReturnType<Handle>, here: Here) => ReturnType<Handle>

/** Handles a request for the filter of a known secondary in another way. `next` gets changed fields. */
const on = (verb: 'GET' | 'POST' | 'DELETE', isMeant: When, does: Does, more: { readonly remembers?: true } = {}) =>
  around(`${verb} ${path}`, {
    ...more,
    when(call, here) {
      const what = asked(call, here)
      return what !== undefined && isMeant(what, here)
    },
    does(call, next, here) {
      const what = asked(call, here)
      return what ? does(what, (changed = {}) => next(withBody(call, changed)), here) : next(call)
    },
  })
const sending = (isMeant: When, change: (what: Asked, here: Here) => object) =>
  on('POST', isMeant, (what, next, here) => next(change(what, here)))
const put = (id: string, filter: Filter, { context }: Here): void =>
  context.update({ filters: { ...context.membership.filters, [id]: filter } })
const after = (verb: 'POST' | 'DELETE', isMeant: When, act: (what: Asked, here: Here) => void) =>
  on(verb, isMeant, async (what, next, here) => {
    const reply = await next()
    act(what, here)
    return reply
  })
/** Remembers something when a filter was written or deleted. */
const remembering = (verb: 'POST' | 'DELETE', note: (what: Asked, here: Here) => void) =>
  on(
    verb,
    () => true,
    async (what, next, here) => {
      const reply = await next()
      note(what, here)
      return reply
    },
    { remembers: true },
  )
/** Does something although the write is refused. */
const whenRefused = (isMeant: When, act: (what: Asked, here: Here) => void) =>
  on('POST', isMeant, async (what, next, here) => {
    try {
      return await next()
    } catch (error) {
      act(what, here)
      throw error
    }
  })

const always: When = () => true
const given = ({ call }: Asked): readonly string[] => listField(call.body, 'paths') ?? []
const modeIn = ({ call }: Asked): string => textIn(call, 'mode')
const isUnknown = (what: Asked): boolean => modeIn(what) !== '' && !filterModes.some((known) => known === modeIn(what))
const isRewrite: When = ({ filter }) => filter !== undefined
const mountsNow = ({ context }: Here): readonly string[] => everyMount(context.services).map(filterPathOf)
const shown = (filter: Filter): Reply => ({ kind: 'data', data: filter })

/** Lets another filter take effect than the one that is stored. */
const acts = (change: (filter: Filter, id: string, here: Here) => Filter | undefined) =>
  stored(
    'filtering',
    'of',
    ([id], next, here) => {
      const filter = next(id)
      return filter && change(filter, id, here)
    },
    ([id], { context }) => context.membership.filters[id] !== undefined,
  )
const actsOnPaths = (change: (paths: readonly string[], filter: Filter, here: Here) => readonly string[]) =>
  acts((filter, _, here) => ({ ...filter, paths: change(filter.paths, filter, here) }))
/** Sends data by the filter of another secondary, or by none. */
const sends = (choose: (filters: Readonly<Record<string, Filter>>, id: string, here: Here) => Filter | undefined) =>
  stored(
    'data',
    'outgoing',
    ([id], next, here) => {
      const { filtering, membership } = here.context
      const of = (clusterId: string): Filter | undefined => choose(membership.filters, clusterId, here)
      return during(here.context, { filtering: withMethods(filtering, { of }) }, () => next(id))
    },
    (_, { context }) => Object.keys(context.membership.filters).length > 0,
  )

const remembersDeleted = [
  around(`DELETE ${path}`, {
    remembers: true,
    async does(call, next, here) {
      const what = asked(call, here)
      const reply = await next(call)
      if (what?.filter) here.memory.set(what.id, what.filter)
      return reply
    },
  }),
]
const deleted = (id: string, { memory }: Here): Filter | undefined => memory.get(id) as Filter | undefined

const remembersMounts = remembering('POST', ({ id }, here) => here.memory.set(id, mountsNow(here)))
/** A filter does not apply to mounts that were made after it was set. */
const withoutLater = (mode: Filter['mode']) =>
  acts((filter, id, here) => {
    const before = (here.memory.get(id) ?? []) as readonly string[]
    const isLater = (one: string): boolean =>
      mountsNow(here).includes(withSlash(one)) && !before.includes(withSlash(one))
    return filter.mode === mode ? { ...filter, paths: filter.paths.filter((one) => !isLater(one)) } : filter
  })

const ofAuth = (one: string): boolean => withSlash(one).startsWith('auth/')
const omits = (field: keyof Filter) =>
  on(
    'GET',
    ({ filter }) => filter !== undefined,
    async (_, next) => {
      const reply = await next()
      if (reply.kind !== 'data' || !reply.data) return reply
      return { ...reply, data: Object.fromEntries(Object.entries(reply.data).filter(([name]) => name !== field)) }
    },
  )
const absent = (operation: string) =>
  around(operation, {
    does() {
      throw new Refusal('unsupported-path')
    },
  })
const all = (): boolean => true
const none = (): boolean => false

export const filterFaults = [
  ...faultsOfPerformance({
    'filter-write-writes-all': 'Writing the filter of one secondary writes the filters of all secondaries.',
    'filter-delete-deletes-all': 'Deleting the filter of one secondary deletes the filters of all secondaries.',
    'filter-allow-includes-all': 'An allow filter withholds no mounts.',
    'filter-allow-excludes-listed': 'An allow filter also withholds the mounts that it lists.',
    'filter-deny-excludes-nothing': 'A deny filter withholds no mounts.',
    'filter-deny-excludes-all': 'A deny filter also withholds the mounts that it does not list.',
    'filter-deny-spares-namespaces': 'A deny filter does not withhold the namespaces that it lists.',
    'filter-allow-ignores-auth-mounts': 'An allow filter withholds the auth mounts that it lists.',
    'filter-default-is-deny': 'A filter that is written without mode is a deny filter.',
    'filter-paths-default-is-all': 'A filter that is written without paths lists every mount.',
    'filter-read-omits-mode': 'A filter is shown without its mode.',
    'filter-read-omits-paths': 'A filter is shown without its paths.',
    'filter-keeps-first-path-only': 'Only the first path of a filter is stored.',
    'filter-other-mode-refused-but-kept':
      'Writing a filter with an unknown mode is refused but stores a filter without paths.',
    'filter-takes-other-modes': 'A filter with an unknown mode is accepted and stored.',
    'filter-other-mode-is-allow': 'A filter with an unknown mode is accepted and stored as an allow filter.',
    'filter-write-adds-paths': 'Writing a filter again adds the new paths to the earlier ones.',
    'filter-write-keeps-first': 'Writing a filter again succeeds but changes nothing.',
    'filter-delete-keeps-reading': 'A deleted filter is still shown.',
    'filter-delete-keeps-filtering': 'A deleted filter still withholds mounts.',
    'filter-takes-any-id': 'A filter is accepted for an id that no secondary has.',
    'filter-acts-on-every-secondary': 'The filter of one secondary withholds mounts from every secondary.',
    'filter-survives-update-primary': 'A filter is kept when its secondary uses a new token with update-primary.',
    'filter-ends-with-the-next-write':
      'A filter removes mounts from its secondary when it is set, but has no effect any more after the next write.',
    'filter-allow-excludes-later-mounts': 'An allow filter withholds listed mounts that are created after the filter.',
    'filter-allow-of-auth-mounts-spares-secret-ones':
      'An allow filter that lists only auth mounts does not withhold secret mounts.',
    'filter-of-an-auth-mount-acts-on-its-namesake':
      'A filter that lists an auth mount also applies to the secret mount of the same name.',
    'filter-of-a-secret-mount-acts-on-its-namesake':
      'A filter that lists a secret mount also applies to the auth mount of the same name.',
    'filter-set-last-acts-alone':
      'Only the filter that was written last has an effect if several secondaries have filters.',
    'filter-set-first-acts-alone':
      'Only the filter that was written first has an effect if several secondaries have filters.',
    'filter-ends-when-another-secondary-joins': 'All filters are dropped when a further secondary joins.',
    'filter-without-paths-refused-but-kept': 'Writing a filter that lists no paths is refused but stores the filter.',
    'filter-ends-with-a-reconnection': 'A filter is dropped when its secondary reconnects.',
    'dynamic-filter-absent-on-primary': 'The dynamic filter cannot be read on a primary.',
    'dynamic-filter-absent-on-secondary': 'The dynamic filter cannot be read on a secondary.',
    'filter-acts-on-its-first-path-only': 'Only the first path of a filter counts.',
    'filter-acts-on-its-last-path-only': 'Only the last path of a filter counts.',
    'filter-acts-on-ten-paths-only': 'Only the first ten paths of a filter count.',
    'filter-deny-excludes-alike': 'A path in a filter also applies to mounts whose paths begin with it.',
    'filter-deny-spares-later-mounts':
      'A deny filter does not withhold listed mounts that are created after the filter.',
    'filter-acts-by-its-first-mode': 'A filter that is written again with another mode applies its first mode.',
    'filter-rewrite-keeps-mode': 'Writing a filter again without mode keeps the earlier mode.',
    'filter-rewrite-keeps-paths': 'Writing a filter again without paths keeps the earlier paths.',
    'filter-after-a-deletion-ignored': 'Writing a filter again after its deletion succeeds but stores nothing.',
    'filter-after-a-deletion-has-no-effect': 'A filter that is written again after its deletion has no effect.',
    'filter-read-shows-another':
      'Reading the filter of a secondary without a filter shows the filter of another secondary.',
    'filter-rewrite-ignores-other-modes':
      'Writing a filter again with an unknown mode succeeds and keeps the earlier mode.',
    'filter-other-mode-refused-but-lists':
      'Writing a filter again with an unknown mode is refused, but the new paths are stored.',
    'filter-delete-only-empties-the-list':
      'Deleting a filter removes only its paths, and the filter stays with its mode.',
  }).by({
    'filter-write-writes-all': after('POST', always, ({ id }, here) => {
      const { filters, registrations } = here.context.membership
      const written = filters[id]
      for (const { clusterId } of registrations) if (written && clusterId !== '') put(clusterId, written, here)
    }),
    'filter-delete-deletes-all': after('DELETE', always, (_, { context }) => context.update({ filters: {} })),
    'filter-allow-includes-all': inRules(({ includes }) => ({ includes: { ...includes, allow: all } })),
    'filter-allow-excludes-listed': inRules(({ includes }) => ({ includes: { ...includes, allow: none } })),
    'filter-deny-excludes-nothing': inRules(({ includes }) => ({ includes: { ...includes, deny: all } })),
    'filter-deny-excludes-all': inRules(({ includes }) => ({ includes: { ...includes, deny: none } })),
    'filter-deny-spares-namespaces': actsOnPaths((paths, { mode }, here) =>
      mode === 'deny' ? paths.filter((one) => mountsNow(here).includes(withSlash(one))) : paths,
    ),
    'filter-allow-ignores-auth-mounts': actsOnPaths((paths, { mode }) =>
      mode === 'allow' ? paths.filter((one) => !ofAuth(one)) : paths,
    ),
    'filter-default-is-deny': inRules(() => ({ defaultMode: 'deny' })),
    'filter-paths-default-is-all': sending(
      ({ call }) => listField(call.body, 'paths') === undefined,
      (_, here) => ({ paths: mountsNow(here) }),
    ),
    'filter-read-omits-mode': omits('mode'),
    'filter-read-omits-paths': omits('paths'),
    'filter-keeps-first-path-only': sending(
      (what) => given(what).length > 1,
      (what) => ({ paths: given(what).slice(0, 1) }),
    ),
    'filter-other-mode-refused-but-kept': whenRefused(isUnknown, ({ id }, here) =>
      put(id, { mode: here.context.rules.filters.defaultMode, paths: [] }, here),
    ),
    'filter-takes-other-modes': [
      on('POST', isUnknown, async (what, next, here) => {
        const reply = await next({ mode: 'allow' })
        put(what.id, { mode: modeIn(what) as Filter['mode'], paths: given(what) }, here)
        return reply
      }),
      stored(
        'filtering',
        'of',
        ([id], next) => {
          const filter = next(id)
          return filter && filterModes.includes(filter.mode) ? filter : undefined
        },
        ([id], { context }) => !filterModes.includes(context.membership.filters[id]?.mode ?? 'allow'),
      ),
    ],
    'filter-other-mode-is-allow': sending(isUnknown, () => ({ mode: 'allow' })),
    'filter-write-adds-paths': sending(isRewrite, (what) => ({
      paths: [...(what.filter?.paths ?? []), ...given(what)],
    })),
    'filter-write-keeps-first': on(
      'POST',
      (what) => what.filter !== undefined && !isUnknown(what),
      () => done,
    ),
    'filter-delete-keeps-reading': [
      remembersDeleted,
      on(
        'GET',
        ({ filter, id }, here) => !filter && deleted(id, here) !== undefined,
        ({ id }, next, here) => {
          const filter = deleted(id, here)
          return filter ? shown(filter) : next()
        },
      ),
    ],
    'filter-delete-keeps-filtering': [
      remembersDeleted,
      stored(
        'filtering',
        'of',
        ([id], next, here) => next(id) ?? deleted(id, here),
        ([id], here) => deleted(id, here) !== undefined,
      ),
    ],
    'filter-takes-any-id': around(`POST ${path}`, {
      when: (call, here) => here.context.membership.mode === 'primary' && !asked(call, here),
      does(call, _, here) {
        put(call.params.id ?? '', { mode: 'allow', paths: listField(call.body, 'paths') ?? [] }, here)
        return done
      },
    }),
    'filter-acts-on-every-secondary': sends((filters) => Object.values(filters)[0]),
    'filter-survives-update-primary': [
      stored(
        'filtering',
        'drop',
        () => {},
        ([id], { context }) => context.membership.filters[id] !== undefined,
      ),
      on('DELETE', always, ({ id }, _, { context }) => {
        const { [id]: _dropped, ...filters } = context.membership.filters
        context.update({ filters })
        return done
      }),
    ],
    'filter-ends-with-the-next-write': [
      remembering('POST', ({ id }, { context, memory }) => memory.set(id, context.services.storage.writes)),
      sends((filters, id, { context, memory }) =>
        // The request that sets a filter is itself a write.
        context.services.storage.writes > Number(memory.get(id) ?? 0) + 1 ? undefined : filters[id],
      ),
    ],
    'filter-allow-excludes-later-mounts': [remembersMounts, withoutLater('allow')],
    'filter-allow-of-auth-mounts-spares-secret-ones': actsOnPaths((paths, { mode }, here) => {
      const kinds = new Set(paths.map(ofAuth))
      return mode === 'allow' && kinds.size === 1
        ? [...paths, ...mountsNow(here).filter((one) => !kinds.has(ofAuth(one)))]
        : paths
    }),
    'filter-of-an-auth-mount-acts-on-its-namesake': actsOnPaths((paths) => [
      ...paths,
      ...paths.filter(ofAuth).map((one) => withSlash(one).slice('auth/'.length)),
    ]),
    'filter-of-a-secret-mount-acts-on-its-namesake': actsOnPaths((paths) => [
      ...paths,
      ...paths.filter((one) => !ofAuth(one)).map((one) => `auth/${withSlash(one)}`),
    ]),
    'filter-set-last-acts-alone': [
      remembering('POST', ({ id }, { memory }) => memory.set('last', id)),
      sends((filters, id, { memory }) => (memory.get('last') === id ? filters[id] : undefined)),
    ],
    'filter-set-first-acts-alone': sends((filters, id) => (Object.keys(filters)[0] === id ? filters[id] : undefined)),
    'filter-ends-when-another-secondary-joins': [
      stored(
        'filtering',
        'drop',
        (_, _next, { context }) => context.update({ filters: {} }),
        (_, { context }) => Object.keys(context.membership.filters).length > 0,
      ),
      on('DELETE', always, ({ id }, _, { context }) => {
        const { [id]: _dropped, ...filters } = context.membership.filters
        context.update({ filters })
        return done
      }),
    ],
    'filter-without-paths-refused-but-kept': on(
      'POST',
      (what) => given(what).length === 0,
      async (_, next) => {
        await next()
        return refuse('a filter needs paths')
      },
    ),
    'filter-ends-with-a-reconnection': [
      stored('filtering', 'drop', ([id], next, { memory }) => {
        memory.set(id, 'joins')
        next(id)
      }),
      stored(
        'sessions',
        'open',
        ([id, ...given], next, { context, memory }) => {
          const clusterId = context.membership.registrations.find((one) => one.id === id)?.clusterId ?? ''
          const { [clusterId]: _dropped, ...filters } = context.membership.filters
          if (!memory.delete(clusterId)) context.update({ filters })
          return next(id, ...given)
        },
        (_, { context, memory }) => memory.size > 0 || Object.keys(context.membership.filters).length > 0,
      ),
    ],
    'dynamic-filter-absent-on-primary': absent('GET primary/dynamic-filter/:id'),
    'dynamic-filter-absent-on-secondary': absent('GET secondary/dynamic-filter/:id'),
    'filter-acts-on-its-first-path-only': actsOnPaths((paths) => paths.slice(0, 1)),
    'filter-acts-on-its-last-path-only': actsOnPaths((paths) => paths.slice(-1)),
    'filter-acts-on-ten-paths-only': actsOnPaths((paths) => paths.slice(0, 10)),
    'filter-deny-excludes-alike': inRules(() => ({ lists: (listed, mount) => mount.startsWith(listed.slice(0, -1)) })),
    'filter-deny-spares-later-mounts': [remembersMounts, withoutLater('deny')],
    'filter-acts-by-its-first-mode': [
      around(`POST ${path}`, {
        remembers: true,
        async does(call, next, here) {
          const what = asked(call, here)
          const reply = await next(call)
          const written = what && here.context.membership.filters[what.id]
          if (written && !what.filter) here.memory.set(what.id, written.mode)
          return reply
        },
      }),
      acts((filter, id, { memory }) => ({ ...filter, mode: (memory.get(id) ?? filter.mode) as Filter['mode'] })),
    ],
    'filter-rewrite-keeps-mode': sending(
      (what) => what.filter !== undefined && modeIn(what) === '',
      ({ filter }) => ({ mode: filter?.mode }),
    ),
    'filter-rewrite-keeps-paths': sending(
      (what) => what.filter !== undefined && given(what).length === 0,
      ({ filter }) => ({ paths: filter?.paths }),
    ),
    'filter-after-a-deletion-ignored': [
      remembersDeleted,
      on(
        'POST',
        ({ id }, here) => deleted(id, here) !== undefined,
        () => done,
      ),
    ],
    'filter-after-a-deletion-has-no-effect': [
      remembersDeleted,
      acts((filter, id, here) => (deleted(id, here) ? undefined : filter)),
    ],
    'filter-read-shows-another': on(
      'GET',
      ({ filter }, { context }) => !filter && Object.keys(context.membership.filters).length > 0,
      (_, next, { context }) => {
        const other = Object.values(context.membership.filters).at(-1)
        return other ? shown(other) : next()
      },
    ),
    'filter-rewrite-ignores-other-modes': sending(
      (what) => what.filter !== undefined && isUnknown(what),
      ({ filter }) => ({ mode: filter?.mode }),
    ),
    'filter-other-mode-refused-but-lists': whenRefused(
      (what) => what.filter !== undefined && isUnknown(what),
      (what, here) => what.filter && put(what.id, { ...what.filter, paths: given(what) }, here),
    ),
    'filter-delete-only-empties-the-list': on('DELETE', isRewrite, ({ filter, id }, _, here) => {
      if (filter) put(id, { ...filter, paths: [] }, here)
      return done
    }),
  }),
  faultOfDr('paths-filters-are-served', 'DR replication has paths filters as well.', [
    inRules(() => ({ served: true })),
  ]),
]
