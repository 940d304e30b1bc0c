/** Makes faults of the plugin catalog. Faults look for plugins in `all`, because other faults may replace `find`. */
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../engines/plugin-catalog/context.ts'
import { givenFields, settled } from '../../engines/plugin-catalog/handlers.ts'
import { canonical } from '../../engines/plugin-catalog/plugins/semver.ts'
import { type FieldRule, types } from '../../engines/plugin-catalog/rules.ts'
import type { Address, Catalog, Field, Registered } from '../../engines/plugin-catalog/store.ts'
import { type Call, done, type Reply } from '../../kernel/contracts.ts'
import { faultsOf, type Scene } from '../fault.ts'
import { during, withMethods } from '../with-methods.ts'

export const { fault, faults, rule, around, stored, extended } = faultsOf<Context>(
  'sys/plugins/catalog',
  'plugin-catalog',
)
export type Here = Scene<Context>

export const isAt =
  ({ name, type, version }: Address) =>
  (other: Address): boolean =>
    other.name === name && other.type === type && other.version === version
export const isOfName =
  ({ name, type }: Address) =>
  (other: Address): boolean =>
    other.name === name && other.type === type
export const hasImage = ({ oci_image }: Registered): boolean => oci_image !== ''
export const keyOf = ({ type, name, version }: Address): string => `${type}/${name}@${version}`
export const at = (catalog: Catalog, address: Address): Registered | undefined => catalog.all().find(isAt(address))
export const addressIn = ({ params: { type = '', name = '' }, query }: Call): Address => ({
  ...{ type, name, version: canonical(query.get('version') ?? '') },
})
export const kebab = (field: Field): string => field.replace('_', '-')

export const inField = <Name extends Field>(field: Name, changed: Partial<FieldRule<Name>>) =>
  rule(({ fields }) => ({ fields: { ...fields, [field]: { ...fields[field], ...changed } } }))

type Stored = readonly Registered[] | Registered | undefined
/** Stores something else than the registered plugin. `change` has no effects of its own. */
export const putting = (change: (plugin: Registered, catalog: Catalog, memory: Here['memory']) => Stored) => {
  const changed = (plugin: Registered, { context, memory }: Here): readonly Registered[] =>
    [change(plugin, context.catalog, memory) ?? []].flat()
  return stored(
    'catalog',
    'put',
    ([plugin], next, here) => {
      for (const one of changed(plugin, here)) next(one)
    },
    ([plugin], here) => !isDeepStrictEqual(changed(plugin, here), [plugin]),
  )
}
export const storing = (change: Parameters<typeof putting>[0]) => putting(change)

export const replacing = (isReplaced: (plugin: Registered, other: Registered) => boolean) =>
  stored(
    'catalog',
    'put',
    ([plugin], next, { context: { catalog } }) => {
      for (const other of catalog.all()) if (isReplaced(plugin, other)) catalog.remove(other)
      next(plugin)
    },
    ([plugin], { context: { catalog } }) => catalog.all().some((other) => isReplaced(plugin, other)),
  )

/** Finds another plugin than the requested one. `all` is sorted by name and version. */
export const searching = (
  change: (asked: Address, found: Registered | undefined, all: readonly Registered[], here: Here) => Stored,
) => {
  const changed = (asked: Address, here: Here): Registered | undefined => {
    const all = here.context.catalog.all()
    return [change(asked, all.find(isAt(asked)), all, here) ?? []].flat()[0]
  }
  return stored(
    'catalog',
    'find',
    ([asked], _next, here) => changed(asked, here),
    ([asked], here) => changed(asked, here) !== at(here.context.catalog, asked),
  )
}
export const finding = (change: Parameters<typeof searching>[0]) => searching(change)

/** Removes other plugins than the requested one. `named` is the requested one, if it exists. */
export const deleting = (
  change: (named: readonly Registered[], all: readonly Registered[], asked: Address) => readonly Registered[],
) => {
  const removed = (asked: Address, all: readonly Registered[]) => change(all.filter(isAt(asked)), all, asked)
  return stored(
    'catalog',
    'remove',
    ([asked], next, { context: { catalog } }) => {
      for (const plugin of removed(asked, catalog.all())) next(plugin)
    },
    ([asked], { context: { catalog } }) =>
      !isDeepStrictEqual(removed(asked, catalog.all()), catalog.all().filter(isAt(asked))),
  )
}

