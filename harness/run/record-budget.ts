import { sizeBounds, type Verdict } from '../vocabulary/index.ts'

/** The detail says how much of an exchange is recorded: everything, status and sizes only, or nothing. */
export type Detail = 'full' | 'brief' | 'none'

const { recordedRun, recordedReserve, recordedBrief } = sizeBounds

/** The budget limits what the results of a run hold in exchanges: a target that sends much would otherwise fill memory
 * and reports. */
export class RecordBudget {
  #full: number = recordedRun.value
  #reserve: number = recordedReserve.value
  #brief: number = recordedBrief.value

  /** Says how the next exchange of a check with this verdict is recorded. */
  detailFor(verdict: Verdict): Detail {
    if (this.#full > 0 || (verdict !== 'pass' && this.#reserve > 0)) return 'full'
    return this.#brief > 0 ? 'brief' : 'none'
  }

  spend(detail: Detail, characters: number): void {
    if (detail === 'none') return
    if (detail === 'brief') this.#brief -= characters
    else if (this.#full > 0) this.#full -= characters
    else this.#reserve -= characters
  }
}
