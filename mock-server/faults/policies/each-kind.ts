/** Faults that any kind of policy can have. */
import { decodeDocument } from '../../engines/policies/documents.ts'
import { policyIn, shown } from '../../engines/policies/handlers.ts'
import { isLevel } from '../../engines/policies/rules.ts'
import type { Kind, Policy } from '../../engines/policies/store.ts'
import { type Call, done } from '../../kernel/contracts.ts'
import { during } from '../with-methods.ts'
import {
  type Asked,
  accepting,
  after,
  faults,
  type Here,
  inEffect,
  inEffectWhen,
  inKind,
  listing,
  nounOf,
  on,
  type Past,
  parsed,
  pastOf,
  pastsOf,
  remembers,
  withData,
  withName,
  writing,
} from './policy-operations.ts'

/** A document without any effect. */
export const harmless = (kind: Kind): string => (kind === 'acl' ? '# nothing' : 'main = rule { true }')

const isMissing = ({ call }: Asked): boolean => call.body.policy === undefined || call.body.policy === ''
const firstText = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.values(value).find((one) => typeof one === 'string')
    : undefined

/** Returns the document of a write, decoded, or '' if it has none. */
export const textIn = ({ body }: Call): string => {
  try {
    return policyIn(body, ['base64']) ?? ''
  } catch {
    return ''
  }
}
const isEncoded = (text: unknown): text is string =>
  typeof text === 'string' && decodeDocument(text, ['base64']) !== text

/** Writes a document without decoding it. */
export const undecoded = (kind: Kind, isMeant: (what: Asked) => boolean) =>
  on(
    'write',
    kind,
    (what) => isEncoded(what.call.body.policy) && isMeant(what),
    (_, next, { context }) => {
      const { rules } = context
      const kinds = { ...rules.kinds, [kind]: { ...rules.kinds[kind], encodings: [] } }
      return during(context, { rules: { ...rules, kinds } }, next)
    },
  )

const longerName = ({ kind, name }: Asked, { context }: Here): Policy | undefined =>
  context.store
    .all(kind)
    .filter((policy) => policy.name.startsWith(name))
    .at(-1)

/** Shows another policy than the one that GET asks for. */
const showing = (kind: Kind, other: (what: Asked, here: Here) => Policy | undefined) =>
  on(
    'read',
    kind,
    (what, here) => other(what, here) !== undefined,
    (what, next, here) => {
      const policy = other(what, here)
      return policy ? { kind: 'data', data: shown(policy, kind, here.context) } : next()
    },
  )

const stateOf = ({ kind, name }: Asked, here: Here): Past['state'] | undefined => pastOf(kind, name, here)?.state

/** Leaves out of a list the policies of which the last event is `state`. */
const unlisted = (kind: Kind, state: Past['state']) => {
  const isHidden = (name: string, here: Here): boolean => pastOf(kind, name, here)?.state === state
  return [
    ...remembers(kind),
    listing(
      kind,
      ({ keys, name_path_map: map }, here) => ({
        keys: keys.filter((name) => !isHidden(name, here)),
        ...(map && {
          name_path_map: Object.fromEntries(Object.entries(map).filter(([name]) => !isHidden(name, here))),
        }),
      }),
      (here) => pastsOf(kind, here).some((past) => past.state === state),
    ),
  ]
}
/** Names deleted policies in a list as well. */
const listsDeleted = (kind: Kind, isListed: (past: Past) => boolean) => {
  const isMeant = (past: Past): boolean => past.state === 'deleted' && isListed(past)
  return [
    ...remembers(kind),
    listing(
      kind,
      ({ keys }, here) => ({
        keys: [
          ...keys,
          ...pastsOf(kind, here)
            .filter(isMeant)
            .map(({ name }) => name),
        ],
      }),
      (here) => pastsOf(kind, here).some(isMeant),
    ),
  ]
}

