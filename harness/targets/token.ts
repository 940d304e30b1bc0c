/** The target is asked whether it knows the operator's token, and shows it by what it answers about it. Only a refusal
 * condemns a token: a target that cannot be heard, or that answers something else, says nothing about it. */
import { type Blocker, blockerOf, fieldOf, isObject, isSuccess, type Reply } from '../vocabulary/index.ts'
import type { WireOutcome } from '../wire/client.ts'
import type { ResolvedTarget } from './target.ts'
import { mendOf } from './unreachable.ts'

interface Trial {
  readonly words: string
  ask(): Promise<WireOutcome>
}

export interface TokenTrials {
  /** These are asked first: each shows something of the token itself. */
  readonly direct: readonly Trial[]
  /** Asked where a target does not serve those: an answer shows that the token is known. */
  readonly further: readonly Trial[]
}

interface Answer {
  readonly words: string
  readonly outcome: WireOutcome
}

/** A reply without content, or that is not JSON, comes from anything: a gateway, a login page, a server that agrees to
 * everything. */
const tells = (reply: Reply | undefined): boolean =>
  reply !== undefined && isSuccess(reply) && isObject(reply.json) && Object.keys(reply.json).length > 0

const isRefused = ({ outcome: { reply } }: Answer): boolean => reply?.status === 401 || reply?.status === 403
const isOverloaded = ({ outcome: { reply } }: Answer): boolean =>
  reply !== undefined && (reply.status === 429 || (reply.status >= 500 && reply.status !== 501))

/** `note` is given what the outcome rests on. */
export async function tokenBlocker(
  target: ResolvedTarget,
  { direct, further }: TokenTrials,
  note: (text: string) => void,
): Promise<Blocker | undefined> {
  if (target.token === undefined) return blockerOf('no-token', {})
  const answers: Answer[] = []
  const isKnown = async (trial: Trial): Promise<boolean> => {
    const outcome = await trial.ask()
    answers.push({ words: trial.words, outcome })
    if (tells(outcome.reply)) note(`the target answered ${trial.words} with ${outcome.reply?.status}`)
    return tells(outcome.reply)
  }
  for (const trial of direct) if (await isKnown(trial)) return undefined
  const first = blockerBy(target, answers)
  note(first.answered)
  if (first.isFinal) return first.blocker
  // A token that is known may be allowed neither of the two, and is allowed something that a check needs.
  for (const trial of further) if (await isKnown(trial)) return undefined
  return blockerBy(target, answers.slice(0, direct.length)).blocker
}

/** What servers say of a token that they do not know, or know no longer. */
const saysInvalid =
  /(bad|invalid|unknown|expired|revoked) token|token (is |has )?(not valid|not found|invalid|expired|been revoked)/i

const isCalledInvalid = ({ outcome: { reply } }: Answer): boolean => {
  const errors = reply ? fieldOf(reply, '/errors') : undefined
  return Array.isArray(errors) && saysInvalid.test(errors.map(String).join(' '))
}

function blockerBy(target: ResolvedTarget, answers: readonly Answer[]) {
  const answered = [
    ...new Set(
      answers.map(
        ({ words, outcome: { reply, trouble } }) => `${words}: ${reply ? `status ${reply.status}` : trouble}`,
      ),
    ),
  ].join('; ')
  const { url } = target
  const blocked = (isFinal: boolean, blocker: Blocker) => ({ answered, isFinal, blocker })
  const unheard = answers.find(({ outcome }) => outcome.reply === undefined)?.outcome
  if (unheard) return blocked(true, blockerOf('token-unheard', { told: answered, mend: mendOf(unheard, target) }))
  if (answers.some(isOverloaded)) return blocked(true, blockerOf('token-unanswered', { told: answered }))
  if (answers.some((answer) => isRefused(answer) && isCalledInvalid(answer)))
    return blocked(true, blockerOf('token-invalid', { url, told: answered }))
  if (answers.some(isRefused)) return blocked(false, blockerOf('token-refused', { url, told: answered }))
  return blocked(false, blockerOf('token-untold', { url, told: answered }))
}
