/** The result document (`result.json`), which a run writes and from which every report is rendered. */

import type { Mismatch, Refusal } from './check.ts'
import type { History } from './history.ts'
import type { Blocker } from './obstacles.ts'
import type { Documents, Requirement } from './requirement.ts'
import type { AbsentArea, Acceptable, AcceptedEntry, Cause, LeftOut, RunVerdict } from './run-verdict.ts'
import type { Facts } from './target.ts'
import type { Area, FailLevel, Kind, Level, SafetyClass, Verdict } from './words.ts'

export const resultSchemaId = 'assay/result/2'

/** One attempt to get a reply; a retried exchange has several. Everything is redacted before it is stored here. */
export interface RecordedAttempt {
  readonly sentAt: string
  /** Milliseconds from the first byte sent to the last byte received. */
  readonly durationMs: number
  readonly status?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** Text, or base64 if the bytes are not UTF-8. `responseCut` marks a truncated body. */
  readonly responseBody?: string
  readonly responseEncoding?: 'utf8' | 'base64'
  readonly responseBytes?: number
  readonly responseCut?: boolean
  /** A transport error, in one sentence. */
  readonly trouble?: string
}

export interface RecordedExchange {
  readonly phase: 'given' | 'before' | 'when' | 'then' | 'control' | 'undo' | 'probe'
  readonly words?: string
  readonly method: string
  /** Absolute, with templates filled in. */
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody?: string
  /** Who sent the request: `operator`, `nobody`, or the name of a token that the check made. */
  readonly as: string
  /** Who received it, if not the target: `provider`, or the name of a further cluster. Also absent in results of versions
   * that did not know it. */
  readonly to?: string
  /** It prepared the ground of this check, and was sent for an earlier check. */
  readonly isShared?: true
  readonly attempts: readonly RecordedAttempt[]
}

/** A mismatch and the index in `then` of the expectation that found it; a condition of the topic has no index. In a
 * result, `exchange` is the index in `exchanges` of the exchange that contradicts the expectation; it is absent if that
 * exchange was not recorded. */
export interface FoundMismatch extends Mismatch {
  readonly expectation?: number
  /** The requirement that is contradicted; if absent, every requirement of the check. */
  readonly requirement?: string
}

/** A mismatch with a requirement that the check does not decide, and the address of the check that reports it. */
export interface Rest extends FoundMismatch {
  readonly requirement: string
  readonly check: string
  /** True if the requirement underlies the part of the reply or what the check decides, so that the check could not
   * judge it. */
  readonly isUnderlying?: true
}

export interface CheckResult {
  readonly id: string
  /** The file and line of the check: `suites/policies/errors.ts:36`. Absent in results of versions that did not know
   * it. */
  readonly definedAt?: string
  readonly topic: string
  readonly area: Area
  readonly kind: Kind
  readonly level: Level
  readonly safety: SafetyClass
  readonly requirements: readonly string[]
  readonly verdict: Verdict
  /** The verdict on ground that the check shared with others. Only `pass` counts there: after any other, the check was
   * judged again on ground of its own. */
  readonly onShared?: Verdict
  readonly blocker?: Blocker
  readonly mismatches: readonly FoundMismatch[]
  /** Mismatches that are reported already: by another check, or by this one under a requirement that it decides. They
   * have no influence on the verdict. */
  readonly rests?: readonly Rest[]
  /** What the check found about the requirements that it decides. Present only if it also found mismatches with other
   * requirements; those that no other check reports are among its `mismatches`, and decide its `verdict`. */
  readonly own?: Pick<CheckResult, 'verdict' | 'blocker' | 'mismatches'>
  /** The statements that it contradicts, if it contradicts any. Absent in results of versions that did not know
   * them. */
  readonly breaks?: readonly string[]
  /** Absent if it decides no refusal of what a request says, and in results of versions that did not know it. */
  readonly refusal?: Refusal
  /** For `accepted`: the verdict that the check would otherwise have, and the list entry that accepts it. Mismatches
   * and blocker are kept. */
  readonly accepted?: { readonly was: Acceptable } & Pick<AcceptedEntry, 'at' | 'reason' | 'owner' | 'issue' | 'until'>
  readonly given: readonly string[]
  readonly when: string
  readonly then: readonly string[]
  readonly control?: string
  /** The values that the names in these texts had in this run, as far as the recorded exchanges show them. Absent in
   * results of versions that did not know them. */
  readonly names?: Readonly<Record<string, string>>
  /** Faults that this check has noticed: mutants of the reference server, and faults on the wire that it was the first
   * to notice. Absent in results of versions that did not know them. */
  readonly provenBy?: { readonly mutants: readonly string[]; readonly faults: readonly string[] }
  readonly exchanges: readonly RecordedExchange[]
  readonly startedAt: string
  readonly durationMs: number
  /** How long the check waited before that for its turn, in milliseconds, and the lock that it held. Absent if it held
   * none and did not wait, and in results of versions that did not know it. */
  readonly turn?: { readonly lock?: string; readonly waitedMs: number }
}