/** Returns the faults that any kind of policy can have. */
export const faultsOfKind = (kind: Kind) => {
  const noun = nounOf[kind]
  const another = kind === 'egp' ? 'rgp' : 'egp'
  return [
    ...faults({
      [`${kind}-read-omits-policy`]: `The reply to GET of ${noun} lacks the field policy.`,
      [`${kind}-read-takes-a-longer-name`]: `GET of ${noun} returns the last policy of that kind whose name begins with the requested name.`,
      [`${kind}-list-omits`]: `The keys in the reply to LIST do not include ${noun} that was written through the API.`,
      [`${kind}-list-names-25-at-most`]: `The keys in the reply to LIST of ${kind.toUpperCase()} policies are cut after the first 25.`,
      [`${kind}-list-keeps-deleted`]: `The keys in the reply to LIST still include ${noun} that was deleted.`,
      [`${kind}-delete-keeps-reading`]: `GET still returns ${noun} that was deleted; its list entry and its effect are gone.`,
      [`${kind}-body-name-wins`]: `If the body of a write of ${noun} has a field name, it decides which policy is written, not the URL.`,
      [`${kind}-written-twice-is-removed`]: `Writing ${noun} again without any change succeeds, but removes it.`,
      [`${kind}-policy-optional`]: `Creating ${noun} without the field policy succeeds and stores an empty text.`,
      [`${kind}-update-keeps-missing-policy`]: `Updating ${noun} without the field policy succeeds and keeps the earlier text.`,
      [`${kind}-second-update-ignored`]: `From the second update on, the previous text of ${noun} stays in effect.`,
      [`${kind}-created-again-acts-as-before`]: `When ${noun} is created again after its deletion, the text from before the deletion is in effect.`,
      [`${kind}-update-keeps-policy`]: `An update of ${noun} succeeds, but the earlier text stays stored and in effect.`,
      [`${kind}-base64-is-not-decoded`]: `The document of ${noun} is not decoded from base64, and is therefore refused as unparsable.`,
      [`${kind}-base64-of-an-update-is-not-decoded`]: `The document of ${noun} is decoded from base64 on creation, but not on an update.`,
      [`${kind}-base64-is-read-as-latin1`]: `The document of ${noun} is decoded from base64 as Latin-1, not as UTF-8.`,
      [`${kind}-policy-in-an-object-is-taken`]: `A write of ${noun} accepts an object that contains the document instead of the document.`,
      [`${kind}-deleted-text-comes-back`]: `GET of ${noun} that was deleted and created again returns the text from before the deletion.`,
      [`${kind}-name-in-the-body-stores-nothing`]: `A write of ${noun} with a field name in the body succeeds, but nothing is stored.`,
      [`${kind}-delete-takes-longer-names`]: `Deleting ${noun} also deletes the policies of its kind whose names begin with its name.`,
      [`${kind}-deletion-outlives-creation`]: `When ${noun} is created again after its deletion, it is stored but has no effect.`,
      [`${kind}-delete-takes-back-an-update`]: `Deleting ${noun} that was updated restores the version from before the update.`,
      [`${kind}-deleted-acts-as-before-its-update`]: `After ${noun} was updated and deleted, its first version is in effect.`,
      [`${kind}-list-keeps-what-was-deleted-twice`]: `A LIST still names ${noun} that was deleted, created again and deleted again.`,
      [`${kind}-read-falls-to-another-kind`]: `GET of ${noun} that does not exist returns the policy of another kind with the same name.`,
      [`${kind}-second-deletion-ignored`]: `Deleting ${noun} that was deleted before and created again succeeds, but the policy is kept.`,
      [`${kind}-updated-outlives-its-deletion`]: `After ${noun} was updated and deleted, its last version stays in effect.`,
      [`${kind}-list-omits-updated`]: `A LIST leaves out ${noun} that was updated.`,
      [`${kind}-list-omits-created-again`]: `A LIST leaves out ${noun} that was deleted and created again.`,
      [`${kind}-list-names-another-kind`]: `A LIST that should name only policies of the kind of ${noun} also names policies of another kind.`,
    }).by({
      [`${kind}-read-omits-policy`]: inKind(kind, ({ shown: fields }) => ({
        shown: fields.filter((field) => field !== 'policy'),
      })),
      [`${kind}-read-takes-a-longer-name`]: showing(kind, (what, here) => {
        const other = longerName(what, here)
        return other === what.found ? undefined : other
      }),
      [`${kind}-list-omits`]: listing(kind, ({ keys }, { context }) => ({
        // A list of EGPs without keys would be a 404, and other faults are about its name_path_map.
        keys:
          kind === 'egp'
            ? keys.slice(0, 1).map(() => 'withheld')
            : keys.filter((name) => context.store.find(kind, name)?.builtIn),
      })),
      [`${kind}-list-names-25-at-most`]: listing(
        kind,
        ({ keys }) => ({ keys: keys.slice(0, 25) }),
        ({ context }) => context.store.all(kind).length > 25,
      ),
      [`${kind}-list-keeps-deleted`]: listsDeleted(kind, () => true),
      [`${kind}-delete-keeps-reading`]: [
        remembers(kind),
        showing(kind, ({ name }, here) => {
          const past = pastOf(kind, name, here)
          return past?.state === 'deleted' ? parsed(kind, { ...past.now, name }, here.context) : undefined
        }),
      ],
      [`${kind}-body-name-wins`]: on(
        'write',
        kind,
        ({ call }) => typeof call.body.name === 'string',
        ({ call }, next) => next(withName(call, String(call.body.name))),
      ),
      [`${kind}-written-twice-is-removed`]: on(
        'write',
        kind,
        ({ found }) => found !== undefined,
        async ({ found, name }, next, { context }) => {
          const reply = await next()
          const now = context.store.find(kind, name)
          const isAlike =
            now?.policy === found?.policy &&
            now?.enforcement_level === found?.enforcement_level &&
            now?.paths.join() === found?.paths.join()
          if (isAlike) context.store.remove(kind, name)
          return reply
        },
      ),
      [`${kind}-policy-optional`]: accepting(
        kind,
        (what) => !what.found && isMissing(what),
        () => ({ policy: harmless(kind) }),
        () => ({ policy: '' }),
      ),
      [`${kind}-update-keeps-missing-policy`]: writing(
        kind,
        (what) => what.found !== undefined && isMissing(what),
        ({ found }) => ({ policy: found?.policy }),
      ),
      [`${kind}-second-update-ignored`]: inEffectWhen(kind, 'updated', ({ before, now, nth }) => [
        (nth > 2 && before) || now,
      ]),
      [`${kind}-created-again-acts-as-before`]: inEffectWhen(kind, 'recreated', ({ before }) => [before ?? []].flat()),
      [`${kind}-update-keeps-policy`]: writing(
        kind,
        (what) => what.found !== undefined && textIn(what.call) !== '',
        ({ found }) => ({ policy: found?.policy }),
      ),
      [`${kind}-base64-is-not-decoded`]: undecoded(kind, () => true),
      [`${kind}-base64-of-an-update-is-not-decoded`]: undecoded(kind, ({ found }) => found !== undefined),
      [`${kind}-base64-is-read-as-latin1`]: writing(
        kind,
        ({ call }) => isEncoded(call.body.policy),
        ({ call }) => ({ policy: Buffer.from(String(call.body.policy), 'base64').toString('latin1') }),
      ),
      [`${kind}-policy-in-an-object-is-taken`]: writing(
        kind,
        ({ call }) => firstText(call.body.policy) !== undefined,
        ({ call }) => ({ policy: firstText(call.body.policy) }),
      ),
      [`${kind}-deleted-text-comes-back`]: [
        remembers(kind),
        on(
          'read',
          kind,
          (what, here) => stateOf(what, here) === 'recreated',
          async ({ name }, next, here) =>
            withData(await next(), (data) => ({ ...data, policy: pastOf(kind, name, here)?.before?.policy })),
        ),
      ],
      [`${kind}-name-in-the-body-stores-nothing`]: on(
        'write',
        kind,
        ({ call }) => call.body.name !== undefined,
        () => done,
      ),
      [`${kind}-delete-takes-longer-names`]: after(
        'remove',
        kind,
        ({ name }, { context }) =>
          context.store.all(kind).some((policy) => policy.name !== name && policy.name.startsWith(name)),
        ({ name }, { context: { store } }) => {
          for (const policy of store.all(kind).filter((one) => !one.builtIn && one.name.startsWith(name)))
            store.remove(kind, policy.name)
        },
      ),
      [`${kind}-deletion-outlives-creation`]: inEffectWhen(kind, 'recreated', () => []),
      [`${kind}-delete-takes-back-an-update`]: [
        remembers(kind),
        on(
          'remove',
          kind,
          (what, here) => stateOf(what, here) === 'updated',
          async ({ name }, next, here) => {
            const before = pastOf(kind, name, here)?.before
            const reply = await next()
            if (before) here.context.store.put(parsed(kind, { ...before, name }, here.context))
            return reply
          },
        ),
      ],
      [`${kind}-deleted-acts-as-before-its-update`]: inEffectWhen(kind, 'deleted', ({ before }) =>
        [before ?? []].flat(),
      ),
      [`${kind}-list-keeps-what-was-deleted-twice`]: listsDeleted(
        kind,
        ({ before, nth }) => before !== undefined && nth === 1,
      ),
      [`${kind}-read-falls-to-another-kind`]: showing(kind, ({ found, name }, { context }) =>
        found ? undefined : context.store.find(another, name),
      ),
      [`${kind}-second-deletion-ignored`]: [
        remembers(kind),
        on(
          'remove',
          kind,
          (what, here) => stateOf(what, here) === 'recreated',
          ({ found }, _, { context }) => {
            // This is an update, so the next deletion removes the policy.
            if (found) context.store.put(found)
            return done
          },
        ),
      ],
      [`${kind}-updated-outlives-its-deletion`]: inEffectWhen(kind, 'deleted', ({ before, now }) =>
        before ? [now] : [],
      ),
      [`${kind}-list-omits-updated`]: unlisted(kind, 'updated'),
      [`${kind}-list-omits-created-again`]: unlisted(kind, 'recreated'),
      [`${kind}-list-names-another-kind`]: listing(
        kind,
        ({ keys }, { context }) => ({ keys: [...keys, ...context.store.all(another).map(({ name }) => name)] }),
        ({ context }) => context.store.all(another).length > 0,
      ),
    }),
    ...(kind === 'acl' ? [] : lags(kind)),
  ]
}

const lags = (kind: 'rgp' | 'egp') =>
  faults({
    [`${kind}-created-again-keeps-level`]: `An ${kind.toUpperCase()} that is created again has the level from before its deletion.`,
    [`${kind}-create-lags`]: `A new ${kind.toUpperCase()} has no effect until it has been written a second time.`,
    [`${kind}-update-lags`]: `After an update of an ${kind.toUpperCase()}, its previous version stays in effect.`,
    [`${kind}-delete-lags`]: `A deleted ${kind.toUpperCase()} stays in effect.`,
  }).by({
    [`${kind}-created-again-keeps-level`]: [
      remembers(kind),
      writing(
        kind,
        (what, here) => stateOf(what, here) === 'deleted' && isLevel(String(what.call.body.enforcement_level)),
        ({ name }, here) => ({ enforcement_level: pastOf(kind, name, here)?.now.enforcement_level }),
      ),
    ],
    [`${kind}-create-lags`]: inEffectWhen(kind, 'created', () => []),
    [`${kind}-update-lags`]: inEffectWhen(kind, 'updated', ({ before }) => [before ?? []].flat()),
    [`${kind}-delete-lags`]: inEffect(kind, ({ state, now }) => (state === 'deleted' ? [now] : undefined)),
  })
