/** The states of the CA of a mount (document 2, States and transitions). An event without a cell is refused. */

import type { CaState } from '../store.ts'

export type CaEvent =
  | 'generateRoot'
  | 'overwriteRoot'
  | 'deleteRoot'
  | 'configCa'
  | 'generateIntermediate'
  | 'setSigned'

/** What a transition does to a part of the CA. */
export type Part = 'new' | 'kept' | 'gone'

export interface CaStep {
  readonly next: CaState
  /** The key that signs, together with its certificate. */
  readonly key: Part
  readonly certificate: Part
  /** The certificate that everyone reads. */
  readonly shown: Part
  /** The keys of certificate requests. */
  readonly requested: Part
}

export const replaced: CaStep = { next: 'present', key: 'new', certificate: 'new', shown: 'new', requested: 'gone' }
const nothingNew = { key: 'kept', certificate: 'kept', shown: 'kept', requested: 'kept' } as const
export const unchanged = (state: CaState): CaStep => ({ next: state, ...nothingNew })
/** The previous key is overwritten. */
const requested: CaStep = { next: 'awaiting', key: 'gone', certificate: 'gone', shown: 'kept', requested: 'new' }
const signed: CaStep = { next: 'present', key: 'new', certificate: 'new', shown: 'new', requested: 'kept' }
/** The old certificate stays readable until a new one is generated or uploaded. */
const deleted: CaStep = { next: 'keyless', key: 'gone', certificate: 'gone', shown: 'kept', requested: 'gone' }

export type CaSteps = Readonly<Record<CaState, Readonly<Partial<Record<CaEvent, CaStep>>>>>

export const caSteps: CaSteps = {
  none: { generateRoot: replaced, deleteRoot: unchanged('none'), configCa: replaced, generateIntermediate: requested },
  present: {
    generateRoot: unchanged('present'),
    overwriteRoot: replaced,
    deleteRoot: deleted,
    configCa: replaced,
    generateIntermediate: requested,
    setSigned: signed,
  },
  keyless: { generateRoot: replaced, deleteRoot: deleted, configCa: replaced, generateIntermediate: requested },
  awaiting: {
    generateRoot: replaced,
    deleteRoot: deleted,
    configCa: replaced,
    generateIntermediate: requested,
    setSigned: signed,
  },
}

/** Before this version, generating a root replaces a CA that is present (document 2, Versioning, rule 1). */
export const rootOverwritesBefore = '0.8.1'
