/** Faults of the editions and versions that have the endpoints, of refusals, and of names. */

import { tryDocument } from '../../engines/policies/documents.ts'
import { pathsIn } from '../../engines/policies/handlers.ts'
import { isLevel } from '../../engines/policies/rules.ts'
import { type Fields, type Kind, kinds } from '../../engines/policies/store.ts'
import { done, type Edition } from '../../kernel/contracts.ts'
import { Refusal } from '../../kernel/http/refusal.ts'
import { droppingOthers } from '../lost-writes.ts'
import { textIn } from './each-kind.ts'
import {
  type Asked,
  after,
  afterRefusal,
  fault,
  faults,
  governingKinds,
  type Here,
  inEffect,
  inKind,
  namesakes,
  type Operation,
  on,
  parsed,
  rule,
  setPast,
} from './policy-operations.ts'

const servedOn = (id: string, kind: Kind, edition: Edition) =>
  fault(
    id,
    `The ${kind.toUpperCase()} endpoints are served in the ${edition} edition.`,
    inKind(kind, ({ editions }) => ({ editions: [...editions, edition] })),
  )

const absentOn = (edition: Edition) =>
  fault(
    `acl-absent-on-${edition}`,
    `The ACL policy endpoints are not served in the ${edition} edition.`,
    inKind('acl', ({ editions }) => ({ editions: editions.filter((each) => each !== edition) })),
  )
const since = (version: string) => kinds.map((kind) => inKind(kind, () => ({ since: version })))

const naming = (nameFrom: (inUrl: string) => string) => rule({ nameFrom })

/** Returns the fields of a write as far as they are valid. */
function asItStands({ call, kind }: Asked, { context }: Here): Fields {
  const { body } = call
  const level = typeof body.enforcement_level === 'string' ? body.enforcement_level : ''
  let paths: readonly string[] | undefined
  try {
    paths = pathsIn(body, context.rules.paths)
  } catch {}
  return {
    policy: textIn(call),
    enforcement_level: (kind === 'acl' ? '' : level) as Fields['enforcement_level'],
    paths: kind === 'egp' ? (paths ?? []) : [],
  }
}
const onRefusal = (act: (what: Asked, here: Here) => void) => kinds.map((kind) => afterRefusal(kind, act))

/** Names are stored in lower case, and one operation compares them exactly. */
const mindsCapitals = (operation: Operation, does: Parameters<typeof on>[3]) =>
  kinds.map((kind) => on(operation, kind, ({ call, name }) => call.params.name !== name, does))

