import { askedBy, type Companion, type Exchange, isObject } from '../../vocabulary/index.ts'

/** Returns a request with the fields that it has besides those that are written. */
export function accompanied(exchange: Exchange, companions: readonly Companion[]): Exchange {
  const { body, rawBody, isExact, words } = exchange
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
