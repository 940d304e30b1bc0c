import { without } from '../../fixtures/bodies.ts'
import { about, check, field, get, next, refused, succeeds, topic } from '../../harness/vocabulary/index.ts'
import {
  aclDocument,
  ifAccepted,
  inBase64,
  login,
  readingOnly,
  refusedSoFar,
  token,
  user,
  whereTaken,
} from '../given.ts'
import { bodyOf, deleted, read, readerPolicy, readingOf, rewritten, tokenAhead, written } from './given.ts'
import { document, refusedAndKept, spelled } from './then.ts'

/** The policy under test lets its holder read the policy `probe`, or does not. The token also has the policy `anchor`,
 * which lets it read `anchor` itself: that shows that the token is valid. */
const probeOf = (as: string) => get(readingOf('{probe}'), { as, words: `\`${as}\` reads \`{probe}\`` })
const probe = probeOf('reader')
/** The text `withholds` allows this request. */
const itself = get(readingOf('{policy}'), { as: 'reader', words: '`reader` reads `{policy}`' })
const anchor = get(readingOf('{anchor}'), { as: 'reader', words: '`reader` reads `{anchor}`' })

const situation = [
  aclDocument('grants', [{ path: readingOf('{probe}'), capabilities: ['read'] }]),
  aclDocument('withholds', [{ path: readingOf('{policy}'), capabilities: ['read'] }]),
  written('acl', bodyOf('acl', 'grants'), '{probe}'),
  ...readerPolicy('{anchor}'),
]
const reader = token('reader', ['{policy}', '{anchor}'])
/** The same token, before the policy under test exists. */
const early = [...tokenAhead('reader', ['{policy}', '{anchor}']), anchor]
/** This token has another set of policies, and is used after the first one: a server may have compiled the policies of
 * both tokens. */
const other = [token('second', ['{policy}'])]
const granted = [...situation, written('acl', bodyOf('acl', 'grants')), reader, probe]
/** No document says how users get policies. Where entities have them, their tokens carry the names of other policies only. */
const byEntity = [
  ...[...situation, written('acl', bodyOf('acl', 'grants'))],
  ...[user('person', ['{anchor}'], ['{policy}']), login('person', 'member'), whereTaken(probeOf('member'))],
]
const anchorOfMember = get(readingOf('{anchor}'), { as: 'member', words: '`member` reads `{anchor}`' })

/** Another policy of the token allows something else at the path of the probe. A server must not keep in either policy what it
 * made of both. */
const overlapping = [
  aclDocument('lists', [{ path: readingOf('{probe}'), capabilities: ['list'] }]),
  written('acl', bodyOf('acl', 'lists'), '{policy}-z'),
]

/** Makes a text in which the granting rule follows that many others. The documents do not say how long a text may
 * be. */
const longText = (others: number) =>
  aclDocument('long', [
    ...Array.from({ length: others }, (_, at) => ({
      path: readingOf(`{policy}-no-such-policy-${at}`),
      capabilities: ['read'],
    })),
    { path: readingOf('{probe}'), capabilities: ['read'] },
  ])
/** Some storages cut a text after 65,535 bytes, and some at the first character that takes four bytes. */
const [several, many] = [60, 900]
const wideText = aclDocument('wide', [
  { path: readingOf('{policy}-none'), capabilities: ['read'] },
  { path: readingOf('{policy}-\u{1F511}<&>'), capabilities: ['read'] },
  { path: readingOf('{probe}'), capabilities: ['read'] },
])

/** The documents do not describe the language. Programs write policies in JSON where the language allows that. */
const inJson = aclDocument('json', [{ path: readingOf('{probe}'), capabilities: ['read'] }], 'json')