export const serviceFaults = [
  ...faults({
    'delete-of-a-missing-name-reaches-other-kinds':
      'Deleting a name that no policy of the kind has deletes the policies of the other kinds with that name.',
    'served-before-0-9': 'The policy endpoints are served before version 0.9.0.',
    'absent-at-0-9-0': 'The policy endpoints are not served in version 0.9.0 itself, only in later ones.',
    'refused-write-is-kept': 'A write that is refused for a missing or invalid field is stored as it was sent.',
    'refused-create-takes-effect': 'An RGP or EGP whose creation was refused is in effect, although no read shows it.',
    'refused-update-ends-the-effect': 'A refused update keeps the text of the policy but ends its effect.',
    'refused-update-takes-effect': 'The text of a refused update takes effect, although reads show the earlier text.',
    'refused-update-keeps-its-level':
      'An update that is refused for another field still changes the enforcement_level if it has a valid one.',
    'long-names-are-cut': 'Names are cut after 120 characters.',
    'one-of-two-simultaneous-writes-is-dropped':
      'A write that arrives while another policy of the same kind is written succeeds, but nothing is stored.',
    'names-are-cut': 'Names are cut after 40 characters.',
    'names-lose-underscores': 'Names that differ only in `_` and `-` are the same.',
    'names-end-at-a-dot': 'The last dot of a name and everything after it are ignored.',
    'read-minds-capitals': 'Names are stored in lower case, but read compares the name in the URL case-sensitively.',
    'delete-minds-capitals':
      'Names are stored in lower case, but delete compares the name in the URL case-sensitively.',
    'tokens-alone-lose-capitals':
      'Policies keep the capitals of their names, but tokens have these names in lower case.',
    'update-reaches-every-kind':
      'A write also changes the text of existing policies of the other kinds with the same name.',
    'delete-reaches-every-kind': 'A deletion also deletes the policies of the other kinds with the same name.',
  }).by({
    'delete-of-a-missing-name-reaches-other-kinds': kinds.map((kind) =>
      after(
        'remove',
        kind,
        (what, here) => !what.found && namesakes(what, here).length > 0,
        (what, here) => removeAll(what, here),
      ),
    ),
    'served-before-0-9': since('0.0.0'),
    'absent-at-0-9-0': since('0.9.1'),
    'refused-write-is-kept': onRefusal((what, here) => {
      const { context } = here
      context.store.put(parsed(what.kind, { ...asItStands(what, here), name: what.name }, context))
    }),
    'refused-create-takes-effect': governingKinds.flatMap((kind) => [
      ...inEffect(kind, ({ state, now }) => (state === 'refused' ? [now] : undefined)),
      afterRefusal(kind, (what, here) => {
        const { found, name } = what
        if (!found) setPast({ kind, name, state: 'refused', now: asItStands(what, here), nth: 0 }, here)
      }),
    ]),
    'refused-update-ends-the-effect': onRefusal(({ found }, { context }) => {
      const { acl, rules, ...rest } = found ?? {}
      if (found) context.store.put(rest as typeof found)
    }),
    'refused-update-takes-effect': onRefusal(({ call, found, kind }, { context }) => {
      const { policy } = call.body
      if (found && typeof policy === 'string' && policy !== '') {
        const { acl, rules, ...rest } = found
        context.store.put({ ...rest, ...tryDocument(kind, policy, context.language) })
      }
    }),
    'refused-update-keeps-its-level': onRefusal(({ call, found, kind }, { context }) => {
      const { enforcement_level: level } = call.body
      if (found && kind !== 'acl' && typeof level === 'string' && isLevel(level))
        context.store.put({ ...found, enforcement_level: level })
    }),
    'long-names-are-cut': naming((name) => name.toLowerCase().slice(0, 120)),
    'one-of-two-simultaneous-writes-is-dropped': kinds.map((kind) =>
      on(
        'write',
        kind,
        () => true,
        (_, next, { context }) => droppingOthers(context.store.all(kind), next, () => done),
      ),
    ),
    'names-are-cut': naming((name) => name.toLowerCase().slice(0, 40)),
    'names-lose-underscores': naming((name) => name.toLowerCase().replaceAll('_', '-')),
    'names-end-at-a-dot': naming((name) => name.toLowerCase().replace(/\.[^.]*$/, '')),
    'read-minds-capitals': mindsCapitals('read', () => {
      throw new Refusal('not-found')
    }),
    'delete-minds-capitals': mindsCapitals('remove', () => done),
    'tokens-alone-lose-capitals': naming((name) => name),
    'update-reaches-every-kind': kinds.map((kind) =>
      after(
        'write',
        kind,
        (what, here) => namesakes(what, here).length > 0,
        (what, here) => {
          const { store } = here.context
          const policy = store.find(kind, what.name)?.policy
          for (const other of namesakes(what, here)) if (policy !== undefined) store.put({ ...other, policy })
        },
      ),
    ),
    'delete-reaches-every-kind': kinds.map((kind) =>
      after('remove', kind, (what, here) => namesakes(what, here).length > 0, removeAll),
    ),
  }),
  servedOn('rgp-on-community', 'rgp', 'community'),
  servedOn('rgp-on-enterprise', 'rgp', 'enterprise'),
  servedOn('egp-on-community', 'egp', 'community'),
  servedOn('egp-on-enterprise', 'egp', 'enterprise'),
  absentOn('community'),
  absentOn('enterprise'),
]

function removeAll(what: Asked, here: Here): void {
  for (const other of namesakes(what, here)) here.context.store.remove(other.kind, other.name)
}
