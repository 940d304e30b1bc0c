/** The result document (`result.json`): what a run leaves behind and every report is rendered from. */

import type { Mismatch } from './check.ts'
import type { History } from './history.ts'
import type { Blocker } from './obstacles.ts'
import type { Documents, Requirement } from './requirement.ts'
import type { AbsentArea, Acceptable, AcceptedEntry, Cause, LeftOut, RunVerdict } from './run-verdict.ts'
import type { Facts } from './target.ts'
import type { Area, Kind, Level, SafetyClass, Verdict } from './words.ts'

export const resultSchemaId = 'assay/result/2'

/** One attempt to get one reply; a retried exchange has several. Everything is redacted before it gets here. */
export interface RecordedAttempt {
  readonly sentAt: string
  /** Milliseconds from the first byte sent to the last byte received. */
  readonly durationMs: number
  readonly status?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** Text, or base64 where the bytes are not UTF-8; cut bodies say so. */
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
  /** Absolute, templates filled. */
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody?: string
  /** This caller asked: `operator`, `nobody`, or the name of a token made by the check. */
  readonly as: string
  readonly attempts: readonly RecordedAttempt[]
}

/** A mismatch and the index in `then` of the expectation that found it. In a result, `exchange` is the index of the
 * contradicted exchange in `exchanges`; it is absent where that was not recorded. */
export interface FoundMismatch extends Mismatch {
  readonly expectation: number
}

export interface CheckResult {
  readonly id: string
  /** Its file and line in the suite: `suites/policies/errors.ts:36`. Absent in results of versions that did not know it. */
  readonly definedAt?: string
  readonly topic: string
  readonly area: Area
  readonly kind: Kind
  readonly level: Level
  readonly safety: SafetyClass
  readonly requirements: readonly string[]
  readonly verdict: Verdict
  readonly blocker?: Blocker
  readonly mismatches: readonly FoundMismatch[]
  /** For `accepted`: what it would be otherwise, and the entry of the list that accepts it. Mismatches and blocker stay. */
  readonly accepted?: { readonly was: Acceptable } & Pick<AcceptedEntry, 'at' | 'reason' | 'owner' | 'issue' | 'until'>
  readonly given: readonly string[]
  readonly when: string
  readonly then: readonly string[]
  readonly control?: string
  /** What the names in these words stood for in this run, as far as the recorded exchanges show it. Absent in results of
   * versions that did not know it. */
  readonly names?: Readonly<Record<string, string>>
  /** Faults that this check has noticed: those of the reference server, and those on the wire for which it was the first to
   * do so. Absent in results of versions that did not know them. */
  readonly provenBy?: { readonly mutants: readonly string[]; readonly faults: readonly string[] }
  readonly exchanges: readonly RecordedExchange[]
  readonly startedAt: string
  readonly durationMs: number
}

/** Something the reader must know that is no check's verdict: declared and observed facts disagree, skewed clocks, ... */
export interface Finding {
  readonly severity: 'note' | 'warning' | 'error'
  readonly code: string
  readonly text: string
}

/** A timing tells how long a part of a run took. It is measured under `--timings`. */
export interface Timing {
  /** It is `check <address>`, `turn of <address>` (the wait for a lock), `import <topics>`, `request` or `control request`
   * (the wait for one reply), or a step of the run in words. */
  readonly name: string
  /** It counts milliseconds from the start of the run, and is below zero for what came before its first request. */
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
    /** The SHA-256 sum of the requirements. */
    readonly hash: string
    /** The SHA-256 sum of what the checks of this result do and want. Absent in results of versions that did not know it. */
    readonly definitions?: string
    readonly requirements: readonly Requirement[]
    /** Absent in results of versions that did not know them. */
    readonly documents?: Documents
    /** The paths that the documents state: `{pki}/roles/:name`. Absent as above. */
    readonly paths?: readonly string[]
    /** What the faults do that checks are proven by, by id. Absent as above. */
    readonly faults?: Readonly<Record<string, string>>
  }
  readonly run: {
    readonly id: string
    readonly startedAt: string
    readonly finishedAt: string
    readonly durationMs: number
    /** Wall time of judging alone, first check to last. */
    readonly judgingMs: number
    readonly seed: number
    /** So many checks ran at once: at first, where the number has adapted to the target. */
    readonly jobs: number
    /** The number of checks at once was between these, where it has adapted to the target. */
    readonly adapted?: { readonly fewest: number; readonly most: number }
    readonly safety: SafetyClass
    readonly selection: {
      /** Those of the checks. */
      readonly areas: readonly Area[]
      /** Those that were asked for by name. */
      readonly asked: readonly Area[]
      /** Addresses, without what was left out. */
      readonly checks: readonly string[]
      readonly level: Level
    }
    readonly leftOut: readonly LeftOut[]
    readonly shard?: { readonly index: number; readonly of: number }
    readonly interrupted: boolean
    /** They stand in the order in which they began, where a run was asked for them. Threads overlap. */
    readonly timings?: readonly Timing[]
    /** What else decides what a run does. Absent in results of versions that did not know it. */
    readonly conditions?: {
      /** Repeats the run, given the same suite, files and environment. */
      readonly command: string
      readonly node: string
      readonly timeoutSeconds: number
      readonly maxRps: number
      readonly maxWaitSeconds: number
      readonly maxDurationSeconds?: number
      readonly patienceSeconds: number
      readonly immediateSeconds?: number
      /** The files that the run was given, with their SHA-256 sums; secrets are replaced first. */
      readonly inputs: readonly {
        readonly name: 'profile' | 'accepted findings' | 'baseline'
        readonly sha256: string
      }[]
    }
  }
  readonly target: {
    /** Without user info or query. */
    readonly url: string
    readonly name: string
    /** How the target was made or reached, in the words of its profile. */
    readonly note?: string
    readonly dialect: string
    readonly insecure: boolean
    readonly declared: Facts
    readonly observed: Facts
    readonly facts: Facts
    /** For each observed fact: what it was read from. */
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
  /** Objects that the run made and could not take back. */
  readonly leftBehind: readonly string[]
  /** The list of accepted findings that the run was given. */
  readonly accepted: readonly AcceptedEntry[]
  /** Where the run was given a history. */
  readonly history?: History
  readonly verdict: RunVerdict
  readonly counts: Readonly<Record<Verdict, number>>
}
