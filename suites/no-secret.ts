/** Conditions on secrets: no reply to some requests shows a secret that the check knows. One check decides each
 * requirement thoroughly, in many encodings; every other check looks at its own replies for the plain text. */
import { type Conditions, mismatch } from '../harness/vocabulary/index.ts'

interface HiddenSecret {
  readonly requirement: string
  /** The requests whose replies must not show it. */
  readonly asked: RegExp
  readonly names: readonly string[]
  /** What such a secret looks like, if steps save something else under these names, too. */
  readonly form?: RegExp
  readonly what: string
}

/** A shorter text may be in a reply by chance. */
const leastLength = 16

export const hiding = (...hidden: readonly HiddenSecret[]): Conditions => ({
  requirements: hidden.map(({ requirement }) => requirement),
  flawsIn: ({ reply, scope }) =>
    hidden.flatMap(({ requirement, asked, names, form = /./, what }) => {
      const isShown = (name: string): boolean => {
        const secret = scope.has(name) ? scope.value(name) : ''
        return secret.length >= leastLength && form.test(secret) && reply.text.includes(secret)
      }
      if (!asked.test(reply.asked) || !names.some(isShown)) return []
      return [{ ...mismatch(reply, 'reply', `no ${what}`, `a ${what}`), requirement }]
    }),
})
