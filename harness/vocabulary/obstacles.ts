/** These codes, with their facts, say what can stand in the way of a check. The words are in `reasons.ts`. */
import type { Need, SafetyClass } from './words.ts'

/** A sentence of somebody else: of the documents, a runtime or the wire. No step of a suite has these facts. */
interface Quoted {
  readonly says: string
}

/** A request and what came back: `500 the mount exists`. */
export interface Answered {
  readonly asked: string
  readonly answer: string
  /** This names the cluster where it is not the one under test. */
  readonly cluster?: string
}

/** A request whose reply was to show something before anything is judged. */
export interface FoundOtherwise {
  readonly asked: string
  readonly at: string
  readonly wanted: string
  readonly saw: string
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
  readonly 'left-open': Quoted
  readonly 'above-the-ceiling': { readonly safety: SafetyClass; readonly ceiling: SafetyClass }
  /** `lines` are those that the profile lacks. */
  readonly 'not-provided': { readonly needs: readonly (Need | string)[]; readonly lines: readonly string[] }
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
  /** `as` is absent where the operator's token was refused. */
  readonly 'step-denied': { readonly asked: string; readonly answer: string; readonly as?: string }
  readonly 'step-refused': Answered
  readonly 'control-refused': Answered
  readonly 'not-shown': Answered & { readonly what: string }
  readonly unreadable: Answered
  readonly 'not-as-prepared': FoundOtherwise
  /** Another check decides what this one builds on. */
  readonly 'rests-on': FoundOtherwise & { readonly check: string }
  /** `what` completes "waited for …". */
  readonly 'not-in-time': { readonly what: string; readonly saw: string }
  readonly 'no-effect': { readonly asked: string; readonly seenBy: string }
  /** Something is said to be there and is not. */
  readonly indistinct: { readonly asked: string; readonly absent: string }
  /** It moves without the request that is judged. */
  readonly restless: { readonly what: string }
  readonly 'saved-invalid': { readonly name: string; readonly what: string }
  readonly 'value-too-long': {
    readonly asked: string
    readonly name: string
    readonly length: number
    readonly most: number
  }
  readonly 'data-may-be-lost': { readonly cluster: string }
  readonly 'no-date': { readonly asked: string }
  readonly 'picture-too-large': { readonly asked: string; readonly width: number; readonly height: number }
  readonly 'dialect-lacks': { readonly dialect: string; readonly operation: string }
  readonly 'cluster-in-use': { readonly asked: string; readonly cluster: string; readonly saw: string }
  readonly 'cluster-closed': { readonly cluster: string; readonly why: string }
  readonly 'shares-insufficient': { readonly cluster: string; readonly given: number }
  readonly 'wait-too-long': { readonly why: string; readonly seconds: number; readonly most: number }
  readonly 'control-listener': { readonly operation: string; readonly answer: string }
  readonly 'provider-not-called': { readonly address: string; readonly answers: string; readonly wasAsked: boolean }
  readonly 'provider-shows-no': { readonly what: string; readonly asked?: string }
  readonly 'provider-log-full': object
  readonly 'plugin-unusable': { readonly step: 'registered' | 'used'; readonly asked: string; readonly answer: string }
  readonly 'plugin-version-fixed': { readonly command: string; readonly version: string }
  readonly 'plugin-of-other-type': { readonly command: string; readonly type: string }
  readonly 'plugin-use-unseen': { readonly asked: string }
  readonly 'journal-unwritable': { readonly file: string; readonly why: string }
  /** This run gave a cluster a role that it cannot end: `told` names the cluster, its role, and how to bring it back. */
  readonly 'no-way-back': { readonly told: string }
  readonly 'connection-cut': { readonly asked: string; readonly cuts: number }
  readonly 'poll-unanswered': { readonly asked: string; readonly trouble: string }
  readonly 'no-reply': { readonly asked: string; readonly trouble: string }
  readonly 'target-failing': Quoted
  readonly 'in-the-way': { readonly asked: string; readonly status: number; readonly attempts: number }
  readonly 'reply-too-large': { readonly asked: string; readonly trouble: string }
  readonly interrupted: object
  readonly 'time-over': { readonly seconds: number }
  readonly defect: Quoted
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

/** A blocker says why a check has no verdict of its own. */
export interface Blocker {
  readonly kind: ObstacleKind
  /** With its facts: what the words follow from. Absent in results of versions that did not know them. */
  readonly code?: ObstacleCode
  readonly facts?: object
  readonly reason: string
  /** The reader can do this about it. */
  readonly mend?: string
  /** The request that went wrong: its index in `exchanges`. Absent where no request did, or it was not recorded. */
  readonly exchange?: number | undefined
}
