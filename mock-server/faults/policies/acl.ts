/** Faults of ACL policies. */
import { type Acl, rootAcl } from '../../kernel/acl/compile.ts'
import type { Token } from '../../kernel/contracts.ts'
import { isAcl } from '../kernel/index.ts'
import { textIn } from './each-kind.ts'
import {
  faults,
  type Here,
  inEffectWhen,
  isOfLogin,
  namesOn,
  noting,
  ofKernel,
  on,
  type Past,
  pastOf,
  remembers,
  withData,
  writing,
} from './policy-operations.ts'

const grantNothing: Acl = {
  check: () => ({ allowed: false, sudo: false, reason: 'a policy of this token was deleted' }),
  capabilities: () => ['deny'],
  reaches: () => false,
}

/** A set of names on tokens, and the last ACL that such tokens had. */
interface NameSet {
  readonly names: readonly string[]
  readonly isOfLogin: boolean
  acl?: unknown
  /** True if a change of a policy does not reach the set. */
  isStale?: boolean
}

const keyOf = (token: Token, here: Here): string =>
  ['set', isOfLogin(token), token.entityId, ...namesOn(token, here)].join('\n')
const staleAcl = (token: Token, here: Here): Acl | undefined => {
  const known = here.memory.get(keyOf(token, here)) as NameSet | undefined
  return known?.isStale && isAcl(known.acl) ? known.acl : undefined
}

/** The change of an ACL policy by one kind of event does not reach some of the tokens that were used before. */
const missing = (state: Past['state'], spared: (having: readonly NameSet[]) => readonly NameSet[]) => {
  function changed(name: string, here: Here): void {
    const sets = [...here.memory.values()].filter((one) => (one as NameSet).names?.includes(name)) as NameSet[]
    const stale = pastOf('acl', name, here)?.state === state ? spared(sets) : []
    for (const set of sets) set.isStale = stale.includes(set)
  }
  return [
    noting('access', 'forget', ([name], here) => {
      if (name !== undefined) changed(name, here)
    }),
    ...remembers('acl'),
    ofKernel(
      'access',
      'aclOf',
      ([token], next, here) => {
        const acl = next(token)
        const key = keyOf(token, here)
        const known = here.memory.get(key) as NameSet | undefined
        if (!known) here.memory.set(key, { names: namesOn(token, here), isOfLogin: isOfLogin(token), acl })
        else if (!known.isStale) known.acl = acl
        return acl
      },
      { remembers: true },
    ),
    ofKernel('access', 'aclOf', ([token], next, here) => staleAcl(token, here) ?? next(token), {
      when: ([token], here) => staleAcl(token, here) !== undefined,
    }),
  ]
}
const every = (sets: readonly NameSet[]): readonly NameSet[] => sets
const allButOne = (sets: readonly NameSet[]): readonly NameSet[] => sets.slice(1)

/** Tokens with the name of a policy in this state have another ACL. */
const withAclAfter = (state: Past['state'], acl: Acl, isMeant: (names: readonly string[]) => boolean = () => true) => {
  const isChanged = (token: Token, here: Here): boolean => {
    const names = namesOn(token, here)
    return !names.includes('root') && isMeant(names) && names.some((name) => pastOf('acl', name, here)?.state === state)
  }
  return [
    ...remembers('acl'),
    ofKernel('access', 'aclOf', ([token], next, here) => (isChanged(token, here) ? acl : next(token)), {
      when: ([token], here) => isChanged(token, here),
    }),
  ]
}

/** Changes the text of a policy before it is stored. */
const texts = (change: (text: string) => string) =>
  writing(
    'acl',
    ({ call }) => change(textIn(call)) !== textIn(call),
    ({ call }) => ({ policy: change(textIn(call)) }),
  )

/** Cuts a text after the last rule that ends before `end`. A text that is cut within a rule would be refused. */
const rulesWithin = (text: string, end: number): string =>
  end < 0 || text.length <= end ? text : text.slice(0, text.lastIndexOf('}', end - 1) + 1)

