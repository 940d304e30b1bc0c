/** Tells what a reply that should return something has instead. The documents do not define the form of these replies. */
import {
  isObject,
  type Json,
  mismatch,
  type Reply,
  replyLacks,
  type StepFailed,
} from '../../harness/vocabulary/index.ts'

const texts = (value: Json | undefined): readonly string[] => {
  if (typeof value === 'string') return value.length < 8 ? [] : [value]
  return isObject(value) || Array.isArray(value) ? Object.values(value as object).flatMap(texts) : []
}

/** Returns whether the reply has any text besides its envelope. */
export function hasTexts(reply: Reply): boolean {
  const { request_id: _, warnings: __, ...body } = isObject(reply.json) ? reply.json : {}
  return texts(body).length > 0
}

/** Returns the error for a success that does not return what its requirement says. One that has a text may return it in a
 * form that is not known. */
export function returnsNo(reply: Reply, at: string, requirement: string): StepFailed {
  const wanted = `${/^[aeiou]/.test(at) ? 'an' : 'a'} ${at}`
  const flaw = hasTexts(reply) ? undefined : { ...mismatch(reply, at, wanted, 'none'), requirement }
  return replyLacks(reply, wanted, undefined, flaw)
}
