import { askedBy, type Circumstance, type Exchange, type Neighbours } from '../../vocabulary/index.ts'
import { mainCluster } from '../clusters.ts'

interface Sending {
  /** True if the judged request should be refused. */
  readonly refuses: boolean
  readonly control: Exchange | undefined
}

/** Returns whether a request can be sent before with the same effect. */
const isRepeatable = ({ as = 'operator', undo, orUndo, once, isTrigger, isExact, rawBody }: Exchange): boolean =>
  as === 'operator' && !(undo || orUndo || once || isTrigger || isExact) && rawBody === undefined

/** The requests for other objects that come before some requests of one check. Each is sent once. */
export class NeighboursFirst {
  #waiting: readonly Neighbours[]
  #hasUsedMount = false

  constructor(circumstances: readonly Circumstance[]) {
    this.#waiting = circumstances.flatMap((one) => (one.id === 'neighbours' ? one.neighbours : []))
  }

  /** Returns what to send before a request. `isRefused`: it should be refused, so it is not sent before. */
  before(exchange: Exchange, isRefused: boolean): readonly Exchange[] {
    const { path, cluster = mainCluster } = exchange
    if (!path.startsWith('{mount}/') || cluster !== mainCluster) return []
    const isDue = ({ before, ahead }: Neighbours): boolean => ahead === undefined && before.test(askedBy(exchange))
    const due = this.#waiting.filter((one) => isDue(one) && !(one.isFirst && this.#hasUsedMount))
    this.#hasUsedMount = true
    this.#waiting = this.#waiting.filter((one) => !isDue(one))
    const canRepeat = isRepeatable(exchange) && !isRefused
    return due.flatMap(({ sends, repeats = 0 }) => [
      ...sends,
      ...Array<Exchange>(canRepeat ? repeats : 0).fill(exchange),
    ])
  }

  /** Returns what was to be sent before requests that did not come. */
  left(): readonly Exchange[] {
    return this.#waiting.flatMap(({ sends }) => sends)
  }

  /** Returns the judged request as often as it is sent before anything is looked at. If it should be refused, that is its
   * control, if it goes to the same path. */
  ahead(exchange: Exchange, { refuses, control }: Sending): readonly Exchange[] {
    const served = refuses ? control : exchange
    if (!served || askedBy(served) !== askedBy(exchange) || !isRepeatable(served)) return []
    const due = this.#waiting.filter(({ before }) => before.test(askedBy(exchange)))
    return due.flatMap(({ ahead = 0 }) => Array<Exchange>(ahead).fill(served))
  }
}
