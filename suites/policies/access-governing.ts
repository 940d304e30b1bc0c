import { without } from '../../fixtures/bodies.ts'
import type { Ceremony, CheckBody, Exchange } from '../../harness/vocabulary/index.ts'
import { check, next, refused, requestWords, succeeds, topic } from '../../harness/vocabulary/index.ts'
import { ifAccepted, inBase64, override, readingOnly, refusedSoFar, whereTaken } from '../given.ts'
import { action } from '../records.ts'
import { bodyOf, deleted, governingKinds, read, rewritten, written } from './given.ts'
import { governedBy } from './governed.ts'
import { refusedAndKept } from './then.ts'

/** The dialect provides the name of the header, so this request cannot be a constant. */
const overriding = (exchange: Exchange): Ceremony => ({
  kind: 'ceremony',
  words: `${requestWords(exchange)}, asking for an override`,
  touches: [exchange],
  run: (scope) => scope.send({ ...exchange, headers: { [scope.value('override')]: 'true' } }),
})

/** Provides `{as}`, the text of an earlier step after many empty lines, which have no meaning in any language. */
const behindEmptyLines = (text: string, as: string, lines = 4000) =>
  action(`\`${as}\` is \`${text}\` behind ${lines} empty lines`, { provides: [as] }, async (scope) => {
    scope.save(as, '\n'.repeat(lines) + scope.value(text))
  })

/** A check leads to its judged request by what comes before it. */
type Way = Pick<CheckBody, 'given' | 'when'>

const effects = governingKinds.flatMap((kind) => {
  const { situation, governed, free, body } = governedBy[kind]
  const atOnce = (what: 'create' | 'update'): string => `policies.${kind}.${what}.immediate`
  const base64 = `policies.${kind}.policy.base64`
  const deletion =
    kind === 'rgp'
      ? ['policies.rgp.delete.immediate', 'policies.rgp.delete.acts-empty']
      : 'policies.egp.delete.immediate'
  const isRefused = next(governed, refused(readingOnly))
  /** After the judged request, the policy denies what it governs. */
  const denying = (id: string, requirement: CheckBody['requirement'], way: Way) =>
    check(id, { requirement, ...way, then: [isRefused], control: free })
  const freeing = (id: string, requirement: CheckBody['requirement'], way: Way) =>
    check(id, { requirement, ...way, then: [next(governed, succeeds)] })
  const denied = [...situation, written(kind, body('denies')), refusedSoFar(governed)]
  const allowed = [...situation, written(kind, body('allows')), governed]
  const allowedNow = [...denied, rewritten(kind, body('allows')), governed]
  return [
    denying(`${kind}-create-denies-at-once`, atOnce('create'), {
      given: [...situation, governed],
      when: written(kind, body('denies')),
    }),
    denying(`${kind}-base64-denies-as-the-plain-text`, base64, {
      // The text is long, because a server might decode only short ones. The documents do not say how long a text may
      // be, so the server first has to accept a plain text that is longer than the encoded one.
      given: [
        ...situation,
        behindEmptyLines('denies', 'long'),
        inBase64('long', 'encoded'),
        behindEmptyLines('allows', 'longer', 8000),
        // This one governs nobody: no token has it, and it has no path of this check.
        whereTaken(written(kind, bodyOf(kind, 'longer'), '{policy}-longer')),
        governed,
      ],
      when: written(kind, body('encoded')),
    }),
    check(`${kind}-long-text-denies-to-its-end`, {
      requirement: atOnce('create'),
      given: [...situation, behindEmptyLines('denies', 'long'), governed],
      when: written(kind, body('long')),
      then: [ifAccepted(isRefused)],
      control: free,
    }),
    denying(`${kind}-update-in-base64-denies-as-the-plain-text`, [base64, atOnce('update')], {
      given: [...situation, inBase64('denies', 'encoded'), written(kind, body('allows')), governed],
      when: rewritten(kind, body('encoded')),
    }),
    denying(`${kind}-created-again-denies-again`, atOnce('create'), {
      given: [...denied, deleted(kind), governed],
      when: written(kind, body('denies')),
    }),
    denying(`${kind}-created-again-acts-as-written-then`, atOnce('create'), {
      given: [...allowed, deleted(kind), governed],
      when: written(kind, body('denies')),
    }),
    denying(`${kind}-second-update-denies-at-once`, atOnce('update'), {
      given: allowedNow,
      when: rewritten(kind, body('denies')),
    }),
    freeing(`${kind}-delete-of-an-updated-policy-frees`, deletion, { given: allowedNow, when: deleted(kind) }),
    freeing(`${kind}-delete-of-an-updated-policy-that-denied-frees`, deletion, {
      given: [...allowed, rewritten(kind, body('denies')), refusedSoFar(governed)],
      when: deleted(kind),
    }),
    check(`${kind}-update-refused-for-its-level-leaves-the-effect`, {
      requirement: `policies.${kind}.level.required`,
      // The policy has denied the request before, so a later success shows that the text `allows` is in effect.
      given: allowedNow,
      when: {
        ...rewritten(kind, without(body('denies'), 'enforcement_level')),
        words: `the ${kind.toUpperCase()} \`{policy}\` is written again without \`enforcement_level\``,
      },
      then: [next(governed, succeeds)],
      control: rewritten(kind, body('denies')),
    }),
    check(`${kind}-create-refused-for-its-level-acts-on-nothing`, {
      requirement: `policies.${kind}.level.required`,
      // The policy has denied the request before it was deleted: otherwise the effect of its text would be unknown.
      given: [...denied, deleted(kind), governed],
      when: {
        ...written(kind, without(body('denies'), 'enforcement_level')),
        words: `the ${kind.toUpperCase()} \`{policy}\` is written without \`enforcement_level\``,
      },
      then: [next(governed, succeeds)],
      control: written(kind, body('denies')),
    }),
    check(`${kind}-refused-update-leaves-the-effect`, {
      requirement: `policies.${kind}.policy.required`,
      given: denied,
      when: {
        ...rewritten(kind, without(body('allows'), 'policy')),
        words: `the ${kind.toUpperCase()} \`{policy}\` is written again without \`policy\``,
      },
      then: [refusedAndKept(read(kind)), isRefused],
      control: rewritten(kind, body('allows')),
    }),
    denying(`${kind}-update-denies-at-once`, atOnce('update'), {
      given: allowed,
      when: rewritten(kind, body('denies')),
    }),
    denying(`${kind}-raised-level-denies-at-once`, atOnce('update'), {
      given: [...situation, written(kind, body('denies', 'advisory')), governed],
      when: rewritten(kind, body('denies')),
    }),
    freeing(`${kind}-update-allows-at-once`, atOnce('update'), {
      given: denied,
      when: rewritten(kind, body('allows')),
    }),
    freeing(`${kind}-delete-allows-at-once`, deletion, { given: denied, when: deleted(kind) }),
  ]
})

