import type { Reached } from '../../../kernel/acl/access.ts'
import { type Acl, rootAcl } from '../../../kernel/acl/compile.ts'
import type { Mutant } from '../../../kernel/contracts.ts'
import type { State } from '../store.ts'
import type { PoliciesTables } from '../tables.ts'
import { inActs, inKind, mutant } from './cells.ts'

const grantNothing: Acl = {
  check: () => ({ allowed: false, sudo: false, reason: 'a policy of this token was deleted' }),
  capabilities: () => ['deny'],
  reaches: () => false,
}

const keepsCompiled =
  (state: State) =>
  (tables: PoliciesTables): PoliciesTables => ({ ...tables, recompiles: { ...tables.recompiles, [state]: false } })

const reaching =
  (state: State, reached: Reached) =>
  (tables: PoliciesTables): PoliciesTables => ({ ...tables, reaches: { ...tables.reaches, [state]: reached } })

/** Cuts a text after the last rule that ends before `end`. A text that is cut within a rule would be refused. */
const rulesWithin = (text: string, end: number): string =>
  end < 0 || text.length <= end ? text : text.slice(0, text.lastIndexOf('}', end - 1) + 1)

export const aclFaults: readonly Mutant<PoliciesTables>[] = [
  mutant(
    'acl-read-cuts-long-texts',
    'GET of an ACL policy shows at most 32,768 characters of its text.',
    inKind('acl', ({ find }) => ({
      find(readable, name) {
        const written = find(readable, name)
        return written && { ...written, shownPolicy: written.policy.slice(0, 32_768) }
      },
    })),
  ),
  mutant(
    'acl-create-lags',
    'A new ACL policy has no effect on tokens that were already used, until it is written again.',
    keepsCompiled('created'),
  ),
  mutant(
    'acl-update-lags',
    'The update of an ACL policy has no effect on tokens that were already used.',
    keepsCompiled('updated'),
  ),
  mutant(
    'acl-delete-lags',
    'The deletion of an ACL policy has no effect on tokens that were already used.',
    keepsCompiled('deleted'),
  ),
  mutant(
    'acl-update-adds-rules',
    'After an update of an ACL policy, its earlier rules stay in effect besides the new ones.',
    inActs('acl', { updated: (history) => history }),
  ),
  mutant(
    'acl-created-again-adds-rules',
    'When an ACL policy is created again, its rules from before the deletion are in effect besides the new ones.',
    inActs('acl', { recreated: (history) => history }),
  ),
  mutant(
    'acl-create-reaches-one-set-alone',
    'A new ACL policy takes effect only on tokens with one particular set of policies.',
    reaching('created', 'one-set'),
  ),
  mutant(
    'acl-update-reaches-one-set-alone',
    'The update of an ACL policy takes effect only on tokens with one particular set of policies.',
    reaching('updated', 'one-set'),
  ),
  mutant(
    'acl-delete-reaches-one-set-alone',
    'The deletion of an ACL policy takes effect only on tokens with one particular set of policies.',
    reaching('deleted', 'one-set'),
  ),
  mutant(
    'acl-delete-spares-logged-in',
    'The deletion of an ACL policy has no effect on tokens that were issued by a login.',
    reaching('deleted', 'not-of-logins'),
  ),
  mutant(
    'acl-text-is-cut',
    'The rules of an ACL policy that end after the first 1024 characters are dropped.',
    inKind('acl', () => ({ text: (given) => rulesWithin(given, 1024) })),
  ),
  mutant(
    'acl-text-ends-after-64-kib',
    'The rules of an ACL policy that end after the first 65,535 characters are dropped.',
    inKind('acl', () => ({ text: (given) => rulesWithin(given, 65_535) })),
  ),
  mutant(
    'acl-text-ends-at-a-wide-character',
    'The rules of an ACL policy that end after its first character outside the basic plane of Unicode are dropped.',
    inKind('acl', () => ({ text: (given) => rulesWithin(given, given.search(/[\u{10000}-\u{10FFFF}]/u)) })),
  ),
  mutant(
    'acl-text-loses-wide-characters',
    'Characters outside the basic plane of Unicode in the text of an ACL policy become question marks.',
    inKind('acl', () => ({ text: (given) => given.replace(/[\u{10000}-\u{10FFFF}]/gu, '?') })),
  ),
  mutant(
    'acl-text-is-escaped-for-html',
    'The characters &, < and > in the text of an ACL policy are escaped for HTML.',
    inKind('acl', () => ({
      text: (given) => given.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    })),
  ),
  mutant('acl-deleted-grants-all', 'A token with the name of a deleted ACL policy may do everything.', (tables) => ({
    ...tables,
    withDeleted: () => rootAcl,
  })),
  mutant(
    'acl-deleted-denies-all',
    'Every request with a token that has the name of a deleted ACL policy is refused.',
    (tables) => ({ ...tables, withDeleted: () => grantNothing }),
  ),
  mutant(
    'acl-deleted-ends-tokens-without-another',
    'A token whose only ACL policy besides `default` was deleted may do nothing, even after that policy is created again.',
    (tables) => ({
      ...tables,
      withRecreated: (acl, names) => ([...names].filter((name) => name !== 'default').length < 2 ? grantNothing : acl),
    }),
  ),
]
