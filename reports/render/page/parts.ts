/** The functions of the page, by name, and the script they make. Each is written as text, see `kit.ts`. */
import { visible } from '../escape.ts'
import { bodyBlock, formatJson } from './body.ts'
import { curlOf } from './curl.ts'
import { checkDetail, requirementDetail, requirementLine } from './detail.ts'
import { makeElements, prose } from './element.ts'
import { copy, exchangeCard, mismatchBlock } from './exchange.ts'
import { matchesCheck, matchesRequirement, readHash, writeHash } from './filter.ts'
import { listenToKeys } from './keys.ts'
import { entriesOf, makeList } from './list.ts'
import { start } from './start.ts'
import { chooseTheme } from './theme.ts'

export const pageParts = {
  visible,
  makeElements,
  prose,
  formatJson,
  bodyBlock,
  curlOf,
  copy,
  mismatchBlock,
  exchangeCard,
  requirementLine,
  checkDetail,
  requirementDetail,
  matchesCheck,
  matchesRequirement,
  readHash,
  writeHash,
  makeList,
  entriesOf,
  listenToKeys,
  chooseTheme,
}

export interface PageParts {
  readonly visible: typeof visible
  readonly makeElements: typeof makeElements
  readonly prose: typeof prose
  readonly formatJson: typeof formatJson
  readonly bodyBlock: typeof bodyBlock
  readonly curlOf: typeof curlOf
  readonly copy: typeof copy
  readonly mismatchBlock: typeof mismatchBlock
  readonly exchangeCard: typeof exchangeCard
  readonly requirementLine: typeof requirementLine
  readonly checkDetail: typeof checkDetail
  readonly requirementDetail: typeof requirementDetail
  readonly matchesCheck: typeof matchesCheck
  readonly matchesRequirement: typeof matchesRequirement
  readonly readHash: typeof readHash
  readonly writeHash: typeof writeHash
  readonly makeList: typeof makeList
  readonly entriesOf: typeof entriesOf
  readonly listenToKeys: typeof listenToKeys
  readonly chooseTheme: typeof chooseTheme
}

/** The whole script. `</script` cannot occur in it: no function of the page holds such a text. */
export const pageScript = (): string =>
  `'use strict';(${start.toString()})(window, {\n${Object.entries(pageParts)
    .map(([name, part]) => `${name}: ${part.toString()}`)
    .join(',\n')}\n})\n`