/** Texts that a server may refuse, but must keep and apply as they are. */
const texts = [
  { id: 'acl-long-text-grants-to-its-end', text: longText(many), as: 'long', isShown: document('long') },
  { id: 'acl-text-grants-behind-a-wide-character', text: wideText, as: 'wide', isShown: spelled('wide', 'paths') },
  { id: 'acl-text-in-json-grants', text: inJson, as: 'json', isShown: document('json') },
] as const
const ofTexts = texts.map(({ id, text, as, isShown }) =>
  check(id, {
    requirement: ['policies.acl.create.immediate', 'policies.acl.read.returns-named'],
    given: [...situation, text, ...early, refusedSoFar(probe)],
    when: written('acl', bodyOf('acl', as)),
    // A text that is not kept as it is grants less as well.
    then: [
      about('policies.acl.read.returns-named', ifAccepted(next(read('acl'), field('policy', isShown)))),
      about('policies.acl.create.immediate', ifAccepted(next(probe, succeeds))),
    ],
  }),
)
const ofEncodedTexts = [
  { id: 'acl-long-base64-grants-to-its-end', text: longText(several), as: 'long' },
  { id: 'acl-base64-of-json-grants', text: inJson, as: 'json' },
].map(({ id, text, as }) =>
  check(id, {
    requirement: 'policies.acl.policy.base64',
    given: [
      ...situation,
      text,
      whereTaken(written('acl', bodyOf('acl', as), '{policy}-plain')),
      inBase64(as, 'encoded'),
      ...early,
      refusedSoFar(probe),
    ],
    when: written('acl', bodyOf('acl', 'encoded')),
    then: [next(probe, succeeds)],
  }),
)

