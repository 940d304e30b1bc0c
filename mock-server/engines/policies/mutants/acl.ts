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

/** Cuts a text behind the last rule that ends before that position. A text that is cut within a rule would be refused. */
const wholeRules = (text: string, end: number): string =>
  end < 0 || text.length <= end ? text : text.slice(0, text.lastIndexOf('}', end - 1) + 1)

export const aclFaults: readonly Mutant<PoliciesTables>[] = [
  mutant(
    'acl-create-lags',
    'Tokens that were used before do not see a new ACL policy until it is written again.',
    keepsCompiled('created'),
  ),
  mutant(
    'acl-update-lags',
    'Tokens that were used before do not see the update of an ACL policy.',
    keepsCompiled('updated'),
  ),
  mutant(
    'acl-delete-lags',
    'Tokens that were used before do not see the end of an ACL policy.',
    keepsCompiled('deleted'),
  ),
  mutant(
    'acl-update-adds-rules',
    'Updating an ACL policy adds the new rules to the earlier ones in effect.',
    inActs('acl', { updated: (history) => history }),
  ),
  mutant(
    'acl-created-again-adds-rules',
    'An ACL policy that is created again acts by its rules and by those from before its deletion.',
    inActs('acl', { recreated: (history) => history }),
  ),
  mutant(
    'acl-create-reaches-one-set-alone',
    'A new ACL policy reaches tokens with one set of policies, and not those with another.',
    reaching('created', 'one-set'),
  ),
  mutant(
    'acl-update-reaches-one-set-alone',
    'The update of an ACL policy reaches tokens with one set of policies, and not those with another.',
    reaching('updated', 'one-set'),
  ),
  mutant(
    'acl-delete-reaches-one-set-alone',
    'The end of an ACL policy reaches tokens with one set of policies, and not those with another.',
    reaching('deleted', 'one-set'),
  ),
  mutant(
    'acl-delete-spares-logged-in',
    'The end of an ACL policy does not reach tokens that were issued by a login.',
    reaching('deleted', 'not-of-logins'),
  ),
  mutant(
    'acl-text-is-cut',
    'Of the text of an ACL policy the rules that end after 1024 characters are dropped.',
    inKind('acl', () => ({ text: (given) => wholeRules(given, 1024) })),
  ),
  mutant(
    'acl-text-ends-after-64-kib',
    'Of the text of an ACL policy the rules that end after 65,535 characters are dropped.',
    inKind('acl', () => ({ text: (given) => wholeRules(given, 65_535) })),
  ),
  mutant(
    'acl-text-ends-at-a-wide-character',
    'Of the text of an ACL policy the rules from the first character beyond the basic plane of Unicode on are dropped.',
    inKind('acl', () => ({ text: (given) => wholeRules(given, given.search(/[\u{10000}-\u{10FFFF}]/u)) })),
  ),
  mutant(
    'acl-text-loses-wide-characters',
    'In the text of an ACL policy a question mark stands for each character beyond the basic plane of Unicode.',
    inKind('acl', () => ({ text: (given) => given.replace(/[\u{10000}-\u{10FFFF}]/gu, '?') })),
  ),
  mutant(
    'acl-text-is-escaped-for-html',
    'In the text of an ACL policy the characters that mean something in HTML are escaped.',
    inKind('acl', () => ({
      text: (given) => given.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    })),
  ),
  mutant('acl-deleted-grants-all', 'The name of a deleted ACL policy on a token grants everything.', (tables) => ({
    ...tables,
    withDeleted: () => rootAcl,
  })),
  mutant(
    'acl-deleted-denies-all',
    'A token that carries the name of a deleted ACL policy is refused everything.',
    (tables) => ({ ...tables, withDeleted: () => grantNothing }),
  ),
]
