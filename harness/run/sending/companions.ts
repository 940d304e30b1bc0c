import {
  askedBy,
  type Circumstance,
  type Companion,
  type Exchange,
  isObject,
  type Json,
  type RecordedExchange,
} from '../../vocabulary/index.ts'

interface Sending {
  readonly phase: RecordedExchange['phase']
  /** True if the judged request should be refused. */
  readonly refuses: boolean
  readonly control: Exchange | undefined
}

/** The fields that requests of one check have besides those that are written. */
export class Companions {
  /** The circumstances of which some request has a field. */
  readonly added = new Set<Circumstance>()
  readonly #all: readonly { readonly circumstance: Circumstance; readonly companion: Companion }[]

  constructor(circumstances: readonly Circumstance[]) {
    this.#all = circumstances.flatMap((circumstance) =>
      'companions' in circumstance ? circumstance.companions.map((companion) => ({ circumstance, companion })) : [],
    )
  }

  /** Returns a request with its further fields. One that should be refused has them only if its control has them as well. */
  with(exchange: Exchange, { phase, refuses, control }: Sending): Exchange {
    if (phase === 'when' && refuses && control === undefined) return exchange
    const { body, rawBody, isExact, words } = exchange
    if (this.#all.length === 0 || isExact || rawBody !== undefined || !isObject(body)) return exchange
    const added = this.#all.filter(({ companion }) => canHave(exchange, body, companion))
    if (added.length === 0) return exchange
    for (const { circumstance } of added) this.added.add(circumstance)
    const fields = added.map(({ companion: { field, value } }) => [field, value] as const)
    const names = fields.map(([field]) => `\`${field}\``).join(', ')
    return {
      ...exchange,
      body: { ...body, ...Object.fromEntries(fields) },
      words: [words ?? [], `sent with ${names} besides`].flat().join(', '),
    }
  }
}

const canHave = (
  exchange: Exchange,
  body: Readonly<Record<string, Json>>,
  { to, field, notBeside = field, beside = {} }: Companion,
): boolean =>
  to.test(askedBy(exchange)) &&
  body[field] === undefined &&
  body[notBeside] === undefined &&
  Object.entries(beside).every(([name, value]) => body[name] === value)