const enforcement = governingKinds.flatMap((kind) => {
  const { situation, governed, free, body } = governedBy[kind]
  const failing = (level: string) => [...situation, override('override'), written(kind, body('denies', level))]
  return [
    check(`${kind}-advisory-lets-pass`, {
      requirement: `policies.${kind}.level.advisory`,
      // The same policy denies the request at a stricter level: otherwise it might have no effect at all.
      given: [...failing('hard-mandatory'), refusedSoFar(governed), rewritten(kind, body('denies', 'advisory'))],
      when: governed,
      then: [succeeds],
    }),
    check(`${kind}-soft-mandatory-denies`, {
      requirement: `policies.${kind}.level.soft-mandatory`,
      given: failing('soft-mandatory'),
      when: governed,
      then: [refused(readingOnly)],
      control: free,
    }),
    check(`${kind}-soft-mandatory-yields-to-an-override`, {
      requirement: `policies.${kind}.level.soft-mandatory`,
      given: [...failing('soft-mandatory'), refusedSoFar(governed)],
      when: overriding(governed),
      then: [succeeds, next(governed, refused(readingOnly))],
    }),
    check(`${kind}-hard-mandatory-withstands-an-override`, {
      requirement: `policies.${kind}.level.hard-mandatory`,
      given: failing('hard-mandatory'),
      when: overriding(governed),
      then: [refused(readingOnly)],
      control: free,
    }),
  ]
})

export default topic('policies/access-governing', {
  about: 'RGPs and EGPs decide immediately, by their enforcement level, about requests that an ACL policy allows.',
  names: ['policy', 'anchor'],
  checks: [...effects, ...enforcement],
})
