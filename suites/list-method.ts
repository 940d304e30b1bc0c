/** The check of the method LIST. Each area with a list has it, so that a run of one area decides it, too. All other
 * checks receive their lists in the way that works on the target (readings, 72). */
import {
  answererOf,
  type Check,
  type CheckBody,
  check,
  type Exchange,
  type Expectation,
  get,
  mismatch,
  restsOn,
  statusSeen,
} from '../harness/vocabulary/index.ts'

interface ListMethod extends Pick<CheckBody, 'needs' | 'applies'> {
  readonly given: NonNullable<CheckBody['given']>
  readonly listing: Exchange
  /** What the list must name after `given`. */
  readonly names: Expectation
  /** The address of the check that judges what the list names. */
  readonly restsOn: string
}

export const listMethodCheck = (area: string, { listing, names, restsOn: address, ...body }: ListMethod): Check =>
  check('lists-are-served-by-the-method-list', {
    ...body,
    requirement: `${area}.list-method`,
    when: { ...listing, isExact: true },
    then: [servedByList(listing, names, address)],
  })

function servedByList(listing: Exchange, names: Expectation, address: string): Expectation {
  const byGet = get(listing.path, { query: { list: 'true' } })
  return {
    words: 'the list names what exists, as it does when it is requested by GET with `?list=true`',
    touches: [byGet],
    async judge({ reply, scope }) {
      const found = await names.judge({ reply, scope }, undefined)
      if (!found) return undefined
      // If GET shows no more, the list itself is at fault, or the token may not list.
      if (await names.judge({ reply: await scope.send(byGet), scope }, undefined)) throw restsOn(found, address, reply)
      const saw = `${statusSeen(reply)} from ${answererOf(reply)}`
      return mismatch(reply, 'method', 'the list that GET with ?list=true shows', saw)
    },
  }
}
