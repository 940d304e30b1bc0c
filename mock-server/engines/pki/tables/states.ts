/** The states of the CA of a mount (document 2, States and transitions). An absent cell is a refusal. */

export type CaState =
  /** No CA yet. */
  | 'none'
  /** Certificate and key: it can sign. */
  | 'present'
  /** The key was deleted; the certificate is still shown. */
  | 'keyless'
  /** A key and a request for it; no certificate for that key yet. */
  | 'awaiting'

export type CaEvent =
  | 'generateRoot'
  | 'overwriteRoot'
  | 'deleteRoot'
  | 'configCa'
  | 'generateIntermediate'
  | 'setSigned'

/** What becomes of a part of the CA: `kept-if-any` is new only where there was none, `added` is new beside the old. */
export type Part = 'new' | 'kept' | 'gone' | 'kept-if-any' | 'added'

export interface CaStep {
  readonly next: CaState
  /** Signs, together with the certificate that belongs to it. */
  readonly key: Part
  readonly certificate: Part
  /** The certificate that everybody reads. */
  readonly shown: Part
  /** The key of the last request for a certificate. */
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
  none: {
    generateRoot: replaced,
    deleteRoot: unchanged('none'),
    configCa: replaced,
    generateIntermediate: requested,
  },
  present: {
    generateRoot: unchanged('present'),
    overwriteRoot: replaced,
    deleteRoot: deleted,
    configCa: replaced,
    generateIntermediate: requested,
    setSigned: signed,
  },
  keyless: {
    generateRoot: replaced,
    deleteRoot: deleted,
    configCa: replaced,
    generateIntermediate: requested,
  },
  awaiting: {
    generateRoot: replaced,
    deleteRoot: deleted,
    configCa: replaced,
    generateIntermediate: requested,
    setSigned: signed,
  },
}

/** Whether a root is generated over a CA that is present, by version (document 2, Versioning, rule 1). */
export const rootOverwrites = { since: '0.8.1', before: true, after: false }
