/** Why a check has no verdict of its own: each code with its facts, its words and what helps. This is the one table of these
 * words. */
import type { Need, SafetyClass } from './words.ts'

/** Where a step says itself what went wrong, and perhaps what helps. */
interface Told {
  readonly says: string
  readonly mend?: string
}

export interface ObstacleFacts {
  readonly 'area-absent': { readonly name: string; readonly evidence: string }
  readonly 'holds-elsewhere': {
    readonly fact: 'edition' | 'version' | 'feature'
    readonly wanted: string
    readonly seen: string
    readonly source?: string
  }
  /** `declare` is the line of the profile below `declared`. */
  readonly 'fact-unknown': {
    readonly fact: 'edition' | 'version' | 'feature'
    readonly wanted: string
    readonly declare: string
  }
  readonly 'left-open': Told
  readonly 'above-the-ceiling': { readonly safety: SafetyClass; readonly ceiling: SafetyClass }
  /** `lines` are those that the profile lacks. */
  readonly 'not-provided': { readonly needs: readonly Need[]; readonly lines: readonly string[] }
  readonly 'not-initialized': object
  readonly sealed: object
  readonly 'no-token': object
  /** `told` is how the target answered to each trial of the token. */
  readonly 'token-unheard': { readonly told: string; readonly mend: string }
  readonly 'token-unanswered': { readonly told: string }
  readonly 'token-invalid': { readonly url: string; readonly told: string }
  readonly 'token-refused': { readonly url: string; readonly told: string }
  readonly 'token-untold': { readonly url: string; readonly told: string }
  readonly denied: { readonly asked: string }
  readonly 'step-denied': Told
  readonly 'step-refused': Told
  readonly 'not-shown': Told
  readonly 'step-impossible': Told
  readonly 'control-refused': Told
  /** Another check decides what this one builds on. */
  readonly 'rests-on': Told
  /** This run gave a cluster a role that it cannot end: `told` names the cluster, its role, and how to bring it back. */
  readonly 'no-way-back': { readonly told: string }
  readonly 'connection-cut': { readonly asked: string; readonly cuts: number }
  readonly 'no-reply': Told
  readonly 'target-failing': Told
  readonly 'in-the-way': Told
  readonly 'reply-too-large': Told
  readonly interrupted: Told
  readonly 'time-over': Told & { readonly seconds: number }
  readonly defect: Told
}
export type ObstacleCode = keyof ObstacleFacts

/** The coarse kinds of obstacles, by which reports filter. */
export type ObstacleKind =
  | /** The target does not have the area. */ 'area'
  | 'edition'
  | 'version'
  | 'feature'
  /** The target lacks something that the documents leave to it. */
  | 'optional'
  | 'unknown-fact'
  | 'safety'
  | 'need'
  | 'permission'
  | 'given'
  | 'control'
  /** Another check decides what this one builds on. */
  | 'rests-on'
  | 'transport'
  | 'suite'
  | 'interrupted'
  /** The longest duration of the run was reached. */
  | 'time'
  | 'failing-target'
  /** The target sent more than is received or parsed. */
  | 'reply-size'

interface Words<Code extends ObstacleCode> {
  readonly kind: ObstacleKind | ((facts: ObstacleFacts[Code]) => ObstacleKind)
  /** A clause, without capital and full stop. */
  says(facts: ObstacleFacts[Code]): string
  /** What the reader can do; absent where nothing has to be done. */
  readonly mend?: string | ((facts: ObstacleFacts[Code]) => string)
}

const says = ({ says }: Told): string => says
const policy = 'give a token with the policy that `assay plan --policy` prints'
const orElse =
  (helps: string) =>
  ({ mend = helps }: Told): string =>
    mend