export const aclFaults = faults({
  'acl-read-cuts-long-texts': 'GET of an ACL policy shows at most 32,768 characters of its text.',
  'acl-create-lags': 'A new ACL policy has no effect on tokens that were already used, until it is written again.',
  'acl-update-lags': 'The update of an ACL policy has no effect on tokens that were already used.',
  'acl-delete-lags': 'The deletion of an ACL policy has no effect on tokens that were already used.',
  'acl-update-adds-rules': 'After an update of an ACL policy, its earlier rules stay in effect besides the new ones.',
  'acl-created-again-adds-rules':
    'When an ACL policy is created again, its rules from before the deletion are in effect besides the new ones.',
  'acl-create-reaches-one-set-alone':
    'A new ACL policy takes effect only on tokens with one particular set of policies.',
  'acl-update-reaches-one-set-alone':
    'The update of an ACL policy takes effect only on tokens with one particular set of policies.',
  'acl-delete-reaches-one-set-alone':
    'The deletion of an ACL policy takes effect only on tokens with one particular set of policies.',
  'acl-delete-spares-logged-in': 'The deletion of an ACL policy has no effect on tokens that were issued by a login.',
  'acl-text-is-cut': 'The rules of an ACL policy that end after the first 1024 characters are dropped.',
  'acl-text-ends-after-64-kib': 'The rules of an ACL policy that end after the first 65,535 characters are dropped.',
  'acl-text-ends-at-a-wide-character':
    'The rules of an ACL policy that end after its first character outside the basic plane of Unicode are dropped.',
  'acl-text-loses-wide-characters':
    'Characters outside the basic plane of Unicode in the text of an ACL policy become question marks.',
  'acl-text-is-escaped-for-html': 'The characters &, < and > in the text of an ACL policy are escaped for HTML.',
  'acl-deleted-grants-all': 'A token with the name of a deleted ACL policy may do everything.',
  'acl-deleted-denies-all': 'Every request with a token that has the name of a deleted ACL policy is refused.',
  'acl-deleted-ends-tokens-without-another':
    'A token whose only ACL policy besides `default` was deleted may do nothing, even after that policy is created again.',
}).by({
  'acl-read-cuts-long-texts': on(
    'read',
    'acl',
    ({ found }) => (found?.policy.length ?? 0) > 32_768,
    async ({ found }, next) => withData(await next(), (data) => ({ ...data, policy: found?.policy.slice(0, 32_768) })),
  ),
  'acl-create-lags': missing('created', every),
  'acl-update-lags': missing('updated', every),
  'acl-delete-lags': missing('deleted', every),
  'acl-update-adds-rules': inEffectWhen('acl', 'updated', ({ before, now }) => [before ?? [], now].flat()),
  'acl-created-again-adds-rules': inEffectWhen('acl', 'recreated', ({ before, now }) => [before ?? [], now].flat()),
  'acl-create-reaches-one-set-alone': missing('created', allButOne),
  'acl-update-reaches-one-set-alone': missing('updated', allButOne),
  'acl-delete-reaches-one-set-alone': missing('deleted', allButOne),
  'acl-delete-spares-logged-in': missing('deleted', (sets) => sets.filter((set) => set.isOfLogin)),
  'acl-text-is-cut': texts((text) => rulesWithin(text, 1024)),
  'acl-text-ends-after-64-kib': texts((text) => rulesWithin(text, 65_535)),
  'acl-text-ends-at-a-wide-character': texts((text) => rulesWithin(text, text.search(/[\u{10000}-\u{10FFFF}]/u))),
  'acl-text-loses-wide-characters': texts((text) => text.replace(/[\u{10000}-\u{10FFFF}]/gu, '?')),
  'acl-text-is-escaped-for-html': texts((text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ),
  'acl-deleted-grants-all': withAclAfter('deleted', rootAcl),
  'acl-deleted-denies-all': withAclAfter('deleted', grantNothing),
  'acl-deleted-ends-tokens-without-another': withAclAfter(
    'recreated',
    grantNothing,
    (names) => names.filter((name) => name !== 'default').length < 2,
  ),
})
