/** Situations in which an RGP or an EGP decides about a request that an ACL policy allows. */
import { type Exchange, get, type JsonObject, type Step } from '../../harness/vocabulary/index.ts'
import { governingDocument, token } from '../given.ts'
import { bodyOf, type GoverningKind, readerPolicy, readingOf, tokenAhead } from './given.ts'

export interface Governed {
  /** Also shows that an ACL policy lets a token read a policy, because no document says who may. */
  readonly situation: readonly Step[]
  /** The request that the policy decides about. */
  readonly governed: Exchange
  /** The same request without its connection to the policy. It always succeeds. */
  readonly free: Exchange
  readonly body: (text: string, level?: string) => JsonObject
}

const reading = (name: string, as: string): Exchange =>
  get(readingOf(name), { as, words: `\`${as}\` reads \`${name}\`` })

const documents = [
  governingDocument('allows', 'allow'),
  governingDocument('denies', { denyBelow: readingOf('{anchor}') }),
]

const body =
  (kind: GoverningKind, fields: JsonObject): Governed['body'] =>
  (text, level = 'hard-mandatory') =>
    bodyOf(kind, text, { enforcement_level: level, ...fields })

/** An RGP applies to tokens that have it among their policies. Another token with the same ACL policy is not
 * affected. */
export const governedByRgp: Governed = {
  situation: [
    ...documents,
    ...readerPolicy('{anchor}'),
    ...tokenAhead('reader', ['{anchor}', '{policy}']),
    token('other', ['{anchor}']),
    reading('{anchor}', 'other'),
  ],
  governed: reading('{anchor}', 'reader'),
  free: reading('{anchor}', 'other'),
  body: body('rgp', {}),
}

/** An EGP applies to paths: the policy `anchor` and those whose names begin with that name, except `{anchor}-z`. */
export const governedByEgp = (paths: readonly string[] | string, more: readonly string[] = []): Governed => {
  const readable = [...more, '{anchor}-z']
  return {
    situation: [
      ...documents,
      ...readerPolicy('{anchor}', readable),
      ...readable.flatMap((name) => readerPolicy(name)),
      token('reader', ['{anchor}']),
      reading('{anchor}-z', 'reader'),
    ],
    governed: reading('{anchor}', 'reader'),
    free: reading('{anchor}-z', 'reader'),
    body: body('egp', { paths }),
  }
}

export const readsAs = reading
export const governedBy: Readonly<Record<GoverningKind, Governed>> = {
  rgp: governedByRgp,
  egp: governedByEgp(readingOf('{anchor}')),
}