/** A remark that does not belong to a single check: declared and observed facts disagree, a clock is skewed, … */
export interface Finding {
  readonly severity: 'note' | 'warning' | 'error'
  readonly code: string
  readonly text: string
}

/** How long a part of a run took; measured under `--timings`. */
export interface Timing {
  /** `check <address>`, `turn of <address>` (the wait for a lock), `import <topics>`, `request` or `control request`
   * (the wait for one reply), or a description of a step of the run. */
  readonly name: string
  /** Milliseconds from the start of the run; negative for what happened before its first request. */
  readonly startMs: number
  readonly durationMs: number
}

export interface Capability {
  readonly path: string
  readonly capabilities: readonly string[]
}

export interface ResultDocument {
  readonly schema: typeof resultSchemaId
  readonly suite: { readonly name: 'assay'; readonly version: string; readonly commit: string | null }
  readonly register: {
    /** The SHA-256 hash of the requirements. */
    readonly hash: string
    /** The SHA-256 hash of what the checks of this result send and expect. Absent in results of versions that did not
     * know it. */
    readonly definitions?: string
    readonly requirements: readonly Requirement[]
    /** Absent in results of versions that did not know them. */
    readonly documents?: Documents
    /** The paths that the documents state: `{pki}/roles/:name`. Absent in results of versions that did not know
     * them. */
    readonly paths?: readonly string[]
    /** What the faults in `provenBy` do, by id. Absent in results of versions that did not know them. */
    readonly faults?: Readonly<Record<string, string>>
  }
  readonly run: {
    readonly id: string
    readonly startedAt: string
    readonly finishedAt: string
    readonly durationMs: number
    /** Milliseconds of wall time from the start of the first check to the end of the last one. */
    readonly judgingMs: number
    readonly seed: number
    /** The number of checks that ran at once; the initial number if it was adapted to the target. */
    readonly jobs: number
    /** The lowest and the highest number of checks at once, if it was adapted to the target. */
    readonly adapted?: { readonly fewest: number; readonly most: number }
    readonly safety: SafetyClass
    readonly selection: {
      readonly areas: readonly Area[]
      /** The areas that were requested by name. */
      readonly asked: readonly Area[]
      /** The addresses of the selected checks, without the checks that were left out. */
      readonly checks: readonly string[]
      readonly level: Level
    }
    readonly leftOut: readonly LeftOut[]
    /** The level from which on a contradicted sentence makes the run fail. Absent if it is `must`. */
    readonly failOn?: FailLevel
    readonly shard?: { readonly index: number; readonly of: number }
    readonly interrupted: boolean
    /** In the order in which they began; absent unless requested. Timings of different threads overlap. */
    readonly timings?: readonly Timing[]
    /** Everything else that determines the behaviour of a run. Absent in results of versions that did not know it. */
    readonly conditions?: {
      /** The command that repeats the run, given the same suite, files and environment. */
      readonly command: string
      readonly node: string
      readonly timeoutSeconds: number
      readonly maxRps: number
      readonly maxWaitSeconds: number
      readonly maxDurationSeconds?: number
      readonly patienceSeconds: number
      readonly immediateSeconds?: number
      /** The input files of the run with their SHA-256 hashes, computed after secrets have been replaced. */
      readonly inputs: readonly {
        readonly name: 'profile' | 'accepted findings' | 'baseline'
        readonly sha256: string
      }[]
    }
  }
  readonly target: {
    /** Without user info and query. */
    readonly url: string
    readonly name: string
    /** How the target was set up or reached, in the words of its profile. */
    readonly note?: string
    readonly dialect: string
    readonly insecure: boolean
    readonly declared: Facts
    readonly observed: Facts
    readonly facts: Facts
    /** The evidence for each observed fact. */
    readonly evidence: Readonly<Record<string, string>>
    readonly sealed?: boolean
    readonly clockSkewMs?: number
    readonly absentAreas: readonly AbsentArea[]
    readonly capabilities: readonly Capability[]
    readonly probe: readonly RecordedExchange[]
  }
  readonly findings: readonly Finding[]
  readonly checks: readonly CheckResult[]
  /** What the findings have in common, the worst first. */
  readonly causes: readonly Cause[]
  /** The objects that the run created and could not remove. */
  readonly leftBehind: readonly string[]
  /** The list of accepted findings that was passed to the run. */
  readonly accepted: readonly AcceptedEntry[]
  /** Present if a history was passed to the run. */
  readonly history?: History
  readonly verdict: RunVerdict
  readonly counts: Readonly<Record<Verdict, number>>
}