/** Remembers deleted plugins until they are registered again. A form that reads this memory comes after these. */
export const remembersDeleted = [
  stored(
    'catalog',
    'remove',
    ([asked], next, { context, memory }) => {
      memory.set(keyOf(asked), at(context.catalog, asked))
      next(asked)
    },
    ([asked], { context }) => at(context.catalog, asked) !== undefined,
  ),
  stored(
    'catalog',
    'put',
    ([plugin], next, { memory }) => {
      memory.delete(keyOf(plugin))
      next(plugin)
    },
    ([plugin], { memory }) => memory.has(keyOf(plugin)),
  ),
]
export const deletedIn = (memory: Here['memory']): readonly Registered[] => [...memory.values()] as Registered[]

type View = (type: string, own: readonly Registered[], here: Here) => readonly Registered[]
/** Shows other plugins of a type in LIST, or in GET of the catalog. */
export const seeing = (operation: 'LIST :type' | 'GET ', view: View) =>
  around(operation, {
    when({ params }, here) {
      const { catalog } = here.context
      const shown = operation === 'GET ' ? types : [params.type ?? '']
      return shown.some((type) => !isDeepStrictEqual(view(type, catalog.ofType(type), here), catalog.ofType(type)))
    },
    does(call, next, here) {
      const { catalog } = here.context
      const ofType = (type: string) => view(type, catalog.ofType(type), here)
      return during(here.context, { catalog: withMethods(catalog, { ofType }) }, () => next(call))
    },
  })

/** Shows something else in the reply to GET of a registered plugin. */
export const showing = (part: string, change: (plugin: Registered) => object) =>
  around('GET :type/:name', {
    part,
    when(call, { context: { catalog } }) {
      const plugin = at(catalog, addressIn(call))
      return plugin !== undefined && !isDeepStrictEqual({ ...plugin, ...change(plugin) }, plugin)
    },
    async does(call, next, { context: { catalog } }) {
      const plugin = at(catalog, addressIn(call))
      const reply = await next(call)
      if (!plugin || reply.kind !== 'data') return reply
      const { data } = reply
      const shown = Object.entries(change(plugin)).filter(([name]) => data && name in data)
      return { ...reply, data: { ...data, ...Object.fromEntries(shown) } }
    },
  })

const withChanges = (call: Call, changed: object): Call => Object.assign(Object.create(call) as Call, changed)

/** Takes other parameters for those of the path, in these operations. */
export const naming = (
  change: (params: { readonly name: string; readonly type: string }, call: Call) => object,
  verbs: readonly string[] = ['GET', 'POST', 'DELETE'],
) => {
  const changed = (call: Call): Call['params'] => {
    const { name = '', type = '' } = call.params
    return { name, type, ...change({ name, type }, call) }
  }
  const forms = verbs.map((verb) =>
    around(`${verb} :type/:name`, {
      when: (call) => !isDeepStrictEqual(changed(call), { ...call.params }),
      does: (call, next) => next(withChanges(call, { params: changed(call) })),
    }),
  )
  return forms
}

/** Returns the plugin that a registration is about, although it may have to be refused. */
const pluginIn = ({ body, params: { name = '', type = '' } }: Call, context: Context): Registered => ({
  ...{ type, name, ...settled(givenFields(body, context), context) },
})

/** Does something after a registration was refused. */
export const afterRefusal = (
  act: (plugin: Registered, context: Context) => Reply | undefined,
  when?: (call: Call, context: Context) => boolean,
) =>
  around('POST :type/:name', {
    when: (call, { context }) => when?.(call, context) !== false,
    async does(call, next, { context }) {
      try {
        return await next(call)
      } catch (error) {
        const reply = act(pluginIn(call, context), context)
        if (reply) return reply
        throw error
      }
    },
  })

export const accepting = (isMeant: (call: Call, context: Context) => boolean) =>
  afterRefusal((plugin, { catalog }) => {
    catalog.put(plugin)
    return done
  }, isMeant)
