import { askedBy, type Circumstance, type Exchange, isObject, type RecordedExchange } from '../../vocabulary/index.ts'

interface Sending {
  readonly circumstances: readonly Circumstance[]
  readonly phase: RecordedExchange['phase']
  /** True if the judged request should be refused. */
  readonly refuses: boolean
  readonly control: Exchange | undefined
}

/** Returns a request with the fields that it has besides those that are written. One that should be refused has them only if
 * its control has them as well. */
export function accompanied(exchange: Exchange, { circumstances, phase, refuses, control }: Sending): Exchange {
  if (phase === 'when' && refuses && control === undefined) return exchange
  const { body, rawBody, isExact, words } = exchange
  const companions = circumstances.flatMap((one) => (one.id === 'companions' ? one.companions : []))
  if (companions.length === 0 || isExact || rawBody !== undefined || !isObject(body)) return exchange
  const added = companions.filter(
    ({ to, field, notBeside = field, beside = {} }) =>
      to.test(askedBy(exchange)) &&
      body[field] === undefined &&
      body[notBeside] === undefined &&
      Object.entries(beside).every(([name, value]) => body[name] === value),
  )
  if (added.length === 0) return exchange
  const names = added.map(({ field }) => `\`${field}\``).join(', ')
  return {
    ...exchange,
    body: { ...body, ...Object.fromEntries(added.map(({ field, value }) => [field, value])) },
    words: [words ?? [], `sent with ${names} besides`].flat().join(', '),
  }
}
