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

const naming = (id: string, does: string, nameFrom: (inUrl: string) => string) => fault(id, does, rule({ nameFrom }))

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
const onRefusal = (id: string, does: string, act: (what: Asked, here: Here) => void) =>
  fault(id, does, ...kinds.map((kind) => afterRefusal(kind, act)))

/** Names are stored in lower case, and one operation compares them exactly. */
const mindsCapitals = (operation: Operation, does: Parameters<typeof on>[3]) =>
  kinds.map((kind) => on(operation, kind, ({ call, name }) => call.params.name !== name, does))

export const serviceFaults = [
  servedOn('rgp-on-community', 'rgp', 'community'),
  servedOn('rgp-on-enterprise', 'rgp', 'enterprise'),
  servedOn('egp-on-community', 'egp', 'community'),
  servedOn('egp-on-enterprise', 'egp', 'enterprise'),
  fault(
    'delete-of-a-missing-name-reaches-other-kinds',
    'Deleting a name that no policy of the kind has deletes the policies of the other kinds with that name.',
    ...kinds.map((kind) =>
      after(
        'remove',
        kind,
        (what, here) => !what.found && namesakes(what, here).length > 0,
        (what, here) => removeAll(what, here),
      ),
    ),
  ),
  absentOn('community'),
  absentOn('enterprise'),
  fault('served-before-0-9', 'The policy endpoints are served before version 0.9.0.', ...since('0.0.0')),
  fault(
    'absent-at-0-9-0',
    'The policy endpoints are not served in version 0.9.0 itself, only in later ones.',
    ...since('0.9.1'),
  ),
  onRefusal(
    'refused-write-is-kept',
    'A write that is refused for a missing or invalid field is stored as it was sent.',
    (what, here) => {
      const { context } = here
      context.store.put(parsed(what.kind, { ...asItStands(what, here), name: what.name }, context))
    },
  ),
  fault(
    'refused-create-takes-effect',
    'An RGP or EGP whose creation was refused is in effect, although no read shows it.',
    ...governingKinds.flatMap((kind) => [
      ...inEffect(kind, ({ state, now }) => (state === 'refused' ? [now] : undefined)),
      afterRefusal(kind, (what, here) => {
        const { found, name } = what
        if (!found) setPast({ kind, name, state: 'refused', now: asItStands(what, here), nth: 0 }, here)
      }),
    ]),
  ),
  onRefusal(
    'refused-update-ends-the-effect',
    'A refused update keeps the text of the policy but ends its effect.',
    ({ found }, { context }) => {
      const { acl, rules, ...rest } = found ?? {}
      if (found) context.store.put(rest as typeof found)
    },
  ),
  onRefusal(
    'refused-update-takes-effect',
    'The text of a refused update takes effect, although reads show the earlier text.',
    ({ call, found, kind }, { context }) => {
      const { policy } = call.body
      if (found && typeof policy === 'string' && policy !== '') {
        const { acl, rules, ...rest } = found
        context.store.put({ ...rest, ...tryDocument(kind, policy, context.language) })
      }
    },
  ),
  onRefusal(
    'refused-update-keeps-its-level',
    'An update that is refused for another field still changes the enforcement_level if it has a valid one.',
    ({ call, found, kind }, { context }) => {
      const { enforcement_level: level } = call.body
      if (found && kind !== 'acl' && typeof level === 'string' && isLevel(level))
        context.store.put({ ...found, enforcement_level: level })
    },
  ),
  naming('long-names-are-cut', 'Names are cut after 120 characters.', (name) => name.toLowerCase().slice(0, 120)),
  fault(
    'one-of-two-simultaneous-writes-is-dropped',
    'A write that arrives while another policy of the same kind is written succeeds, but nothing is stored.',
    ...kinds.map((kind) =>
      on(
        'write',
        kind,
        () => true,
        (_, next, { context }) => droppingOthers(context.store.all(kind), next, () => done),
      ),
    ),
  ),
  naming('names-are-cut', 'Names are cut after 40 characters.', (name) => name.toLowerCase().slice(0, 40)),
  naming('names-lose-underscores', 'Names that differ only in `_` and `-` are the same.', (name) =>
    name.toLowerCase().replaceAll('_', '-'),
  ),
  naming('names-end-at-a-dot', 'The last dot of a name and everything after it are ignored.', (name) =>
    name.toLowerCase().replace(/\.[^.]*$/, ''),
  ),
  fault(
    'read-minds-capitals',
    'Names are stored in lower case, but read compares the name in the URL case-sensitively.',
    ...mindsCapitals('read', () => {
      throw new Refusal('not-found')
    }),
  ),
  fault(
    'delete-minds-capitals',
    'Names are stored in lower case, but delete compares the name in the URL case-sensitively.',
    ...mindsCapitals('remove', () => done),
  ),
  naming(
    'tokens-alone-lose-capitals',
    'Policies keep the capitals of their names, but tokens have these names in lower case.',
    (name) => name,
  ),
  fault(
    'update-reaches-every-kind',
    'A write also changes the text of existing policies of the other kinds with the same name.',
    ...kinds.map((kind) =>
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
  ),
  fault(
    'delete-reaches-every-kind',
    'A deletion also deletes the policies of the other kinds with the same name.',
    ...kinds.map((kind) => after('remove', kind, (what, here) => namesakes(what, here).length > 0, removeAll)),
  ),
]

function removeAll(what: Asked, here: Here): void {
  for (const other of namesakes(what, here)) here.context.store.remove(other.kind, other.name)
}
