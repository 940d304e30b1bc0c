/** The public bugs of such servers, each with the rule that plays it. */
import { type HistoricBug, historicBugs } from '../../fixtures/history/bugs.ts'
import type { Area, PastBug } from '../../harness/vocabulary/index.ts'
import type { Opening } from '../differences/bends.ts'
import { catalogAndMethods } from './catalog.ts'
import { cloud } from './cloud.ts'
import { pki } from './pki.ts'
import { pkiPlugins } from './pki-plugins.ts'
import { policies } from './policies.ts'
import { replication } from './replication.ts'

const rules: Readonly<Record<string, Opening>> = {
  ...{ ...pki, ...pkiPlugins, ...cloud },
  ...{ ...policies, ...catalogAndMethods, ...replication },
}

const played = (bug: HistoricBug): PastBug => {
  const open = rules[bug.id]
  return { ...bug, area: bug.area as Area, ...(open ? { open } : {}) }
}

export const pastBugs: readonly PastBug[] = historicBugs.map(played)

/** Rules that play no bug of the fixtures. */
export const strayRules: readonly string[] = Object.keys(rules).filter(
  (id) => !historicBugs.some((bug) => bug.id === id),
)
