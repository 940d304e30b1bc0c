/** Finds out whether the target accepts the operator's token. Only a refusal shows that it does not: a target that
 * cannot be reached, or that replies something else, leaves this open. */
import {
  type Blocker,
  blockerOf,
  type Dialect,
  type Exchange,
  type Finding,
  fieldOf,
  isObject,
  isSuccess,
  type Reply,
} from '../vocabulary/index.ts'
import type { WireOutcome } from '../wire/client.ts'
import { causeIn } from './areas-served.ts'
import type { Asker } from './governing.ts'
import type { ResolvedTarget } from './target.ts'
import { mendOf } from './unreachable.ts'

interface Trial {
  readonly words: string
  ask(): Promise<WireOutcome>
}

export interface TokenTrials {
  /** Requests about the token itself. They are sent first. */
  readonly direct: readonly Trial[]
  /** Further requests, sent if the direct ones are refused or not served. A success shows that the target knows the
   * token. */
  readonly further: readonly Trial[]
}

/** Hears what the replies to the trials show. */
export interface TokenNotes {
  evidence(text: string): void
  warn(finding: Finding): void
}

interface Answer {
  readonly words: string
  readonly outcome: WireOutcome
}

/** Tells whether a reply shows that the token is known. A reply that is empty or not JSON does not: it may come from
 * a gateway, a login page, or a server that accepts everything. */
const showsToken = (reply: Reply | undefined): boolean =>
  reply !== undefined && isSuccess(reply) && isObject(reply.json) && Object.keys(reply.json).length > 0

const isRefused = ({ outcome: { reply } }: Answer): boolean => reply?.status === 401 || reply?.status === 403
const isOverloaded = ({ outcome: { reply } }: Answer): boolean =>
  reply !== undefined && (reply.status === 429 || (reply.status >= 500 && reply.status !== 501))

/** Returns the obstacle if the token is missing or unusable. */
export async function tokenBlocker(
  target: ResolvedTarget,
  { direct, further }: TokenTrials,
  { evidence, warn }: TokenNotes,
): Promise<Blocker | undefined> {
  if (target.token === undefined) return blockerOf('no-token', {})
  const answers: Answer[] = []
  const isKnown = async (trial: Trial): Promise<boolean> => {
    const outcome = await trial.ask()
    answers.push({ words: trial.words, outcome })
    if (showsToken(outcome.reply)) evidence(`the target answered ${trial.words} with ${outcome.reply?.status}`)
    return showsToken(outcome.reply)
  }
  for (const trial of direct)
    if (await isKnown(trial)) {
      const ends = endOf(answers.at(-1), target)
      if (ends) warn(ends)
      return countedUses(answers.at(-1))
    }
  const first = blockerBy(target, answers)
  evidence(first.answered)
  if (first.isFinal) return first.blocker
  // A valid token may be allowed none of the direct requests, but others that a check needs.
  for (const trial of further) if (await isKnown(trial)) return undefined
  return blockerBy(target, answers.slice(0, direct.length)).blocker
}

function countedUses(answer: Answer | undefined): Blocker | undefined {
  const uses = answer?.outcome.reply && fieldOf(answer.outcome.reply, 'num_uses')
  return typeof uses === 'number' && uses > 0 ? blockerOf('token-counted', { uses }) : undefined
}

/** Returns a warning if the token may end before the run does. A ttl of 0 means that it never ends. */
function endOf(answer: Answer | undefined, { maxDurationSeconds }: ResolvedTarget): Finding | undefined {
  const ttl = answer?.outcome.reply && fieldOf(answer.outcome.reply, 'ttl')
  if (typeof ttl !== 'number' || ttl <= 0 || maxDurationSeconds === undefined || ttl >= maxDurationSeconds)
    return undefined
  return {
    severity: 'warning',
    code: 'token-ends',
    text: `the token ends in ${ttl} s and the run may take ${maxDurationSeconds} s; a token that has ended removes nothing of what the run made: give one that lasts longer, or a shorter --max-duration`,
  }
}

/** Matches error messages of servers about a token that is unknown, expired or revoked. */
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
        ({ words, outcome: { reply, trouble } }) =>
          `${words}: ${reply ? `status ${reply.status}${causeIn(reply)}` : trouble}`,
      ),
    ),
  ].join('; ')
  const { url } = target
  const blocked = (isFinal: boolean, blocker: Blocker) => ({ answered, isFinal, blocker })
  const withoutReply = answers.find(({ outcome }) => outcome.reply === undefined)?.outcome
  if (withoutReply)
    return blocked(true, blockerOf('token-unheard', { told: answered, mend: mendOf(withoutReply, target) }))
  if (answers.some(isOverloaded)) return blocked(true, blockerOf('token-unanswered', { told: answered }))
  if (answers.some((answer) => isRefused(answer) && isCalledInvalid(answer)))
    return blocked(true, blockerOf('token-invalid', { url, told: answered }))
  if (answers.some(isRefused)) return blocked(false, blockerOf('token-refused', { url, told: answered }))
  return blocked(false, blockerOf('token-untold', { url, told: answered }))
}

/** Returns the obstacle if a token that nobody issued is looked up as the operator's. Then every caller of a check would be
 * the operator. */
export async function replacedToken(
  { operations: { lookupSelf }, tokenHeader }: Dialect,
  { askExchange }: Asker,
  { url }: ResolvedTarget,
): Promise<Blocker | undefined> {
  const [lookup] = lookupSelf?.({}).exchanges ?? []
  if (!lookup) return undefined
  // An agent takes the accessor of its own token out of replies.
  const ownerOf = async (exchange: Exchange): Promise<unknown> => {
    const { reply } = await askExchange(exchange)
    return reply && isSuccess(reply) ? (fieldOf(reply, 'accessor') ?? fieldOf(reply, 'creation_time')) : undefined
  }
  const other = await ownerOf({ ...lookup, headers: { [tokenHeader]: 'assay-nobody-issued-this' } })
  const isReplaced = other !== undefined && other === (await ownerOf(lookup))
  return isReplaced ? blockerOf('token-replaced', { url }) : undefined
}
