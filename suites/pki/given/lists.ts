/** Requests a revocation list until it exists, since a server may make it late. */
import { type Ceremony, type Exchange, requestWords } from '../../../harness/vocabulary/index.ts'
import { action } from '../../records.ts'
import { revocationListOf } from '../judge/reply.ts'

export const crlThere = (exchange: Exchange): Ceremony => ({
  kind: 'ceremony',
  words: `${requestWords(exchange)}, until there is a CRL`,
  touches: [exchange],
  run: (scope) => scope.poll(exchange, (reply) => revocationListOf(reply) !== undefined),
})

/** Waits until the list exists. */
export const listThere = (exchange: Exchange) =>
  action(
    `GET \`${exchange.path}\` is repeated until there is a CRL`,
    { touches: [exchange], provides: [] },
    async (scope) => void (await crlThere(exchange).run(scope)),
  )
