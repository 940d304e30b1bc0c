/** The obstacles that can keep a check from its own verdict, as codes with facts. Their wording is in `reasons.ts`. */
import type { Need, SafetyClass } from './words.ts'

/** A sentence that comes from elsewhere: from the documents, a runtime or the wire. No step of a suite has these
 * facts. */
interface Quoted {
  readonly says: string
}

/** A request and its reply in short: `500 the mount exists`. */
export interface Answered {
  readonly asked: string
  readonly answer: string
  /** The name of the cluster if it is not the one under test. */
  readonly cluster?: string
}

/** A request whose reply, before anything is judged, differs from what the check needs. */
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
  /** `declare` is the key to add below `declared` in the profile. */
  readonly 'fact-unknown': {
    readonly fact: 'edition' | 'version' | 'feature'
    readonly wanted: string
    readonly declare: string
  }
  readonly 'left-open': Quoted
  readonly 'above-the-ceiling': { readonly safety: SafetyClass; readonly ceiling: SafetyClass }
  /** `lines` are the lines that the profile lacks. */
  readonly 'not-provided': { readonly needs: readonly (Need | string)[]; readonly lines: readonly string[] }
  readonly 'not-initialized': object
  readonly sealed: object
  readonly 'no-token': object
  /** `told` lists the replies to the requests that tried the token. */
  readonly 'token-unheard': { readonly told: string; readonly mend: string }
  readonly 'token-unanswered': { readonly told: string }
  readonly 'token-invalid': { readonly url: string; readonly told: string }
  readonly 'token-refused': { readonly url: string; readonly told: string }
  readonly 'token-untold': { readonly url: string; readonly told: string }
  readonly 'token-replaced': { readonly url: string }
  readonly 'token-counted': { readonly uses: number }
  /** `lacks` is in the words of policies, such as `update on sys/policies/acl/assay-*`. `isReported`: the target says
   * itself that the token lacks this. */
  readonly denied: { readonly asked: string; readonly lacks: string; readonly isReported: boolean }
  /** The check was not started, because the token may make something that it may not take back. */
  readonly 'not-undoable': { readonly asked: string; readonly lacks: string }
  /** The target also refuses the requests by which a token looks itself up. */
  readonly 'token-lost': { readonly asked: string }
  /** `as` is absent if the operator's token was refused. */
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
  /** The request also succeeds for something that does not exist. */
  readonly indistinct: { readonly asked: string; readonly absent: string }
  /** The value changes even without the judged request. */
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
  /** This run gave a cluster a role and cannot end it: `told` names the cluster, its role, and how to restore the
   * cluster. */
  readonly 'no-way-back': { readonly told: string }
  /** How long this machine stood still, how late the provider stub was, and how many of its replies were cut off. */
  readonly 'own-side': { readonly stalledMs: number; readonly lateMs: number; readonly cutOff: number }
  readonly 'connection-cut': { readonly asked: string; readonly cuts: number }
  /** `words` says what the nodes of the target show. */
  readonly 'nodes-differ': { readonly asked: string; readonly words: string }
  readonly 'poll-unanswered': { readonly asked: string; readonly trouble: string }
  readonly 'no-reply': { readonly asked: string; readonly trouble: string }
  readonly 'target-failing': Quoted
  readonly 'in-the-way': { readonly asked: string; readonly status: number; readonly attempts: number }
  /** `who` names what replied in place of the target, and how. */
  readonly 'gateway-answered': { readonly asked: string; readonly status: number; readonly who: string }
  readonly 'query-strings-lost': { readonly asked: string }
  readonly 'reply-too-large': { readonly asked: string; readonly trouble: string }
  readonly 'secret-as-id': object
  readonly interrupted: object
  readonly 'time-over': { readonly seconds: number }
  readonly 'failed-fast': object
  readonly defect: Quoted
}
export type ObstacleCode = keyof ObstacleFacts

/** The coarse kinds of obstacles; reports filter by them. */
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
  /** The run reached its maximum duration. */
  | 'time'
  | 'failing-target'
  /** The target sent more than the harness receives or parses. */
  | 'reply-size'

/** Why a check has no verdict of its own. */
export interface Blocker {
  readonly kind: ObstacleKind
  /** `code` and `facts` determine the wording. Absent in results of versions that did not know them. */
  readonly code?: ObstacleCode
  readonly facts?: object
  readonly reason: string
  /** What the reader can do about it. */
  readonly mend?: string
  /** The index in `exchanges` of the request that went wrong. Absent if no request did, or if it was not recorded. */
  readonly exchange?: number | undefined
}
