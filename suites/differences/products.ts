/** Legal differences in what a server reports about itself. */
import { type Difference, isObject, type JsonObject, type WireAnswer } from '../../harness/vocabulary/index.ts'
import { isHealth, jsonOf, placeOf, refusal, withJson } from './bends.ts'

function versioned(version: string, answer: WireAnswer): WireAnswer {
  const json = jsonOf(answer)
  if (!json) return answer
  const { reference: _, ...others } = json
  const data = isObject(others.data) ? { data: { ...others.data, version } } : {}
  return withJson(answer, { ...others, version, ...data } as JsonObject)
}

const told =
  (version: string, help: string | undefined): Difference['open'] & {} =>
  () =>
  async (sent, pass) => {
    if (placeOf(sent) === 'sys' && sent.query.help !== undefined)
      return help === undefined ? refusal(404) : withJson({ ...(await pass(sent)), status: 200 }, { help })
    const answer = await pass(sent)
    return isHealth(sent) ? versioned(version, answer) : answer
  }

const because = "Version rows speak of one product's versions; any other is judged as the newest (readings, 58)."

export const products: readonly Difference[] = [
  {
    id: 'another-product',
    says: 'The server is another product, whose version is 0.5.2.',
    because,
    isProbed: true,
    open: told('0.5.2', 'This is a backend that is built-in to Strongroom.'),
  },
  {
    id: 'another-version-scheme',
    says: 'The server does not tell its product, and numbers its versions by date.',
    because,
    isProbed: true,
    open: told('2026.11-lts', undefined),
  },
]