export default topic('policies/access', {
  about: 'Writing and deleting an ACL policy changes at once what tokens that carry its name may do.',
  names: ['policy', 'probe', 'anchor', 'person'],
  checks: [
    check('acl-create-grants-at-once', {
      requirement: 'policies.acl.create.immediate',
      given: [...situation, ...early, refusedSoFar(probe), ...other, refusedSoFar(probeOf('second'))],
      when: written('acl', bodyOf('acl', 'grants')),
      then: [next(probeOf('second'), succeeds)],
    }),
    check('acl-base64-grants-as-the-plain-text', {
      requirement: 'policies.acl.policy.base64',
      given: [...situation, inBase64('grants', 'encoded'), ...early, refusedSoFar(probe)],
      when: written('acl', bodyOf('acl', 'encoded')),
      then: [next(probe, succeeds)],
    }),
    ...ofTexts,
    ...ofEncodedTexts,
    check('acl-name-with-capitals-grants', {
      requirement: 'policies.acl.create.immediate',
      given: [
        ...situation,
        ...tokenAhead('reader', ['{policy}-With-Capitals', '{anchor}']),
        anchor,
        refusedSoFar(probe),
      ],
      when: written('acl', bodyOf('acl', 'grants'), '{policy}-With-Capitals'),
      then: [ifAccepted(next(probe, succeeds))],
    }),
    check('acl-refused-update-leaves-the-effect', {
      requirement: 'policies.acl.policy.required',
      given: granted,
      when: {
        ...rewritten('acl', without(bodyOf('acl', 'withholds'), 'policy')),
        words: 'the ACL policy `{policy}` is written again without `policy`',
      },
      then: [refusedAndKept(read('acl')), next(probe, succeeds)],
      control: rewritten('acl', bodyOf('acl', 'grants')),
    }),
    check('acl-delete-of-an-updated-policy-brings-nothing-back', {
      requirement: ['policies.acl.delete.immediate', 'policies.acl.delete.acts-empty'],
      given: [...granted, rewritten('acl', bodyOf('acl', 'withholds')), refusedSoFar(probe), itself],
      when: deleted('acl'),
      then: [next(probe, refused(readingOnly))],
      control: anchor,
    }),
    check('acl-delete-of-an-updated-policy-withdraws-at-once', {
      requirement: ['policies.acl.delete.immediate', 'policies.acl.delete.acts-empty'],
      given: [
        ...situation,
        ...overlapping,
        written('acl', bodyOf('acl', 'withholds')),
        token('reader', ['{policy}', '{policy}-z', '{anchor}']),
        rewritten('acl', bodyOf('acl', 'grants')),
        probe,
      ],
      when: deleted('acl'),
      then: [next(probe, refused(readingOnly))],
      control: anchor,
    }),
    check('acl-update-in-base64-grants-as-the-plain-text', {
      requirement: ['policies.acl.policy.base64', 'policies.acl.update.immediate'],
      given: [
        ...situation,
        inBase64('grants', 'encoded'),
        written('acl', bodyOf('acl', 'withholds')),
        reader,
        anchor,
        refusedSoFar(probe),
      ],
      when: rewritten('acl', bodyOf('acl', 'encoded')),
      then: [next(probe, succeeds)],
    }),
    check('acl-update-grants-at-once', {
      requirement: 'policies.acl.update.immediate',
      given: [...situation, written('acl', bodyOf('acl', 'withholds')), reader, anchor, refusedSoFar(probe)],
      when: rewritten('acl', bodyOf('acl', 'grants')),
      then: [next(probe, succeeds)],
    }),
    check('acl-created-again-grants-again', {
      requirement: 'policies.acl.create.immediate',
      // The deleted policy is the only one of the second token.
      given: [...granted, ...other, probeOf('second'), deleted('acl'), refusedSoFar(probe)],
      when: written('acl', bodyOf('acl', 'grants')),
      then: [next(probeOf('second'), succeeds)],
    }),
    check('acl-created-again-acts-as-written-then', {
      requirement: 'policies.acl.create.immediate',
      given: [...granted, deleted('acl'), refusedSoFar(probe)],
      when: written('acl', bodyOf('acl', 'withholds')),
      then: [next(itself, succeeds), next(probe, refused(readingOnly))],
    }),
    check('acl-second-update-takes-effect', {
      requirement: 'policies.acl.update.immediate',
      given: [...granted, rewritten('acl', bodyOf('acl', 'withholds')), refusedSoFar(probe)],
      when: rewritten('acl', bodyOf('acl', 'grants')),
      then: [next(probe, succeeds)],
    }),
    check('acl-update-reaches-every-token', {
      requirement: 'policies.acl.update.immediate',
      given: [...granted, ...other, probeOf('second')],
      when: rewritten('acl', bodyOf('acl', 'withholds')),
      then: [next(probeOf('second'), refused(readingOnly))],
      control: anchor,
    }),
    check('acl-update-withdraws-at-once', {
      requirement: 'policies.acl.update.immediate',
      given: granted,
      when: rewritten('acl', bodyOf('acl', 'withholds')),
      then: [next(probe, refused(readingOnly))],
      control: anchor,
    }),
    check('acl-delete-withdraws-at-once', {
      requirement: ['policies.acl.delete.immediate', 'policies.acl.delete.acts-empty'],
      given: [...granted, ...other, probeOf('second')],
      when: deleted('acl'),
      then: [next(probeOf('second'), refused(readingOnly))],
      control: anchor,
    }),
    check('acl-update-reaches-users-by-their-entity', {
      requirement: 'policies.acl.update.immediate',
      given: byEntity,
      when: rewritten('acl', bodyOf('acl', 'withholds')),
      then: [next(probeOf('member'), refused(readingOnly))],
      control: anchorOfMember,
    }),
    check('acl-delete-reaches-users-by-their-entity', {
      requirement: ['policies.acl.delete.immediate', 'policies.acl.delete.acts-empty'],
      given: byEntity,
      when: deleted('acl'),
      then: [next(probeOf('member'), refused(readingOnly))],
      control: anchorOfMember,
    }),
    check('acl-deleted-leaves-the-token-its-other-policies', {
      requirement: 'policies.acl.delete.acts-empty',
      given: [...granted, anchor, refusedSoFar(get(readingOf('{policy}-none'), { as: 'reader' }))],
      when: deleted('acl'),
      then: [next(anchor, succeeds)],
    }),
  ],
})