export const obstacles: { readonly [Code in ObstacleCode]: Words<Code> } = {
  'area-absent': { kind: 'area', says: ({ name, evidence }) => `the target has no ${name}: ${evidence}` },
  'holds-elsewhere': {
    kind: ({ fact }) => fact,
    says: ({ fact, wanted, seen, source }) =>
      `holds for ${wanted}; ${fact === 'feature' ? seen : `the target is ${seen}`}${source ? ` (${source})` : ''}`,
  },
  'fact-unknown': {
    kind: 'unknown-fact',
    says: ({ fact, wanted }) =>
      fact === 'feature'
        ? `holds for ${wanted}, and whether the target has that is not known`
        : `holds for ${wanted}, and the target's ${fact} is not known`,
    mend: ({ declare }) => `give declared.${declare} in the profile`,
  },
  'left-open': { kind: 'optional', says },
  'above-the-ceiling': {
    kind: 'safety',
    says: ({ safety, ceiling }) => `the check is ${safety}, and this run goes no further than ${ceiling}`,
    mend: ({ safety }) =>
      `run with --safety ${safety}${safety === 'disruptive' ? ' and --allow-disruptive <cluster-id>' : ''}`,
  },
  'not-provided': {
    kind: 'need',
    says: ({ needs }) => `the profile does not provide ${needs.join(', ')}`,
    mend: ({ lines }) => `add to the profile: ${lines.join('; ')}`,
  },
  'not-initialized': {
    kind: 'need',
    says: () => 'the target is not initialized',
    mend: 'initialize and unseal it',
  },
  sealed: { kind: 'need', says: () => 'the target is sealed', mend: 'unseal it' },
  'no-token': {
    kind: 'permission',
    says: () => 'no token was given',
    mend: 'set ASSAY_TOKEN, or name one in the profile',
  },
  'token-unheard': {
    kind: 'transport',
    says: ({ told }) => `the target could not be heard about the token (${told})`,
    mend: ({ mend }) => mend,
  },
  'token-unanswered': {
    kind: 'transport',
    says: ({ told }) => `the target fails to answer about the token (${told})`,
    mend: 'run again once it answers',
  },
  'token-invalid': {
    kind: 'permission',
    says: ({ url, told }) => `${url} does not know the token: it is wrong, expired or revoked (${told})`,
    mend: 'give a token that is valid there',
  },
  'token-refused': {
    kind: 'permission',
    says: ({ url, told }) =>
      `${url} refuses the token everywhere: it is not valid there, or its policy allows nothing that a run needs (${told})`,
    mend: 'give a token that is valid there, with the policy that "assay plan --policy" prints',
  },
  'token-untold': {
    kind: 'need',
    says: ({ url, told }) => `what answers at ${url} tells nothing about the token (${told})`,
    mend: "mend the URL, or see whether a proxy answers in the target's place",
  },
  denied: {
    kind: 'permission',
    says: ({ asked }) => `${asked} was denied to the operator's token, and the target does not say that it is allowed`,
    mend: policy,
  },
  'step-denied': { kind: 'permission', says, mend: policy },
  'step-refused': {
    kind: 'given',
    says,
    mend: orElse('see the exchange: the target refused a step that must work'),
  },
  'not-shown': {
    kind: 'given',
    says,
    mend: orElse('see the exchange: its reply does not show what is to be judged'),
  },
  'step-impossible': {
    kind: 'given',
    says,
    mend: orElse('see the exchanges of the check: what it needs did not come about'),
  },
  'control-refused': {
    kind: 'control',
    says,
    mend: orElse('see the exchange: the target refused a step that must work'),
  },
  'rests-on': { kind: 'rests-on', says, mend: orElse('see the check that decides it') },
  'no-way-back': {
    kind: 'given',
    says: ({ told }) => `this run gives no further cluster a role, since it cannot take one back: ${told}`,
    mend: 'bring that cluster back by hand, see why it refuses the way back and that the key shares are right, and run again',
  },
  'connection-cut': {
    kind: 'transport',
    says: ({ asked, cuts }) =>
      `the target cut the connection at ${asked} (${cuts === 1 ? 'once' : `${cuts} times of ${cuts}`}), and answers other requests`,
    mend: 'see what the log of the target, or of the proxy before it, says about this request',
  },
  'no-reply': {
    kind: 'transport',
    says,
    mend: 'see whether the network lets requests through to the target, and run again',
  },
  'target-failing': {
    kind: 'failing-target',
    says,
    mend: 'see whether the target is up, and what stands in front of it, and run again',
  },
  'in-the-way': {
    kind: 'failing-target',
    says,
    mend: 'run again once what stands before the target lets requests through; a server that refuses with such a status cannot be judged by its refusals',
  },
  'reply-too-large': {
    kind: 'reply-size',
    says,
    mend: 'see why the target sends so much; README lists the bounds on what is received',
  },
  interrupted: { kind: 'interrupted', says, mend: 'run again' },
  'time-over': {
    kind: 'time',
    says,
    mend: ({ seconds }) => `give it more time with --max-duration, now ${seconds}, or fewer checks`,
  },
  defect: { kind: 'suite', says, mend: 'report this defect of the suite' },
}

/** Why a check has no verdict of its own. */
export interface Blocker {
  readonly kind: ObstacleKind
  /** With its facts: what the words follow from. Absent in results of versions that did not know them. */
  readonly code?: ObstacleCode
  readonly facts?: object
  readonly reason: string
  /** What the reader can do about it. */
  readonly mend?: string
  /** The request that went wrong: its index in `exchanges`. Absent where no request did, or it was not recorded. */
  readonly exchange?: number | undefined
}

export function blockerOf<Code extends ObstacleCode>(
  code: Code,
  facts: ObstacleFacts[Code],
  exchange?: number,
): Blocker {
  const { kind, says, mend } = obstacles[code]
  const helps = typeof mend === 'function' ? mend(facts) : mend
  return {
    ...{ kind: typeof kind === 'function' ? kind(facts) : kind, code, facts, reason: says(facts) },
    ...(helps === undefined ? {} : { mend: helps }),
    ...(exchange === undefined ? {} : { exchange }),
  }
}
